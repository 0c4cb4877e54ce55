/// What `heavyweight lock --check` found, without what was accepted.
struct LockReport {
  let lock: ModelLock
  let findings: [LockFinding]
  let silenced: [LockFinding]
  /// Entries about findings of `lock` alone that silence nothing. What `check` shares with it, `check`
  /// tells.
  let unused: [Silencing]

  init(_ lock: ModelLock, _ all: [LockFinding], _ silencings: [Silencing]) {
    self.lock = lock
    func isAccepted(_ finding: LockFinding) -> Bool {
      silencings.contains { $0.applies(to: finding) }
    }
    findings = all.filter { !isAccepted($0) }
    silenced = all.filter(isAccepted)
    unused = silencings.filter { silencing in
      !silencing.isOfCheck && !all.contains(where: silencing.applies)
    }
  }

  var exitStatus: ExitStatus { errorCount == 0 ? .passed : .failed }

  private var errorCount: Int { findings.count { $0.severity == .error } }

  func text(_ style: TextStyle) -> String {
    let notes = unused.map { "note: \($0.shownPlace): silences nothing: \($0.what)" }
    let more = silenced.isEmpty ? "" : ", \(silenced.count) accepted"
    let result =
      errorCount == 0
      ? style.good("\(lock.summary): nothing changed\(more)")
      : style.bad("\(lock.summary): \(errorCount.counted("error"))\(more)")
    return (findings.map { $0.line(style) } + notes + [result]).joined(separator: "\n")
  }
}

extension ModelLock {
  /// `3 versions locked, current App 3`.
  var summary: String {
    let stores = stores.map { ", \($0.count.counted("store"))" } ?? ""
    return "\(versions.count.counted("version"))\(stores) locked, current \(current)"
  }
}

// MARK: - A page

extension LockReport {
  /// What the page shows beside the findings: each locked version, and what became of it.
  var sections: [PageSection] {
    let rows = lock.versions.map { version in
      let kinds = (findings + silenced).filter { $0.step == nil && $0.version == version.name }
        .map(\.kind.rawValue).uniqued()
      return [
        version.name, "\(version.entities.count)", version.name == lock.current ? "yes" : "",
        kinds.isEmpty ? "as it was locked" : kinds.joined(separator: ", "),
      ]
    }
    let head = ["version", "entities", "current", "now"]
    return [.table("Locked versions", TextTable([head] + rows, left: [0, 2, 3]))]
  }
}
