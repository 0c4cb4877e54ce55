extension CrashReport {
  /// The report for a person.
  func text(style: TextStyle) -> String {
    let lines =
      sweeps.flatMap { $0.lines(style) + [""] }
      + problems.map { style.bad("✗") + " \($0)" } + [ending(style)]
    return lines.map { $0 + "\n" }.joined()
  }

  private func ending(_ style: TextStyle) -> String {
    let points = sweeps.reduce(0) { $0 + $1.points.count }
    let counts =
      "\(sweeps.count.counted("migration")), \(points.counted("point")), \(plays.count.counted("play"))"
    let outcome =
      if brokenPlays.isEmpty {
        plays.isEmpty
          ? style.bad("nothing was tested")
          : sweeps.contains(where: { $0.runsStageHandlers || !$0.goneStores.isEmpty })
            ? style.notable("every promise that can be judged was kept")
            : style.good("every promise was kept")
      } else {
        style.bad("\(brokenPlays.count.counted("play")) broke a promise")
      }
    return "\(counts): \(outcome), in \(TimeText.text(seconds))"
  }
}

extension CrashSweepResult {
  fileprivate func lines(_ style: TextStyle) -> [String] {
    let isBroken = plays.contains { !$0.violations.isEmpty }
    let mark = isBroken ? style.bad("✗") : style.good("✓")
    let way = destination.map { "into \($0)" } ?? "in place"
    let head =
      "\(mark) \(style.strong(scenario)), from \(start), \(way): \(points.count.counted("point"))"
    return [head] + pointTable(style) + playTable(style) + remarks(style) + violations(style)
  }

  // MARK: Points

  private func pointTable(_ style: TextStyle) -> [String] {
    let kinds = FilePoint.Kind.allCases.filter { kind in points.contains { $0.kind == kind } }
    let callers = FilePoint.Caller.allCases.filter { caller in
      points.contains { $0.caller == caller }
    }
    let rows = callers.map { caller in
      [caller.text]
        + kinds.map { kind in
          count(points.filter { $0.caller == caller && $0.kind == kind }.count)
        }
    }
    return TextTable([["points"] + kinds.map(\.rawValue)] + rows).lines(style, indent: 4)
  }

  // MARK: Plays

  private func playTable(_ style: TextStyle) -> [String] {
    let faults = CrashFault.allCases.filter { fault in plays.contains { $0.fault == fault } }
    let states = CrashPlay.State.allCases.filter { state in
      state != .other || plays.contains { $0.state == .other }
    }
    let rows = faults.map { fault in
      let own = plays.filter { $0.fault == fault }
      return [fault.rawValue, "\(own.count)"]
        + states.map { state in count(own.filter { $0.state == state }.count) }
        + [count(own.filter { $0.ending == .failed }.count)]
        + [count(own.filter { !$0.violations.isEmpty }.count)]
    }
    let head = ["fault", "plays"] + states.map(\.rawValue) + ["errors", "promises broken"]
    return TextTable([head] + rows).lines(style, indent: 4)
  }

  private func count(_ number: Int) -> String { number == 0 ? "-" : "\(number)" }

  // MARK: Remarks

  private func remarks(_ style: TextStyle) -> [String] {
    var remarks: [String] = []
    if hasPolicies {
      remarks.append(
        "faults in an app's code are made where it moves, links, removes and makes files and folders, and in "
          + "SQLite; not where it writes with Data, FileManager.createFile, FileHandle or streams, nor outside "
          + "NSTemporaryDirectory()")
    }
    if runsStageHandlers {
      remarks.append(
        "not judged: what a fault between two saves of a stage's handler leaves behind; handlers work on a copy here, and "
          + "on a device probably on the store itself: have a handler save once, or make it repeatable"
      )
    }
    if !goneStores.isEmpty {
      remarks.append(
        "not judged: what becomes of \(goneStores.joined(separator: ", ")): the app has removed it by the end; leave it in "
          + "its place"
      )
    }
    let left = plays.filter { $0.leftByApp > 0 }.count
    if left > 0 {
      remarks.append("after \(left.counted("play")) an app's code left temporary files behind")
    }
    if !undetermined.isEmpty {
      remarks.append(
        "not compared, since they change from run to run: \(undetermined.joined(separator: ", "))")
    }
    return remarks.map { "    " + style.notable($0) }
  }

  // MARK: What was broken

  /// As many as a person reads; the report for machines has all.
  private static let mostShown = 20

  private func violations(_ style: TextStyle) -> [String] {
    let broken = plays.filter { !$0.violations.isEmpty }
    var shown: [String] = []
    for play in broken.prefix(Self.mostShown) {
      let point = points[play.point - 1]
      shown.append(style.bad("    ✗ point \(play.point) of \(points.count): \(point.text)"))
      shown.append("        fault     \(play.text(at: point))")
      for violation in play.violations {
        let found = violation.found.replacing("\n", with: "\n                  ")
        shown.append("        promise   \(violation.promise.text)")
        shown.append("        expected  \(violation.expected)")
        shown.append("        found     \(found)")
      }
      shown.append("        again     \(command(play))")
    }
    let more = broken.count - Self.mostShown
    return shown + (more > 0 ? ["    and \(more.counted("play")) more; --json lists all"] : [])
  }
}

extension FilePoint {
  /// The operation, its file, and what the migration was about.
  var text: String {
    let size = bytes.map { " of \(ByteText.text(Int64($0)))" } ?? ""
    let way = destination.map { " to \($0)" } ?? ""
    return "\(kind.rawValue) \(file)\(way)\(size), by \(caller.text), at \(part)"
  }
}

extension FilePoint.Caller {
  fileprivate var text: String {
    switch self {
    case .sqlite: "SQLite"
    case .engine: "the engine"
    case .app: "the app"
    }
  }
}

extension CrashPlay {
  fileprivate func text(at point: FilePoint) -> String {
    let what =
      switch fault {
      case .kill where isHalfway && point.hidesNext: "the process is killed right after it"
      case .kill: "the process is killed \(isHalfway ? "halfway through it" : "before it")"
      case .eio: "it fails: input/output error"
      case .enospc: "it fails: no space left on the device"
      case .short: "half is written, then it fails: no space left on the device"
      case .fsync: "it fails, and what was written may not be on the disk"
      }
    return "\(fault.rawValue): \(what)"
  }
}

extension CrashPlay.Promise {
  fileprivate var text: String {
    switch self {
    case .source: "the source is unchanged"
    case .result: "the result is the old state or the whole new one"
    case .error: "the error is reported, and is right"
    case .leftovers: "nothing is left over"
    case .retry: "the next start completes the migration"
    case .appStores: "the app's store is in its place, old or whole"
    case .point: "every run meets the same points"
    }
  }
}
