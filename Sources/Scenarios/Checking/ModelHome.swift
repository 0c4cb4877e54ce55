import Synchronization

/// The folder that an app's model lies in, with the app's mapping files and policies. In the app's bundle
/// Core Data finds them by itself.
package struct ModelHome {
  package let folder: URL

  /// - Parameter url: A model, or a folder with several that were merged.
  package init(ofModelAt url: URL) {
    let url = url.standardizedFileURL
    let isModel = VersionedModel.pathExtensions.contains(url.pathExtension)
    folder = isModel ? url.deletingLastPathComponent() : url
  }

  /// The mapping files in the folder and the folders in it.
  package func mappingFiles() throws -> [URL] {
    // A model that isn't there is for others to complain about.
    guard folder.isFolder else { return [] }
    do { return try FolderSearch(folder).files(withExtensions: MappingFile.pathExtensions) } catch {
      throw Diagnostics(
        file: folder.relativePath,
        "can't look for mapping models here or in a folder in it: \(error.plainText)")
    }
  }
}

// MARK: - The repository

extension ModelHome {
  /// The mapping files of the repository that the folder is in; without one, of the folder that the tool was started
  /// in, if the model is below it.
  package var mappingFilesElsewhere: [URL] {
    guard let repository else { return [] }
    return Self.mappingFiles.withLock { known in
      if let files = known[repository.path] { return files }
      // What can't be searched has nothing to offer.
      let files = try? FolderSearch(repository, skipping: Self.foldersOfOthers)
        .files(withExtensions: MappingFile.pathExtensions)
      known[repository.path] = files ?? []
      return files ?? []
    }
  }

  /// By the repository's path. A process that plays many scenarios searches it once.
  private static let mappingFiles = Mutex<[String: [URL]]>([:])

  /// What other people's code, and what was built, lies in.
  private static let foldersOfOthers: Set = [
    "Pods", "Carthage", "DerivedData", "SourcePackages", "checkouts", "node_modules", "build",
  ]

  package var repository: URL? {
    if let root = Self.repository(around: folder) { return root }
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL
    // Nobody keeps one app in all of these.
    if ProjectPlace.isAroundHome(here.path) { return nil }
    return folder.path.hasPrefix(here.path + "/") ? here : nil
  }
}

extension ModelHome {
  /// The folder with `.git` that a folder is, or is in.
  package static func repository(around folder: URL) -> URL? {
    var place = folder.standardizedFileURL
    while place.path != "/" {
      if FileManager.default.fileExists(atPath: place.appending(path: ".git").path) { return place }
      place.deleteLastPathComponent()
    }
    return nil
  }

  /// Files below a folder, without other people's code and without what was built.
  package static func ownFiles(
    below folder: URL, withExtensions extensions: Set<String>
  ) throws -> [URL] {
    try FolderSearch(folder, skipping: foldersOfOthers).files(withExtensions: extensions)
  }
}

extension VersionedModel {
  /// The model in the order of all evidence, with what the project file says of its order and current version.
  package func arranged(
    bySteps steps: [(source: String, destination: String, file: String)], given: [String] = [],
    current: String? = nil
  ) -> VersionedModel {
    let project = ProjectFile.current?.narrowed(toModelAt: url)
    let order = given.isEmpty ? project?.order.map(\.value) ?? [] : given
    return ordered(bySteps: steps, given: order, current: current ?? project?.current?.value)
  }
}

// MARK: - Scenarios

extension ModelHome {
  /// The versions of a scenario's model in the order that the mapping files beside it tell, too, where the scenario
  /// leaves its steps to that order.
  static func ordered(_ models: VersionedModels, for scenario: Scenario) -> VersionedModels {
    guard scenario.route != nil || scenario.everyStart != nil,
      case .xcode(_, let selected) = scenario.models, selected.isEmpty, models.files.count == 1,
      let model = models.files[0], model.versions.count > 1,
      // What can't be searched tells nothing.
      let steps = try? MappingFolder(beside: model).steps,
      !steps.isEmpty || scenario.project?.isListOfModels == true
    else { return models }
    return models.inOrder(of: model.arranged(bySteps: steps))
  }

  /// A scenario with all that its chain finds beside its model: for steps without a mapping the files made
  /// for just them, and the policies that these name.
  static func completed(_ scenario: Scenario, _ models: VersionedModels) -> Scenario {
    var result = scenario
    if case .xcode(let paths, _) = scenario.models {
      for (path, model) in zip(paths, models.files) {
        model.map { FilesBeside($0, at: path, of: scenario).add(to: &result, models) }
      }
    }
    let callsCode = result.chain.contains { !$0.mappings.isEmpty || $0.stages != nil }
    if result.policies.isEmpty, callsCode {
      result.policies = scenario.projectOfModel(models)?.policyModules ?? []
    }
    return result
  }
}

extension Scenario {
  /// The project file as it is for the scenario's model.
  fileprivate func projectOfModel(_ models: VersionedModels) -> ProjectFile? {
    var url = models.files.compactMap(\.self).first?.url
    if case .inline(let versions, _) = self.models,
      case .file(let path)? = versions.first?.definition
    {
      url = folder.resolving(path.value)
    }
    return url.map { project?.narrowed(toModelAt: $0) } ?? project
  }
}

