/// What became of a model since it was locked.
package struct LockComparison {
  let lock: ModelLock
  let model: VersionedModel
  let current: ManagedObjectModel
  let mappings: MappingFolder
  /// The first version whose way on still matters; nil for all.
  let since: String?
  /// By the names of locked versions that are gone, those that have the same hashes by another name.
  private let renamed: [String: ManagedObjectModel]
  /// Whether the current version may be one that isn't locked.
  var allowsUnlocked = false

  /// - Throws: `ModelFileError` when the model doesn't say which version is current.
  init(
    _ lock: ModelLock, _ model: VersionedModel, mappings: MappingFolder, since: String? = nil
  ) throws {
    self.since = since
    self.lock = lock
    self.model = model
    self.mappings = mappings
    current = try model.requiredCurrentVersion()
    let others = model.versions.filter { lock.version(named: $0.shownName) == nil }
    let gone = lock.versions.filter { model.version(named: $0.name) == nil }
    renamed = Dictionary(
      firstOf: gone.compactMap { old in
        others.first(where: old.hasHashes(of:)).map { (old.name, $0) }
      })
  }

  /// Errors first: edited and deleted versions, stores that none matches any more, a current version moved back,
  /// versions that can't be told apart, steps without a way; then versions that aren't locked yet.
  var findings: [LockFinding] {
    lock.versions.flatMap(versionFindings) + storeFindings + orderFindings + currentFindings
      + equalFindings + stepFindings + newVersions
  }

  // MARK: Versions

  /// The version that a locked one is now; nil where it is gone.
  func current(of locked: ModelLock.Version) -> ManagedObjectModel? {
    model.version(named: locked.name) ?? renamed[locked.name]
  }

  private func versionFindings(_ locked: ModelLock.Version) -> [LockFinding] {
    guard let version = model.version(named: locked.name) else {
      if let other = renamed[locked.name] {
        return [
          LockFinding(
            .renamedVersion, version: locked.name,
            "is called '\(other.shownName)' now; its hashes are the same, so its stores still open")
        ] + unhashedFindings(locked, in: other)
      }
      let problem = model.unreadableVersions[locked.name].map { "can't be read: \($0.note)" }
      return [
        LockFinding(
          .deletedVersion, version: locked.name,
          "was released, and \(problem ?? "no longer exists")")
      ]
    }
    let found = ModelLock.Version(version)
    let names = Set(locked.entities.keys).union(found.entities.keys).sorted()
    return names.flatMap { name in
      entityFindings(
        in: locked.name, of: name, was: locked.entities[name], now: found.entities[name])
    } + unhashedFindings(locked, in: version)
  }

  /// What no hash tells, though stores or steps depend on it.
  private func unhashedFindings(
    _ locked: ModelLock.Version, in version: ManagedObjectModel
  ) -> [LockFinding] {
    identifierFindings(locked, in: version) + configurationFindings(locked, in: version)
      + transformerFindings(locked, in: version)
  }

  private func transformerFindings(
    _ locked: ModelLock.Version, in version: ManagedObjectModel
  ) -> [LockFinding] {
    let now = ModelLock.Version(version).valueTransformers ?? [:]
    return (locked.valueTransformers ?? [:]).sorted { $0.key < $1.key }.flatMap { entity, names in
      names.sorted { $0.key < $1.key }.compactMap { property, old in
        // Another type is told as that.
        guard let new = now[entity]?[property], new != old else { return nil }
        return LockFinding(
          .changedTransformer, version: locked.name, entity: entity, property: property,
          "its value transformer was '\(old)' and is '\(new)': the app may no longer read what stores have; make it "
            + "'\(old)' again")
      }
    }
  }

  /// A store of a configuration has the hashes of its entities, whatever its name is.
  private func configurationFindings(
    _ locked: ModelLock.Version, in version: ManagedObjectModel
  ) -> [LockFinding] {
    // Entities that were added or removed are told as that.
    guard let configurations = locked.configurations,
      Set(locked.entities.keys) == Set(version.entitiesByName.keys)
    else { return [] }
    let now = version.configurations.values.map { $0.sorted() }
    return configurations.sorted { $0.key < $1.key }.compactMap { name, entities in
      now.contains(entities)
        ? nil
        : LockFinding(
          .changedConfiguration, version: locked.name,
          "no configuration has the entities of '\(name)' any more, \(entities.joined(separator: ", ")): its stores match "
            + "no version")
    }
  }

  /// By them steps pair elements of two versions, and no hash tells when one is lost.
  private func identifierFindings(
    _ locked: ModelLock.Version, in version: ManagedObjectModel
  ) -> [LockFinding] {
    guard let identifiers = locked.renamingIdentifiers else { return [] }
    let found = ModelLock.Version(version)
    return locked.entities.keys.sorted().flatMap { name -> [LockFinding] in
      guard let before = locked.entities[name], let after = found.entities[name] else { return [] }
      let (old, new) = (identifiers[name] ?? [:], found.renamingIdentifiers?[name] ?? [:])
      return Set(old.keys).union(new.keys).sorted().compactMap { key in
        // What was added or removed is told as that.
        guard old[key] != new[key], before.has(key), after.has(key) else { return nil }
        let own = key.isEmpty ? name : key.split(separator: ".").last.map(String.init) ?? key
        func shown(_ identifier: String?) -> String { "'\(identifier ?? own)'" }
        return LockFinding(
          .changedIdentifier, version: locked.name, entity: name,
          property: key.isEmpty ? nil : key,
          "its renaming identifier was \(shown(old[key])) and is \(shown(new[key])): a step that pairs by it may "
            + "lose what it was to keep; make it \(shown(old[key])) again")
      }
    }
  }

  private func entityFindings(
    in version: String, of name: String, was old: ModelLock.Entity?, now new: ModelLock.Entity?
  ) -> [LockFinding] {
    func finding(_ property: String?, _ message: String) -> LockFinding {
      LockFinding(.editedVersion, version: version, entity: name, property: property, message)
    }
    guard let old else { return [finding(nil, "was added to a released version")] }
    guard let new else { return [finding(nil, "was removed from a released version")] }
    if old.hash == new.hash { return [] }
    let changes = Set(old.shape.keys).union(new.shape.keys).sorted().compactMap { key in
      change(old.shape[key], new.shape[key]).map { finding(key.isEmpty ? nil : key, $0) }
    }
    let inherited =
      "has another hash: a superentity changed, or an earlier heavyweight, which knew less of Core Data's hashes, wrote "
      + "the manifest; after comparing them, write it anew"
    return changes.isEmpty ? [finding(nil, inherited)] : changes
  }

  private func change(_ old: String?, _ new: String?) -> String? {
    switch (old, new) {
    case (let old?, let new?): old == new ? nil : "was '\(old)' and is '\(new)'"
    case (nil, let new?): "was added ('\(new)')"
    case (let old?, nil): "was removed (it was '\(old)')"
    case (nil, nil): nil
    }
  }

  // MARK: The way on

  /// Steps between versions whose order is a guess may not be those that stores go.
  private var orderFindings: [LockFinding] {
    model.order.problems.map {
      LockFinding(.orderUnknown, version: model.name, "\($0). \(VersionOrder.advice)")
    }
  }

  private var currentFindings: [LockFinding] {
    let old = lock.version(named: lock.current).flatMap(current)
    guard let locked = model.versions.firstIndex(where: { $0 === old }),
      let now = model.versions.firstIndex(where: { $0 === current }), now < locked
    else { return [] }
    return [
      LockFinding(
        .currentMovedBack, version: current.shownName,
        "is the current version, but '\(lock.current)' was released: its stores can't be opened")
    ]
  }

  /// The versions up to the current one.
  private var released: [ManagedObjectModel] {
    let all = model.versions.prefix { $0 !== current } + [current]
    return Array(all.drop { since != nil && $0.shownName != since })
  }

  /// A store of one of them opens as any of the others: nothing that is to be done between them happens.
  private var equalFindings: [LockFinding] {
    EqualVersions.groups(among: released).map { $0.map(\.shownName) }.map { names in
      let isKnown = lock.equalVersions?.contains(names) == true
      return LockFinding(
        isKnown ? .knownEqualVersions : .equalVersions, version: names[0],
        EqualVersions.text(of: names))
    }
  }

  private var stepFindings: [LockFinding] {
    zip(released, released.dropFirst()).compactMap { source, destination in
      let checked = CheckedStep(from: source, to: destination, mappings: mappings.candidates)
      guard let error = checked.verdict.error else { return nil }
      let problem = error.inferenceProblems.first
      let isKnown = lock.stepsWithoutWay?.contains(checked.versions.description) == true
      return LockFinding(
        isKnown ? .knownWithoutPath : .noPath, step: checked.versions,
        entity: problem?.place.entity,
        property: problem?.place.property,
        "\(problem?.reason ?? error.reason) (\(error.code.rawValue))")
    }
  }

  private var newVersions: [LockFinding] {
    let new = model.versions.filter { version in
      lock.version(named: version.shownName) == nil
        && !renamed.values.contains { $0 === version }
    }
    let lastLocked = model.versions.lastIndex { version in
      lock.versions.contains { current(of: $0) === version }
    }
    return new.map { version in
      let place = model.versions.firstIndex { $0 === version } ?? 0
      if place < lastLocked ?? 0, released.contains(where: { $0 === version }) {
        return LockFinding(
          .earlierNotLocked, version: version.shownName,
          "is older than a locked version, and isn't locked: an edit would go unnoticed; run 'heavyweight lock'"
        )
      }
      let ships = version === current && !allowsUnlocked
      return LockFinding(
        ships ? .currentNotLocked : .notLocked, version: version.shownName,
        ships
          ? "is the current version, and isn't locked: run 'heavyweight lock', or give --allow-unlocked until it ships"
          : "isn't locked yet")
    }
  }
}

