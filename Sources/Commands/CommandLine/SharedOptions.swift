import ArgumentParser
import Synchronization

/// What every command has: how it talks to a terminal.
struct TerminalOptions: ParsableArguments {
  @Option(
    help: .taking("when", "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
  )
  var color = ColorChoice.auto

  @Flag(help: "Print only what fails, and of runs the summary.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: "Print more: plans of steps, what policies do, what the project file adds.")
  var verbose = false

  var detail: TextReport.Detail { quiet ? .quiet : verbose ? .verbose : .usual }

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
    TextStyle.choice = color
    CommandOutputs.isQuiet.store(quiet, ordering: .relaxed)
  }
}

extension ColorChoice: ExpressibleByArgument {}

/// The report for machines of a command that prints another one for people.
struct JSONOption: ParsableArguments {
  @Option(
    defaultAsFlag: "-",
    help: .taking(
      "file", "Print the report as JSON; or write it to this file, and print the text as well.")
  )
  var json: String?

  var place: JSONPlace { JSONPlace(json) }

  func validate() throws {
    if let problem = place.problem { throw ValidationError(problem) }
  }

  var outputs: CommandOutputs { CommandOutputs(json: place) }

  func note(in files: inout CommandFiles) { files.report("--json", to: json, as: .json) }
}

/// The reports for machines of a command that tells of findings.
struct FindingOptions: ParsableArguments {
  @OptionGroup var machine: JSONOption

  @Option(help: .taking("file", "Write the findings to this file, as JUnit XML."))
  var junit: String?

  @Flag(help: "Annotate the findings on GitHub, at file and line.")
  var github = false

  @Option(help: .taking("folder", "Write a page for a browser into this folder."))
  var html: String?

  func validate() throws {
    if github, machine.place.isStandardOutput {
      throw ValidationError("--json and --github would both write to standard output.")
    }
    if junit == "-" {
      throw ValidationError("--junit takes a file here; only `run` prints JUnit XML.")
    }
  }

  func note(in files: inout CommandFiles) {
    machine.note(in: &files)
    files.report("--junit", to: junit, as: .junit)
    files.page("--html", in: html)
  }

  var outputs: CommandOutputs {
    CommandOutputs(
      json: machine.place, hasFindings: true,
      findings: ReportOutputs(
        [
          junit.map { ReportOutput(FindingJUnit.self, "--junit", to: $0) },
          html.map { ReportOutput(FindingPage.self, "--html", to: $0) },
          github ? ReportOutput(FindingAnnotations.self, "--github") : nil,
        ].compactMap(\.self)))
  }
}

/// Mapping models, for commands that go from version to version.
struct MappingOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The app's .xcmappingmodels and .cdms, or folders of them (default: those beside the model); several "
        + "for one step run in this order.",
      valueName: "path"))
  var mappings: [String] = []
}

/// The app's policies, for commands that take them as files.
struct PolicyOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: .taking(
      "file",
      "The app's migration policies in Swift (default: those beside the model that mapping models name)."
    ))
  var policies: [String] = []

  @Option(help: .taking("name", "The app's module, by which mapping models name policies."))
  var module: String?

  @OptionGroup var stubs: StubOption

  func note(in files: inout CommandFiles) {
    files.use("a policy", policies)
    stubs.missing.note(in: &files)
  }

  func validate() throws {
    for path in policies where FileKind(of: URL(fileURLWithPath: path)) == .folder {
      throw ValidationError(
        "'\(path)' is a folder; name the Swift files in it: --policies \(path)/*.swift.")
    }
  }
}

/// By which files, and up to which version, stores are migrated.
struct RouteOptions: ParsableArguments {
  @OptionGroup var mapping: MappingOptions

  @OptionGroup var policy: PolicyOptions

  @Option(
    help: .taking("version", "The version to end with (default: current)."), completion: .versions)
  var to: String?

  @Option(help: OrderHelp.text)
  var order: String?

  func requirePoliciesWithModule() throws {
    guard policy.policies.isEmpty == (policy.module == nil) else {
      throw ValidationError("Give --policies and --module together.")
    }
  }

  func note(in files: inout CommandFiles) {
    files.use("a mapping model", mapping.mappings)
    policy.note(in: &files)
  }
}

/// How the content of two stores is compared.
struct ComparisonOptions: ParsableArguments {
  @Option(
    help: .taking(
      "rule",
      "What identifies the objects of an entity, or a YAML file with such rules; repeat for several."
    ))
  var identity: [String] = []

  @Option(help: .taking("name", "An entity or Entity.property to leave out; repeat for several."))
  var ignore: [String] = []

  @Option(
    help: .taking("count", "How many objects to list for each entity and kind of difference."))
  var limit = StoreComparison.Options.defaultListed

  @Flag(help: "List every object that differs.")
  var all = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit can't be negative.") }
  }

  var options: StoreComparison.Options {
    var options = StoreComparison.Options()
    options.ignored = ignore
    options.listed = all ? .max : limit
    return options
  }
}

/// How many processes play, for commands that have several do it.
struct JobsOption: ParsableArguments {
  @Option(help: .taking("number", "How many processes at the same time (default: cores)."))
  var jobs: Int?

  var count: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
  }
}

/// The scenarios of a call, for commands that play all of a project's where none are named.
struct ScenarioPaths: ParsableArguments {
  @Argument(
    help: .taking("path", "Scenario files or folders of them (default: Scenarios)."),
    completion: .scenarios)
  var paths: [String] = []

  /// What was typed, else the usual folder.
  var all: [String] { paths.isEmpty ? [ScenarioFinder.usualFolder] : paths }

  func note(in files: inout CommandFiles) {
    files.use("a scenario", paths.map { ScenarioAddress($0).path })
  }
}
