/// One call of `heavyweight diff`: opens two stores, compares and reports.
struct DiffSession {
  let stores: Both<String>
  /// The models, in any form, or folders of them, in which the stores' versions are looked for.
  let models: [String]
  /// Rules as ``IdentityRules/init(arguments:)`` takes them.
  let identity: [String]
  let options: StoreComparison.Options
  /// Where the reports go.
  var outputs = CommandOutputs()

  /// Does everything, and prints the report.
  /// - Throws: What is wrong with what it was given.
  func run() throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    let differences = try MachineFaultWatch.judgingAtOnce { try compare() }
    return try outputs.publish(
      differences,
      findings: ToldFindings(
        command: "diff", file: "\(stores.a), \(stores.b)",
        findings: differences.told(file: stores.b, as: stores),
        isFailure: differences.exitStatus != .passed, sections: differences.sections))
  }

  /// - Throws: What is wrong with the stores, models or rules.
  func compare() throws -> StoreDifferences {
    let began = ContinuousClock.now
    var options = options
    options.rules = try IdentityRules(arguments: identity)
    let models = try models.flatMap {
      try StoreModel.loadCandidates(orStoreAt: URL(fileURLWithPath: $0))
    }
    PassedOverStores.note(in: models)
    let opened = try stores.map { try ComparedStore($0, models: models) }
    defer {
      opened.a.store.closeUnchanged()
      opened.b.store.closeUnchanged()
    }
    let comparison = try StoreComparison(opened.a.store, opened.b.store, options: options)
    var result = StoreDifferences(stores: opened.map { $0.summary() })
    try comparison.run(into: &result)
    // Where something differs, that is the answer; to look for damage in large stores takes too long.
    let damage = try Both(StoreSide.a, .b).map { side in
      guard result.isEmpty, !result.isDamageUnknown else { return [IntegrityFinding]() }
      return try opened[side].store.unnoticedDamage().filter { comparison.compares($0, in: side) }
    }
    // Damaged rows are met while they are read.
    result.stores = Both(opened.a.summary(damage.a), opened.b.summary(damage.b))
    result.lacksValues =
      [opened.a, opened.b].contains { $0.store.findings.contains { $0.kind.isReadAsNil } }
      || (damage.a + damage.b).contains { IntegrityFinding.Kind.misread.contains($0.kind) }
    result.seconds = (ContinuousClock.now - began).seconds
    return result
  }
}