/// Something that differs from a manifest.
package struct LockFinding: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case editedVersion = "edited-version"
    case deletedVersion = "deleted-version"
    case currentMovedBack = "current-moved-back"
    case orderUnknown = "order-unknown"
    case equalVersions = "equal-versions"
    case knownEqualVersions = "equal-versions-when-locked"
    case renamedVersion = "renamed-version"
    case changedIdentifier = "renaming-identifier-changed"
    case changedConfiguration = "configuration-changed"
    case changedTransformer = "value-transformer-changed"
    case noPath = "no-path"
    case knownWithoutPath = "no-path-when-locked"
    case notLocked = "not-locked"
    case currentNotLocked = "current-not-locked"
    case earlierNotLocked = "earlier-not-locked"
    case strandedStore = "stranded-store"
    case storeOfNoVersion = "store-of-no-version"
    case versionWithoutStore = "version-without-store"

    package var severity: FindingSeverity {
      switch self {
      case .notLocked, .knownWithoutPath, .knownEqualVersions, .renamedVersion,
        .versionWithoutStore:
        .note
      case .editedVersion, .deletedVersion, .currentMovedBack, .orderUnknown, .equalVersions,
        .noPath, .currentNotLocked, .strandedStore, .storeOfNoVersion, .changedIdentifier,
        .changedConfiguration, .changedTransformer, .earlierNotLocked:
        .error
      }
    }

    /// The rule by which `check` finds the same; nil where only a manifest shows it.
    var checkRule: CheckRule? {
      switch self {
      case .orderUnknown: .orderUnknown
      case .equalVersions: .equalVersions
      case .noPath: .stepImpossible
      case .editedVersion, .deletedVersion, .currentMovedBack, .notLocked, .knownWithoutPath,
        .knownEqualVersions, .renamedVersion, .currentNotLocked, .strandedStore, .storeOfNoVersion,
        .versionWithoutStore, .changedIdentifier, .changedConfiguration, .changedTransformer,
        .earlierNotLocked:
        nil
      }
    }
  }
  package let kind: Kind
  /// The version, the step, or the place of a store.
  package let version: String
  /// The step, if it is about one.
  package let step: VersionPair?
  package let entity: String?
  package let property: String?
  package let message: String

  init(
    _ kind: Kind, version: String? = nil, step: VersionPair? = nil, entity: String? = nil,
    property: String? = nil, _ message: String
  ) {
    (self.kind, self.version, self.step) = (kind, version ?? step?.description ?? "", step)
    (self.entity, self.property, self.message) = (entity, property, message)
  }

  package var severity: FindingSeverity { kind.severity }
}

extension LockFinding {
  /// `error: App 2: Order.total: message [edited-version]`.
  func line(_ style: TextStyle) -> String {
    let element = [entity, property].compactMap { $0 }.joined(separator: ".")
    let place = element.isEmpty ? version : "\(version): \(element)"
    let word = severity == .error ? style.bad("error") : "note"
    return "\(word): \(place): \(message) \(style.faint("[\(kind.rawValue)]"))"
  }
}
