/// The chain of a run as a picture: versions from top to bottom, steps between them, and where it
/// broke. As wide as a phone, whatever the number of steps.
struct ChainPicture {
  let result: RunResult
  /// Tells the pictures of one page apart.
  let identifier: String

  private static let width = 340
  private static let boxHeight = 40
  private static let gap = 52
  /// Of a long chain this many steps are drawn at either end, and around what went wrong.
  private static let mostAtEnds = 3
  private static let mostSteps = 10

  /// One step as it is drawn.
  private struct Step {
    enum State: String { case passed, broken, wrong, missing }
    let source: String
    let destination: String
    let state: State
    let label: String
    let note: String
  }

  func svg() -> String {
    let rows = self.rows
    let boxes = rows.count + 1
    let height = boxes * Self.boxHeight + rows.count * Self.gap + 4
    let title = "title-\(identifier)"
    return """
      <svg class="chain" role="img" aria-labelledby="\(title)" \
      viewBox="0 0 \(Self.width) \(height)" xmlns="http://www.w3.org/2000/svg">
      <title id="\(title)">\(description.markupEscaped)</title>
      \(parts(rows).joined(separator: "\n"))
      </svg>
      """
  }

  // MARK: Steps

  private var steps: [Step] {
    let planned = result.plan.isEmpty ? result.executedSteps.map(\.name) : result.plan
    let executed = Dictionary(firstOf: result.executedSteps.map { ($0.name, $0) })
    let wrong = Set(result.failures.compactMap { $0.origin?.step })
    let died = Set(result.failures.filter(\.kind.endsTheRun).compactMap(\.step))
    return planned.map { name in
      let ends = StepEnds(name)
      let found = executed[name]
      let state: Step.State =
        if found?.errorText != nil || (found == nil && died.contains(name)) {
          .broken
        } else if found == nil {
          .missing
        } else if wrong.contains(name) { .wrong } else { .passed }
      return Step(
        source: ends?.source ?? name, destination: ends?.destination ?? name, state: state,
        label: found.map(label) ?? (state == .broken ? "the process ended here" : "not executed"),
        note: found.map(note) ?? "")
    }
  }

  private func label(_ executed: ExecutedStep) -> String {
    guard let mapping = executed.mapping else { return "no mapping" }
    if mapping == .inferred { return "inferred" }
    return "custom: \(executed.mappingNames.joined(separator: ", "))"
  }

  private func note(_ executed: ExecutedStep) -> String {
    if let error = executed.errorText { return error }
    let objects = executed.destinationObjectCount.map {
      "\(executed.sourceObjectCount) → \($0) objects"
    }
    return [objects, TimeText.text(executed.seconds)].compactMap(\.self).joined(separator: ", ")
  }

  /// What is drawn from top to bottom: steps, and numbers of steps left out.
  private enum Row {
    case step(Step)
    case skipped(Int, from: String, to: String)

    var source: String {
      switch self {
      case .step(let step): step.source
      case .skipped(_, let from, _): from
      }
    }
  }

  private var rows: [Row] {
    let steps = steps
    guard steps.count > Self.mostSteps else { return steps.map { .step($0) } }
    let shown = steps.indices.filter { index in
      index < Self.mostAtEnds || index >= steps.count - Self.mostAtEnds
        || steps[max(0, index - 1)...min(steps.count - 1, index + 1)].contains {
          $0.state == .broken || $0.state == .wrong
        }
    }
    var rows: [Row] = []
    var next = 0
    for index in shown {
      if index > next {
        rows.append(
          .skipped(index - next, from: steps[next].source, to: steps[index - 1].destination))
      }
      rows.append(.step(steps[index]))
      next = index + 1
    }
    return rows
  }

  private var description: String {
    if steps.isEmpty { return "No step to execute" }
    return steps.count > Self.mostSteps
      ? "A chain of \(steps.count) steps from \(steps[0].source) to "
        + "\(steps[steps.count - 1].destination)"
      : steps.map { "\($0.source) to \($0.destination): \($0.label), \($0.state.rawValue)" }
        .joined(separator: "; ")
  }

  // MARK: Shapes

  private func parts(_ rows: [Row]) -> [String] {
    let first = rows.first?.source ?? result.id.start
    var parts = [box(first, top: 2, state: .passed, isReached: true)]
    var top = 2 + Self.boxHeight
    var isReached = true
    for row in rows {
      switch row {
      case .step(let step):
        isReached = isReached && (step.state == .passed || step.state == .wrong)
        parts.append(arrow(step, top: top))
        parts.append(
          box(step.destination, top: top + Self.gap, state: step.state, isReached: isReached))
      case .skipped(let count, _, let to):
        parts.append(dots(count, top: top))
        parts.append(box(to, top: top + Self.gap, state: .passed, isReached: isReached))
      }
      top += Self.gap + Self.boxHeight
    }
    return parts
  }

  private func box(_ name: String, top: Int, state: Step.State, isReached: Bool) -> String {
    let style = isReached ? (state == .wrong ? "version wrong" : "version") : "version missing"
    return """
      <g class="\(style)"><rect x="2" y="\(top)" width="132" height="\(Self.boxHeight)" rx="10"/>\
      <text x="68" y="\(top + 25)" text-anchor="middle">\(short(name, 15))<title>\
      \(name.markupEscaped)</title></text></g>
      """
  }

  private func arrow(_ step: Step, top: Int) -> String {
    let (start, end) = (top + 3, top + Self.gap - 4)
    let mark =
      step.state == .broken
      ? "<path class=\"cross\" d=\"M61 \(top + 19)l14 14m0 -14l-14 14\"/>" : ""
    return """
      <g class="step \(step.state.rawValue)"><path d="M68 \(start)V\(end - 2)"/>\
      <path d="M62 \(end - 7)l6 8l6 -8"/>\(mark)\
      <text x="90" y="\(top + 22)">\(short(step.label, 36))<title>\(step.label.markupEscaped)\
      </title></text><text class="note" x="90" y="\(top + 40)">\(short(step.note, 40))</text></g>
      """
  }

  private func dots(_ count: Int, top: Int) -> String {
    """
    <g class="step dots"><path d="M68 \(top + 3)V\(top + Self.gap - 5)"/>\
    <text class="note" x="90" y="\(top + 31)">\(count) more steps</text></g>
    """
  }

  /// A picture's text doesn't wrap.
  private func short(_ text: String, _ length: Int) -> String {
    (text.count > length ? text.prefix(length - 1) + "…" : text[...]).description.markupEscaped
  }
}

extension Failure.Kind {
  /// Whether the process of the run ended with it.
  package var endsTheRun: Bool { [.crash, .timeout, .memory].contains(self) }
}
