/// What a call of `heavyweight reduce` came to.
struct ReductionReport: CommandReport, Sendable {
  /// How many of a kind are left, of how many there were.
  struct Count: Encodable {
    let left: Int
    let of: Int
  }

  struct Parts {
    let rows: Count
    let expectations: Count
    let steps: Count
    /// Nil for models that stay as they are.
    let entities: Count?
    let properties: Count?

    var json: JSONObject {
      [
        "rows": rows, "expectations": expectations, "steps": steps, "hops": steps,
        "entities": entities, "properties": properties,
      ]
    }

    /// In one line.
    var text: String {
      let all = [
        (rows, "row", "rows"), (expectations, "expectation", "expectations"),
        (steps, "step", "steps"),
      ]
      let ofModels = [(entities, "entity", "entities"), (properties, "property", "properties")]
        .compactMap { count, one, several in count.map { ($0, one, several) } }
      return (all + ofModels).map { count, one, several in
        "\(count.left) of \(count.of) \(count.of == 1 ? one : several)"
      }.joined(separator: ", ")
    }
  }

  let scenario: String
  let output: String
  let parts: Parts
  let hasModels: Bool
  let failure: FailureSignature
  let playedCount: Int
  let seconds: Double
  let end: End

  /// How a call ends.
  enum End {
    /// With the smallest that it finds.
    case finished
    /// At its deadline.
    case late
    /// By Control-C.
    case interrupted

    /// What is still to be said of it.
    fileprivate var remark: String {
      switch self {
      case .finished: ""
      case .late: "; time is up; the same command continues from here"
      case .interrupted: "; interrupted; the same command continues from here"
      }
    }
  }

  var json: JSONObject {
    [
      "format": 1, "scenario": scenario, "output": output, "left": parts.json, "failure": failure,
      "message": failure.text, "playedCount": playedCount, "seconds": seconds,
      "isFinished": end == .finished,
    ]
  }

  func text(style: TextStyle) -> String {
    """
    wrote \(output)
      \(parts.text)\(hasModels ? "" : "; the models stay as they are, since they aren't part of the scenario file")
      it still fails: \(failure.text)
      \(playedCount.counted("smaller scenario")) run in \(TimeText.text(seconds))\(end.remark)
    next: heavyweight run \(output)

    """
  }
}