/// The files beside one of a scenario's models.
private struct FilesBeside {
  private let home: ModelHome
  private let model: VersionedModel
  /// The folder as the scenario would write it.
  private let shownHome: String
  private let project: ProjectFile?

  init(_ model: VersionedModel, at path: Located<String>, of scenario: Scenario) {
    self.model = model
    home = ModelHome(ofModelAt: scenario.folder.resolving(path.value))
    shownHome = RelativePath.folder(of: path.value)
    project = scenario.project?.narrowed(toModelAt: model.url)
  }

  func add(to scenario: inout Scenario, _ models: VersionedModels) {
    let open = scenario.chain.indices.filter {
      scenario.chain[$0].usesFilesBesideModel && scenario.chain[$0].mappings.isEmpty
    }
    // A folder that can't be searched has nothing to offer; the model in it can be read all the same.
    guard !open.isEmpty,
      let files = try? MappingFolder(beside: model, and: (try? project?.mappingFiles()) ?? [])
    else { return }
    var classes: Set<String> = []
    for index in open {
      let ends = scenario.chain[index].ends
      guard let source = models[ends.value.source], let destination = models[ends.value.destination]
      else { continue }
      let all = files.running(from: source, to: destination)
      let running =
        scenario.route?.value == .direct
        ? files.running(from: source, to: destination, takingOne: true) : all
      if let one = running.first, running.count < all.count {
        scenario.passedOver.append(
          "\(ends.value): \(all.map(\.name).joined(separator: ", ")) fit, of which Core Data takes one: \(one.name)"
        )
      }
      // One that can't be read is for the scenario to fail by, also one beside the model that may be for a step
      // which has no other.
      let broken = files.unreadable.filter { file in
        !file.error.isAbsence
          && (file.versions(of: model) == ends.value
            || running.isEmpty && file.url.pathExtension == "xcmappingmodel"
              && file.url.deletingLastPathComponent().path == home.folder.path
              && XcodeMappingFile.namedModels(in: file.url) == nil)
      }
      scenario.chain[index].mappings = (running.map(\.file.url) + broken.map(\.url)).map {
        .file(Located(shown($0), at: ends.place))
      }
      classes.formUnion(running.compactMap(\.candidate).policyClasses)
    }
    let isTaken = open.flatMap { scenario.chain[$0].mappings }.compactMap(\.file).map(\.value)
    scenario.passedOver += files.elsewhere.map(shown).filter(isTaken.contains).map {
      "mapping file found elsewhere in the repository: \($0)"
    }
    let left = open.filter { scenario.chain[$0].mappings.isEmpty }
    if !left.isEmpty {
      let steps = left.map { scenario.chain[$0].ends.value }
      scenario.passedOver += files.passedOver(for: steps, of: model)
    }
    let isGiven = !scenario.policies.isEmpty || project?.saysPolicies == true
    if isGiven || classes.isEmpty { return }
    scenario.policies = policies(classes.sorted(), at: scenario.chain[open[0]].ends.place)
  }

  private func policies(_ classes: [String], at place: SourcePlace) -> [PolicyModule] {
    // A folder that can't be searched has nothing to offer; a policy that is needed is then missing.
    guard let found = try? StepPolicies(of: classes, given: [], module: nil, below: home.folder),
      let module = found.module, !found.sources.isEmpty
    else { return [] }
    return [
      PolicyModule(
        name: Located(module, at: place),
        sources: found.sources.map { Located(shown($0), at: place) })
    ]
  }

  /// A file's path as the scenario would write it.
  private func shown(_ file: URL) -> String {
    let path = file.standardizedFileURL.path
    let base = home.folder.path.hasSuffix("/") ? home.folder.path : home.folder.path + "/"
    guard path.hasPrefix(base) else { return path }
    return (shownHome as NSString).appendingPathComponent(String(path.dropFirst(base.count)))
  }
}

extension MappingFolder {
  /// What is said of files that no step uses, and that may be for one of some steps without a mapping.
  fileprivate func passedOver(for steps: [StepEnds], of model: VersionedModel) -> [String] {
    let broken = unreadable.filter { file in
      XcodeMappingFile.namedModels(in: file.url) == nil
        || file.versions(of: model).map(steps.contains) == true
    }.map { "mapping file ignored, whichever step it is for: \($0.error.note)" }
    return broken + unplacedNotes
      + mappings.compactMap { mapping in
        switch mapping.place {
        case .outdated(let source, let destination, let error):
          let ends = StepEnds(source: source.name ?? "", destination: destination.name ?? "")
          return steps.contains(ends)
            ? "mapping file \(mapping.name) ignored: made for \(ends), which it no longer fits: \(error.reason)"
            : nil
        case .versions, .byHashes, .ofOtherModel, .elsewhere: return nil
        }
      }
  }
}

extension CheckedScenario {
  /// The mapping models in files beside the models, whatever step they are for.
  package var mappingsBesideModels: [MappingCandidate] {
    guard case .xcode = scenario.models else { return [] }
    // A folder that can't be searched has nothing to offer.
    return models.files.compactMap(\.self).flatMap { model in
      let given =
        (try? scenario.project?.narrowed(toModelAt: model.url).mappingFiles()) ?? []
      return (try? MappingFolder(beside: model, and: given))?.candidatesAsFound ?? []
    }
  }
}
