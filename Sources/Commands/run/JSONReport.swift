/// A report for machines.
package struct JSONReport {
  /// Which part of the scenarios it is about.
  struct Part: Codable {
    let number: Int
    let total: Int
    /// All of the report, from which `report` makes one of all parts in any form.
    let result: SuiteReport
  }

  private let report: SuiteReport
  private let date: Date?
  private let commit: String?

  /// - Parameters:
  ///   - date: When the report was made.
  ///   - commit: The commit of what was tested, where that is known.
  package init(_ report: SuiteReport, date: Date? = nil, commit: String? = nil) {
    self.report = report
    self.date = date
    self.commit = commit
  }

  /// The report as JSON with sorted keys.
  package func data() throws -> Data { try json.machineReport() }

  private var json: JSONObject {
    [
      "format": 1, "date": date, "commit": commit, "summary": report.summary,
      "runs": report.results.map(\.json),
      "notRunnable": report.problems.map { problem -> JSONObject in
        [
          "path": problem.path, "problem": problem.text, "isMissingFile": problem.isMissingFile,
        ]
      },
      "skipped": report.skipped.map { skipped -> JSONObject in
        [
          "path": skipped.path, "address": "\(skipped.address)", "title": skipped.title,
          "reason": skipped.reason,
        ]
      },
      "leftOut": report.leftOut.map { ["option": $0.option, "count": $0.count] as JSONObject },
      "shard": report.shard.map { Part(number: $0.number, total: $0.total, result: report) },
    ]
  }
}

extension JSONReport: ReportFormat {
  package static let destination = ReportDestination.file

  package static func content(of report: SuiteReport) throws -> ReportContent {
    ReportContent(
      data: try JSONReport(report, date: Date(), commit: CheckedOutCommit.name()).data())
  }
}

extension SuiteReport {
  fileprivate var summary: JSONObject {
    [
      "scenarios": counts.scenarios, "runs": counts.runs, "passed": counts.passed,
      "failed": counts.failed, "notRunnable": counts.notRunnable, "skipped": counts.skipped,
      "seconds": seconds, "exitStatus": exitStatus.rawValue,
    ]
  }
}

extension RunResult {
  fileprivate var json: JSONObject {
    let isDifferent = failures.contains { $0.kind == .backendsDiffer }
    let steps = executedSteps.map(\.json)
    return [
      "path": id.path, "address": "\(id.address)", "title": id.title, "covers": id.covers,
      "start": id.start, "backend": id.backend.rawValue, "passed": isPassed,
      "expectationsChecked": checkCount, "seconds": seconds, "plan": plan,
      "steps": steps, "hops": steps, "output": output, "failures": failures.map(\.json),
      "notes": notes, "undetermined": undetermined,
      "reopening": reopening.map { reopening -> JSONObject in
        [
          // The version whose model it was opened with.
          "version": reopening.version, "objects": reopening.objectCount,
          "unchanged": reopening.isUnchanged,
        ]
      },
      "command": id.command(on: isDifferent ? Backend.allCases : [id.backend]), "folder": folder,
    ]
  }
}

extension Failure {
  fileprivate var json: JSONObject {
    [
      "kind": kind.rawValue, "file": place?.file.path, "line": place?.line,
      "column": place?.column, "step": step, "subject": subject, "expected": expected,
      "found": found, "notes": notes, "target": target, "pass": pass, "origin": origin,
      "history": history, "code": code,
      "hints": hints.compactMap(Explanation.find).map { explanation -> JSONObject in
        [
          "identifier": explanation.identifier, "name": explanation.name,
          "remedy": explanation.remedies.first ?? explanation.meaning,
        ]
      },
    ]
  }
}
