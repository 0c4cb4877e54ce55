import ArgumentParser

struct InitCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a first scenario for the newest step of a model.",
    usage: "heavyweight init [<model>] [<folder>] [<options>]",
    discussion: HelpText.laidOut(
      """
      With sample rows for what the step changes, and with expectations that hold: change both to \
      what your users have and need. Mapping models and policies are looked for in the model's \
      folder.

      EXAMPLES
        heavyweight init                                in a repository: all models, steps and versions
        heavyweight init --stand-ins                    also Swift classes in place of policies in Objective-C
        heavyweight init App.xcdatamodeld               into the folder Scenarios
        heavyweight init App.xcdatamodeld Tests/Migrations
                                                        into another one
        heavyweight init App.xcdatamodeld --mappings Mappings \\
          --policies Sources/Migration/*.swift --module App
                                                        with files from elsewhere
        heavyweight init App.xcdatamodeld --all         one for every step with a mapping model or a \
      finding of check, and those that take stores of every version to the current one
        heavyweight init App.xcdatamodeld --all --except 'App 3,App 5'
                                                        except versions that never shipped
        heavyweight init App.xcdatamodeld --stores 'Fixtures/*.sqlite'
                                                        one for each store that a shipped version left

      EXIT STATUS
        0  the scenario was written, and `heavyweight run` passes unless a remark says otherwise
        2  a file or an argument is wrong, or the scenario exists already; nothing was written, but of several stores \
      for those that can be read
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(
    help: .taking("model", "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a folder with one."))
  var models: String?

  @Argument(help: .taking("folder", "Where the scenario goes."))
  var folder = ScenarioFinder.usualFolder

  @OptionGroup var mapping: MappingOptions

  @OptionGroup var policy: PolicyOptions

  @Flag(help: "Write scenarios for all steps that need one, and for stores of every version.")
  var all = false

  @Option(help: .taking("names", "With --all: versions that never shipped, separated by commas."))
  var except: String?

  @Flag(
    help: "In a repository: write a Swift class, to be translated, for each policy in Objective-C.")
  var standIns = false

  @OptionGroup var stores: StoreOptions

  @Option(help: OrderHelp.text)
  var order: String?

  @OptionGroup var machine: JSONOption

  @OptionGroup var limits: PolicyLimits

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if repository == nil { try ProjectModel.require(models) }
    if repository != nil, confinement.sandbox {
      throw ValidationError(
        "--sandbox needs a model: in a repository, whatever code a policy may need is read and compiled."
      )
    }
    if !stores.stores.isEmpty, all || repository != nil {
      throw ValidationError("--stores needs a model, and no --all.")
    }
    if standIns, repository == nil { throw ValidationError("--stand-ins needs a repository.") }
    if except != nil, !all { throw ValidationError("--except needs --all.") }
  }

  private func scope() throws -> DraftJob.Scope {
    if !stores.stores.isEmpty {
      let advice = "; a folder that scenarios go to is named before --stores"
      return .stores(try stores.files(advice: advice).map(\.path))
    }
    guard all else { return .newest }
    let names = except?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    return .all(except: names ?? [])
  }

  func note(in files: inout CommandFiles) {
    files.use("the model", models)
    stores.note(in: &files)
    files.use("a mapping model", mapping.mappings)
    policy.note(in: &files)
    machine.note(in: &files)
  }

  /// The repository that is meant, unless a model is.
  private var repository: URL? {
    models == nil && !ProjectModel.all().isEmpty ? nil : RepositoryModels.root(of: models)
  }

  func perform() async throws -> ExitStatus {
    if let repository { return try await RepositoryStart(command: self, root: repository).run() }
    let files = try MigrationFiles(models: models, mapping, policy, order: order)
    let job = DraftJob(files: files, folder: folder, scope: try scope())
    return try await perform(job)
  }
}
