/// The rules about a model as a whole.
enum ModelRules {
  static func findings(
    in model: VersionedModel, current: ManagedObjectModel
  ) -> [CheckFinding] {
    let notes = model.notes.map { note in
      note.isOnCurrentVersion && model.currentVersionIsAssumed
        ? currentAssumed(note, current) : passedOver(note)
    }
    return order(model.order) + currentNotNewest(model, current) + equalVersions(model)
      + reusedIdentifiers(model) + unreadable(model) + notes
  }

  /// Versions in Xcode 3's format are no more than noted.
  private static func unreadable(_ model: VersionedModel) -> [CheckFinding] {
    model.unreadableVersions.filter { $0.value.kind != .xcode3Format }.sorted { $0.key < $1.key }
      .map { name, error in
        CheckFinding(
          .versionUnreadable, about: CheckFinding.Subject(version: name), error.note,
          advice: "Copy the store anew, with its -wal, or leave it out.")
      }
  }

  /// Every step is judged by the order: where that is a guess, so are the verdicts.
  private static func order(_ order: VersionOrder) -> [CheckFinding] {
    order.contradictions.map { contradiction in
      CheckFinding(
        .orderContradicted, about: CheckFinding.Subject(version: contradiction.claim.earlier),
        contradiction.text + taken(of: contradiction, in: order), advice: VersionOrder.advice)
    }
      + order.unknown.map { group in
        CheckFinding(
          .orderUnknown, about: CheckFinding.Subject(version: group[0]),
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
    let step = "\(order.names[places[0]]) -> \(order.names[places[1]])"
    let evidence = places[1] == places[0] + 1 ? order.evidence[places[0]] : nil
    return "; taken: \(step)" + (evidence.map { ", \($0.text)" } ?? "")
  }

  private static func currentNotNewest(
    _ model: VersionedModel, _ current: ManagedObjectModel
  ) -> [CheckFinding] {
    guard let newest = model.versions.last, newest !== current else { return [] }
    return [
      CheckFinding(
        .currentNotNewest, about: CheckFinding.Subject(version: current.shownName),
        "is the current version, but '\(newest.shownName)' is newer",
        advice: "Set the current version in Xcode, unless the newer one isn't released.")
    ]
  }

  /// One finding for all versions that are equal to each other.
  private static func equalVersions(_ model: VersionedModel) -> [CheckFinding] {
    EqualVersions.groups(among: model.versions).map {
      CheckFinding(
        .equalVersions, about: CheckFinding.Subject(version: $0[0].shownName),
        EqualVersions.text(of: $0.map(\.shownName)))
    }
  }

  private static func reusedIdentifiers(_ model: VersionedModel) -> [CheckFinding] {
    let typed = model.versions.filter { $0.versionIdentifiers.contains { !$0.isEmpty } }
    return EqualVersions.groups(typed) { $0.versionIdentifiers.joined(separator: ", ") }
      .filter { group in Set(group.map(\.versionHashesDigest)).count > 1 }
      .map { group in
        CheckFinding(
          .identifierReused, about: CheckFinding.Subject(version: group[0].shownName),
          "has the identifier '\(group[0].versionIdentifiers.joined(separator: ", "))', as "
            + group.dropFirst().map(\.shownName).joined(separator: ", ") + " has")
      }
  }

  private static func currentAssumed(
    _ note: ModelFileNote, _ current: ManagedObjectModel
  ) -> CheckFinding {
    finding(
      .currentAssumed, about: CheckFinding.Subject(version: current.shownName), of: note,
      note.line == nil ? note.message : "\(note.place): \(note.message)",
      advice: "Choose the current version in Xcode, and commit .xccurrentversion.")
  }

  private static func passedOver(_ note: ModelFileNote) -> CheckFinding {
    finding(.passedOver, about: CheckFinding.Subject(file: note.place), of: note, note.message)
  }

  private static func finding(
    _ rule: CheckRule, about subject: CheckFinding.Subject, of note: ModelFileNote,
    _ message: String, advice: String? = nil
  ) -> CheckFinding {
    var finding = CheckFinding(rule, about: subject, message, advice: advice)
    finding.place = FilePlace(file: note.file, line: note.line)
    return finding
  }
}
