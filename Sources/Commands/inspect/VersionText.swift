/// What a report says about a store's version.
struct VersionText {
  private let report: InspectReport

  init(_ report: InspectReport) { self.report = report }

  var facts: [ReportFact] {
    [ReportFact("version", version)] + order + nearest + identifiers + [
      ReportFact("checked with", basis)
    ]
  }

  private var version: String {
    guard let version = report.version else {
      return "not looked up; --models finds it among the versions of an app's model"
    }
    guard let best = version.best else { return noVersion(version) }
    guard version.matches.count > 1 else { return text(of: best) }
    let names = version.matches.map(\.name).joined(separator: ", ")
    return "\(names): equal to Core Data\n\(choice(of: best, in: version))"
  }

  private func noVersion(_ version: StoreVersion) -> String {
    let metadata = report.inspection.metadata
    if metadata.entityHashes == nil, !metadata.hasModelCache {
      return "unknown: the store has neither version hashes nor a model of its own"
    }
    let text =
      version.candidateCount == 1
      ? "not the one in \(version.origin)"
      : "none of the \(version.candidateCount) in \(version.origin)"
    return version.nearest == nil ? "\(text), with which it has no entity in common" : text
  }

  private func text(of match: StoreVersion.Match) -> String {
    let configuration = match.match.configuration.map { ", configuration \($0)" } ?? ""
    let evidence =
      switch match.match.evidence {
      case .hashes: "by its version hashes"
      case .modelCache:
        "by the store's own model, feature by feature, since not all hashes can be computed"
      case .someHashes: "by those version hashes that can be computed"
      }
    return "\(match.name)\(configuration), \(evidence)"
  }

  /// Why one of several equal versions is the likeliest.
  private func choice(of best: StoreVersion.Match, in version: StoreVersion) -> String {
    let others = version.matches.filter { $0.name != best.name }.map(\.match)
    if best.match.differences?.isEmpty == true,
      others.allSatisfy({ $0.differences?.isEmpty == false })
    {
      return "\(best.name) is most likely: the store's own model is the same in everything else"
    }
    if best.match.hasEqualIdentifiers, others.allSatisfy({ !$0.hasEqualIdentifiers }) {
      return "\(best.name) is most likely: the store has its identifier"
    }
    return "nothing in the store tells them apart"
  }

  /// The version's place among all, and how it is known.
  private var order: [ReportFact] {
    guard let version = report.version, let order = version.order, order.names.count > 1,
      let name = version.best?.match.model.name, let place = order.names.firstIndex(of: name)
    else { return [] }
    let neighbours = [place - 1, place].filter(order.evidence.indices.contains).map { index in
      "\(order.names[index]) -> \(order.names[index + 1]), "
        + (order.evidence[index]?.text ?? "which is a guess")
    }
    let lines = ["\(place + 1) of \(order.names.count): " + neighbours.joined(separator: "; ")]
    return [ReportFact("order", (lines + order.problems).joined(separator: "\n"))]
  }

  /// Of a difference no more is shown.
  private static let mostLines = 40

  private var nearest: [ReportFact] {
    guard let (name, near) = report.version?.nearest else { return [] }
    let lists = [
      ("changed", near.changed), ("only in the store", near.onlyInStore),
      ("only in the model", near.onlyInModel),
    ]
    let entities = lists.filter { !$0.1.isEmpty }
      .map { "\($0.0): \($0.1.joined(separator: ", "))" }
    let details = near.differences.map { differences in
      differences.isEmpty
        ? [] : ["from the store's own model to \(name):"] + differences.description.lines
    }
    let all =
      details ?? [
        "which properties differ isn't known: the store's own model "
          + (report.inspection.metadata.hasModelCache ? "can't be read" : "is missing")
      ]
    let more = all.count - Self.mostLines
    let shown =
      all.prefix(Self.mostLines) + (more > 0 ? ["… and \(more) more; --json has all"] : [])
    let lines = [name] + entities + shown
    return [ReportFact("nearest", lines.joined(separator: "\n"))]
  }

  private var identifiers: [ReportFact] {
    let names = report.inspection.metadata.versionIdentifiers.filter { !$0.isEmpty }
    return names.isEmpty ? [] : [ReportFact("identifier", names.joined(separator: ", "))]
  }

  private var basis: String {
    switch report.basis {
    case .version(let name): "the model \(name)"
    case .modelCache: "the model in the store itself"
    case .nothing:
      report.inspection.metadata.hasModelCache
        ? "no model: the store's own can't be read"
        : "no model: the store has none of its own, so values and relationships weren't looked "
          + "at" + (report.version == nil ? "; give --models" : "")
    }
  }
}

extension String {
  fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}
