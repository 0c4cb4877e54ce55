/// The policies beside a model that its mapping files name.
struct PoliciesBeside {
  let found: StepPolicies

  /// - Throws: When a Swift file can't be read: the class might be in it.
  init(_ model: VersionedModel, for mappings: MappingFolder) throws {
    try self.init(model, for: mappings.candidates)
  }

  /// - Throws: When a Swift file can't be read: the class might be in it.
  init(_ model: VersionedModel, for mappings: [MappingCandidate]) throws {
    found = try StepPolicies(
      of: mappings.policyClasses, given: [], module: nil,
      below: ModelHome(ofModelAt: model.url).folder)
  }

  var notes: [String] {
    var notes: [String] = []
    if let module = found.module, !found.sources.isEmpty {
      let names = found.sources.map(\.lastPathComponent).joined(separator: ", ")
      notes.append("policies found beside the model: \(names), compiled as the module \(module)")
    }
    if !found.missing.isEmpty {
      notes.append(
        "no Swift file beside the model declares \(found.missing.joined(separator: ", ")): give the sources "
          + "with --policies and --module")
    }
    return notes
  }

  /// Compiles them. Nobody asked for just these files, so that what is wrong with one is told only when its
  /// policies are needed.
  func compiled(
    by compiler: PolicyCompiler, stubs: [StubFile]
  ) async -> any PolicyProvider {
    guard let module = found.module, !found.sources.isEmpty else { return PolicyRegistry() }
    do {
      return try await compiler.library(of: found.sources, module: module, stubs: stubs)
    } catch {
      let sound = await compiler.prepareSound(of: found, stubs: stubs, after: error)
      let library =
        sound.sources.isEmpty
        ? nil : try? await compiler.library(of: sound.sources, module: module, stubs: stubs)
      return PartlyUsablePolicies(
        usable: library, error: error,
        unusable: Set(found.files.keys.filter { library == nil || sound.files[$0] == nil }))
    }
  }
}

extension PolicyCompiler {
  /// Compiles, without loading them, those of the classes that compile without the others.
  /// - Parameter error: What came of compiling all of them.
  /// - Returns: The classes compiled; none where the errors don't tell which files are at fault.
  func prepareSound(
    of policies: StepPolicies, stubs: [StubFile], after error: any Error
  ) async -> StepPolicies {
    var rest = policies
    var problem = error
    while let module = rest.module {
      let said = (problem as? PolicyCompilationError)?.diagnostics ?? []
      let sound = rest.without(Set(said.filter { $0.severity == .error }.compactMap(\.file)))
      let isDone = sound.sources.count == rest.sources.count
      rest = isDone ? rest.without(Set(rest.sources.map(\.relativePath))) : sound
      if rest.sources.isEmpty { break }
      do {
        try await prepare(rest.sources, module: module, stubs: stubs)
        break
      } catch {
        problem = error
      }
    }
    return rest
  }
}

extension [StubFile] {
  /// - Throws: ``Diagnostics`` where no policies could import what they stand for.
  func requirePolicies(_ sources: [URL]) throws {
    if isEmpty || !sources.isEmpty { return }
    throw Diagnostics(
      file: "--stubs",
      "no policies were found that could import these modules: give them with --policies and --module, or leave "
        + "out --stubs")
  }
}

/// Policies of files some or all of which don't compile.
private struct PartlyUsablePolicies: PolicyProvider {
  /// Those of the other files, if there are any.
  let usable: PolicyLibrary?
  let error: any Error
  /// Classes of which a part doesn't compile: an extension with an override, perhaps.
  let unusable: Set<String>

  func makePolicy(named name: String) throws -> EntityMigrationPolicy? {
    if unusable.contains(name) { throw error }
    return try usable?.makePolicy(named: name)
  }

  var policyNames: [String]? { usable?.policyNames }
}
