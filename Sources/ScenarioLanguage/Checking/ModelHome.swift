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
      throw Diagnostics([
        Diagnostic(
          file: folder.relativePath,
          "can't look for mapping models here or in a folder in it: \(error.plainText)")
      ])
    }
  }
}

// MARK: - Scenarios

extension ModelHome {
  /// A scenario with all that its chain finds beside its model: for steps without a mapping the files made
  /// for just them, and the policies that these name.
  static func completed(_ scenario: Scenario, _ models: VersionedModels) -> Scenario {
    var result = scenario
    if case .xcode(let paths, _) = scenario.models {
      for path in paths { FilesBeside(path, scenario).add(to: &result, models) }
    }
    let callsCode = result.chain.contains { !$0.mappings.isEmpty || $0.stages != nil }
    if result.policies.isEmpty, callsCode {
      result.policies = scenario.project?.policyModules ?? []
    }
    return result
  }
}

/// The files beside one of a scenario's models.
private struct FilesBeside {
  private let home: ModelHome
  private let modelName: String
  /// The folder as the scenario would write it.
  private let shownHome: String
  private let project: ProjectFile?

  init(_ path: Located<String>, _ scenario: Scenario) {
    let model = scenario.folder.resolving(path.value)
    home = ModelHome(ofModelAt: model)
    modelName = model.baseName
    shownHome = (path.value as NSString).deletingLastPathComponent
    project = scenario.project
  }

  /// Those beside the model, and those that the project file names.
  private func mappingFiles() -> [URL] {
    // A folder that can't be searched has nothing to offer; the model in it can be read all the same.
    let beside = (try? home.mappingFiles()) ?? []
    let named = (try? project?.mappingFiles()) ?? []
    return (beside + named).map(\.standardizedFileURL).uniqued()
  }

  func add(to scenario: inout Scenario, _ models: VersionedModels) {
    let open = scenario.chain.indices.filter {
      scenario.chain[$0].usesFilesBesideModel && scenario.chain[$0].mappings.isEmpty
    }
    let files = open.isEmpty ? [] : mappingFiles()
    if files.isEmpty { return }
    var classes: Set<String> = []
    for index in open {
      let step = scenario.chain[index]
      for (file, mapping) in fitting(files, step.ends.value, models) {
        scenario.chain[index].mappings.append(.file(Located(shown(file), at: step.ends.place)))
        let entities = mapping?.entityMappings ?? []
        classes.formUnion(entities.compactMap(\.entityMigrationPolicyClassName))
      }
    }
    if open.contains(where: { scenario.chain[$0].mappings.isEmpty }) {
      scenario.passedOver += files.compactMap(problem)
    }
    let isGiven = !scenario.policies.isEmpty || project?.policyModules.isEmpty == false
    if isGiven || classes.isEmpty { return }
    scenario.policies = policies(classes.sorted(), at: scenario.chain[open[0]].ends.place)
  }

  /// Why a file that names no versions is of no use; nil for one that may be.
  private func problem(with file: URL) -> String? {
    guard XcodeMappingFile.namedModels(in: file) == nil else { return nil }
    do {
      _ = try MappingFile.load(contentsOf: file)
      return nil
    } catch {
      let reason = (error as? MappingFileError)?.note ?? "\(error)"
      return "mapping file ignored, whichever step it is for: \(reason)"
    }
  }

  /// The files that name the versions of a step and fit them. One that doesn't fit any more is none to Core
  /// Data; one that can't be read comes without a mapping, for the scenario to fail by.
  private func fitting(
    _ files: [URL], _ ends: StepEnds, _ models: VersionedModels
  ) -> [(file: URL, mapping: MappingModel?)] {
    guard let source = models[ends.source], let destination = models[ends.destination] else {
      return []
    }
    return files.compactMap { file in
      guard names(file, source, destination) else { return nil }
      let loaded: MappingFile
      do { loaded = try MappingFile.load(contentsOf: file) } catch { return (file, nil) }
      // It names what a version hasn't got: made for another state of it.
      guard let mapping = try? loaded.mappingModel(source: source, destination: destination),
        mapping.fits(source: source, destination: destination)
      else { return nil }
      return (file, mapping)
    }
  }

  /// Whether a file names two versions; one that Xcode compiled names none.
  private func names(
    _ file: URL, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> Bool {
    guard let named = XcodeMappingFile.namedModels(in: file) else { return false }
    let isOfModel = [named.source, named.destination].allSatisfy {
      $0.modelName == nil || $0.modelName == modelName
    }
    return isOfModel && named.source.versionName == source.name
      && named.destination.versionName == destination.name
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
