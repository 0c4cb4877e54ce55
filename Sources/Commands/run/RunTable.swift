/// The runs of a scenario in columns.
///
/// Backends that did the same, and failed in the same way if they failed, share their lines.
struct RunTable {
  /// Runs that are told together.
  struct Row {
    let results: [RunResult]
    /// The start of an earlier row that failed in just this way.
    var sameAs: String?
    /// The starts of later rows that failed in just this way.
    var later: [String] = []
    /// That they did, where there are any.
    var laterLines: [String] {
      later.isEmpty ? [] : FailureText.labelled("alike", "from \(later.joined(separator: ", "))")
    }
    var isPassed: Bool { results.allSatisfy(\.isPassed) }
  }

  let rows: [Row]
  private let nameWidth: Int
  private let stepWidth: Int
  private let objectsWidth: Int

  init(_ results: [RunResult]) {
    rows = Self.alike(results.grouped(by: \.start).flatMap(Self.rows))
    nameWidth = rows.map { Self.name(of: $0).count }.max() ?? 0
    let steps = results.flatMap(\.executedSteps)
    stepWidth = steps.map(\.name.count).max() ?? 0
    objectsWidth = steps.map { Self.objects(of: $0).count }.max() ?? 0
  }

  private static func rows(_ results: [RunResult]) -> [Row] {
    if Set(results.map(shape)).count == 1 { return [Row(results: results)] }
    return results.map { Row(results: [$0]) }
  }

  /// Finds rows that failed alike: a defect of one step concerns all stores that take it.
  private static func alike(_ rows: [Row]) -> [Row] {
    var rows = rows
    var first: [[String]: Int] = [:]
    for index in rows.indices where !rows[index].isPassed {
      let result = rows[index].results[0]
      let shape =
        rows[index].results.map(\.id.backend.rawValue) + failureShape(result)
        + result.failures.flatMap(subject)
      guard let earlier = first[shape] else {
        first[shape] = index
        continue
      }
      // What only this one has to say isn't to be lost.
      let told = Set(rows[earlier].results[0].executedSteps.flatMap(\.remarks))
      guard told.isSuperset(of: result.executedSteps.flatMap(\.remarks)) else { continue }
      rows[index].sameAs = rows[earlier].results[0].id.start
      rows[earlier].later.append(rows[index].results[0].id.start)
    }
    return rows
  }

  /// All that a report says of a run, but for the backend and the time.
  private static func shape(_ result: RunResult) -> [String] {
    result.executedSteps.map { "\($0.name) \($0.mapping?.rawValue ?? "") \(objects(of: $0))" }
      + failureShape(result)
  }

  /// What a failure is about. Notes name objects, and a direct step its start, in which runs from other starts differ;
  /// where no property is known, as of several errors or a crash, they must be the same.
  private static func subject(_ failure: Failure) -> [String] {
    let code = failure.code.map { "\($0)" } ?? ""
    guard let target = failure.target, let property = target.property else {
      return failure.notes + [failure.step ?? "", code]
    }
    return [target.entity ?? "", property, code]
  }

  private static func failureShape(_ result: RunResult) -> [String] {
    result.failures.map { failure in
      let place = failure.place.map { "\($0)" } ?? ""
      let facts =
        "\(failure.kind) \(place) \(failure.subject) \(failure.expected) \(failure.found)"
      return
        "\(facts) \(failure.origin?.step ?? "") \(failure.hints) \(failure.history.map(\.value))"
    }
  }

  // MARK: Lines

  /// That a row failed as an earlier one did, in one line.
  func line(for row: Row, sameAs start: String) -> String {
    "\(Self.name(of: row).padded(to: nameWidth))  fails as from \(start)  \(times(of: row))"
  }

  /// One line per step, the first with the name and the times.
  func lines(for row: Row) -> [String] {
    let name = Self.name(of: row)
    let head = name.isEmpty ? "" : name.padded(to: nameWidth) + "  "
    let indent = String(repeating: " ", count: head.count)
    let steps = row.results.first?.executedSteps ?? []
    if steps.isEmpty { return ["\(head)\(absence(of: row))  \(times(of: row))"] }
    return steps.enumerated().map { index, step in
      index == 0
        ? "\(head)\(text(step))  \(times(of: row))" : indent + text(step).trimmingTrailingSpaces
    }
  }

  /// Why no step is listed: of a process that ended nothing is known but where.
  private func absence(of row: Row) -> String {
    let end = row.results.first?.failures.first { $0.kind.endsTheRun }
    guard let end else { return "no step to execute" }
    return end.step.map { "ended in \($0)" } ?? "ended at its start"
  }

  /// `v1 -> v2  custom    2 -> 4 objects`.
  private func text(_ step: ExecutedStep) -> String {
    let mapping = (step.mapping?.rawValue ?? "no mapping").padded(to: 8)
    let objects = Self.objects(of: step).padded(to: objectsWidth)
    return "\(step.name.padded(to: stepWidth))  \(mapping)  \(objects)"
  }

  private static func objects(of step: ExecutedStep) -> String {
    let source = step.sourceObjectCount
    if let error = step.errorText { return "\(source.counted("object")), \(error)" }
    guard let destination = step.destinationObjectCount else { return source.counted("object") }
    return "\(source) -> \(destination.counted("object"))"
  }

  private func times(of row: Row) -> String {
    row.results.map { "\($0.id.backend.rawValue) \(TimeText.text($0.seconds))" }
      .joined(separator: ", ")
  }

  private static func name(of row: Row) -> String {
    guard let id = row.results.first?.id, id.hasSeveralStarts else { return "" }
    return "from \(id.start)"
  }
}
