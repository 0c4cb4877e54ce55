/// The rules about a model as a whole.
enum ModelRules {
  static func findings(
    in model: VersionedModel, current: ManagedObjectModel
  ) -> [CheckFinding] {
    order(model.order) + currentNotNewest(model, current) + equalVersions(model)
      + reusedIdentifiers(model)
      + model.notes.map(passedOver)
  }

  /// Every hop is judged by the order: where that is a guess, so are the verdicts.
  private static func order(_ order: VersionOrder) -> [CheckFinding] {
    order.contradictions.map { contradiction in
      CheckFinding(
        .orderContradicted, CheckFinding.Subject(version: contradiction.claim.earlier),
        contradiction.text + taken(of: contradiction, in: order), advice: VersionOrder.advice)
    }
      + order.unknown.map { group in
        CheckFinding(
          .orderUnknown, CheckFinding.Subject(version: group[0]),
          VersionOrder.text(ofUnknown: group),
          advice: VersionOrder.advice)
      }
  }

  /// What was gone by.
  private static func taken(
    of contradiction: VersionOrder.Contradiction, in order: VersionOrder
  ) -> String {
    let names = [contradiction.claim.earlier, contradiction.claim.later]
    let places = names.compactMap(order.names.firstIndex).sorted()
    guard places.count == 2 else { return "" }
    let hop = "\(order.names[places[0]]) -> \(order.names[places[1]])"
    let evidence = places[1] == places[0] + 1 ? order.evidence[places[0]] : nil
    return "; taken: \(hop)" + (evidence.map { ", \($0.text)" } ?? "")
  }

  private static func currentNotNewest(
    _ model: VersionedModel, _ current: ManagedObjectModel
  ) -> [CheckFinding] {
    guard let newest = model.versions.last, newest !== current else { return [] }
    return [
      CheckFinding(
        .currentNotNewest, CheckFinding.Subject(version: current.shownName),
        "is the current version, but '\(newest.shownName)' is newer",
        advice: "Set the current version in Xcode, unless the newer one isn't released.")
    ]
  }

  /// One finding for all versions that are equal to each other.
  private static func equalVersions(_ model: VersionedModel) -> [CheckFinding] {
    groups(model.versions) { $0.versionHashesDigest }.map { group in
      CheckFinding(
        .equalVersions, CheckFinding.Subject(version: group[0].shownName),
        "has the same hashes as " + group.dropFirst().map(\.shownName).joined(separator: ", ")
          + ": Core Data can't tell them apart")
    }
  }

  private static func reusedIdentifiers(_ model: VersionedModel) -> [CheckFinding] {
    let typed = model.versions.filter { $0.versionIdentifiers.contains { !$0.isEmpty } }
    return groups(typed) { $0.versionIdentifiers.joined(separator: ", ") }
      .filter { group in Set(group.map(\.versionHashesDigest)).count > 1 }
      .map { group in
        CheckFinding(
          .identifierReused, CheckFinding.Subject(version: group[0].shownName),
          "has the identifier '\(group[0].versionIdentifiers.joined(separator: ", "))', as "
            + group.dropFirst().map(\.shownName).joined(separator: ", ") + " has")
      }
  }

  /// Versions with the same key, where there are several.
  private static func groups(
    _ versions: [ManagedObjectModel], by key: (ManagedObjectModel) -> String
  ) -> [[ManagedObjectModel]] {
    var order: [String] = []
    var groups: [String: [ManagedObjectModel]] = [:]
    for version in versions {
      let key = key(version)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(version)
    }
    return order.compactMap { groups[$0] }.filter { $0.count > 1 }
  }

  private static func passedOver(_ note: ModelFileNote) -> CheckFinding {
    let place = note.line.map { "\(note.file):\($0)" } ?? note.file
    return CheckFinding(.passedOver, CheckFinding.Subject(file: place), note.message)
  }
}
