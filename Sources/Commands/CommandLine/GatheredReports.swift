import Synchronization

/// The reports of one command on several models, which are told as one: the texts one after the other, and for machines
/// `{ "format": 1, "models": […], "exitStatus": 1 }` with what the command says of each.
final class GatheredReports: Sendable {
  @TaskLocal static var current: GatheredReports?

  private struct Content {
    var documents: [Data] = []
    var findings: [ToldFindings] = []
    var status = ExitStatus.nothingFound
    var told: ExitStatus { status == .nothingFound ? .nothingChecked : status }
  }
  private let content = Mutex(Content())

  func add(_ document: Data) { content.withLock { $0.documents.append(document) } }
  func add(_ findings: ToldFindings) { content.withLock { $0.findings.append(findings) } }

  /// Of several the worst counts.
  /// - Parameter status: Nothing found where there was nothing to do for a model, which doesn't count beside others.
  func add(_ status: ExitStatus) {
    content.withLock {
      if Self.weight(of: status) > Self.weight(of: $0.status) { $0.status = status }
    }
  }

  private static func weight(of status: ExitStatus) -> Int {
    let known: [ExitStatus] = [
      .nothingFound, .passed, .nothingChecked, .reportNotWritten, .notJudged, .failed,
    ]
    return known.firstIndex(of: status) ?? known.count
  }

  /// Writes what is for machines, at the end.
  func publish(to outputs: CommandOutputs) throws -> ExitStatus {
    let content = content.withLock(\.self)
    return try GatheredReports.$current.withValue(nil) {
      try outputs.publish(
        text: { Data() }, json: { document() }, findings: ToldFindings(content.findings),
        content.told)
    }
  }

  /// The document, with the report on one more model that is under way.
  func document(with last: Data? = nil) -> Data {
    let content = content.withLock(\.self)
    // Strings in it have no line breaks.
    let documents = (content.documents + [last].compactMap(\.self)).map { document in
      String(decoding: document, as: UTF8.self).split(separator: "\n").map { "    \($0)" }
        .joined(separator: "\n")
    }
    let text = """
      {
        "exitStatus" : \(content.told.rawValue),
        "format" : 1,
        "models" : [
      \(documents.joined(separator: ",\n"))
        ]
      }

      """
    return Data(text.utf8)
  }
}

extension ToldFindings {
  /// Those about several files as one; nil for none.
  fileprivate init?(_ all: [ToldFindings]) {
    guard let first = all.first else { return nil }
    self.init(
      command: first.command, file: all.map(\.file).joined(separator: ", "),
      findings: all.flatMap { told in
        told.findings.map { finding in
          var finding = finding
          finding.place = finding.place ?? FilePlace(file: told.file)
          return finding
        }
      }, isFailure: all.contains(where: \.isFailure), sections: all.flatMap(\.sections))
  }
}
