/// What `heavyweight lock` found, without what was accepted.
struct LockReport: CommandReport {
  let lock: ModelLock
  let findings: [LockFinding]
  let silenced: [LockFinding]
  /// Entries about findings of `lock` alone that silence nothing. What `check` shares with it, `check`
  /// tells.
  let unused: [Silencing]
  /// What was done to the manifest, and what the command ends with; nil where the model was compared with it.
  var writing: (text: String, status: ExitStatus)?

  init(_ lock: ModelLock, findings all: [LockFinding], silencings: [Silencing]) {
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

  var exitStatus: ExitStatus { writing?.status ?? (errorCount == 0 ? .passed : .failed) }

  private var errorCount: Int { findings.count { $0.severity == .error } }

  func text(style: TextStyle) -> String {
    if let writing { return writing.text + "\n" }
    let notes = unused.map { "note: \($0.shownPlace): silences nothing: \($0.what)" }
    let more = silenced.isEmpty ? "" : ", \(silenced.count) accepted"
    let result =
      errorCount == 0
      ? style.good("\(lock.summary): nothing changed\(more)")
      : style.bad("\(lock.summary): \(errorCount.counted("error"))\(more)")
    return (findings.map { $0.line(style) } + notes + [result]).map { $0 + "\n" }.joined()
  }
}

extension LockReport {
  var json: JSONObject {
    [
      "format": 1, "model": lock.model, "current": lock.current,
      "versions": lock.versions.map(\.name),
      "stores": lock.stores?.map { ["path": $0.path, "version": $0.version] as JSONObject },
      "findings": findings.map(\.json),
      "accepted": silenced.map(\.json), "exitStatus": exitStatus.rawValue,
    ]
  }
}

extension LockFinding {
  fileprivate var json: JSONObject {
    [
      "kind": kind.rawValue, "severity": severity.rawValue,
      // The version, the step, or the place of a store.
      "version": version, "entity": entity, "property": property, "message": message,
    ]
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
