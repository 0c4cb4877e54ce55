/// What a child process is asked to do: one run of one scenario.
struct PlayRequest: Codable {
  /// The scenario file, and how reports call it.
  let scenario: String
  let shownPath: String
  let start: String
  let backend: Backend
  /// Where the run's stores go.
  let folder: String
  /// The folder of the files below.
  let workFolder: String

  /// The file with the answer; absent when the process ended before it had one.
  var answerFile: URL { file("answer") }
  /// Where the process was: see ``FlightRecorder`` and ``PlayLog``.
  var recorderFile: URL { file("recorder") }
  var logFile: URL { file("log") }
  /// What the process printed.
  var outputFile: URL { file("output") }

  private func file(_ name: String) -> URL {
    URL(fileURLWithPath: workFolder).appending(path: name)
  }
}

/// What a child process answers.
struct PlayAnswer: Codable {
  let result: RunResult
  let contents: [StoredContent]

  func write(to file: URL) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try encoder.encode(self).write(to: file, options: .atomic)
  }

  static func read(_ file: URL, for scenario: CheckedScenario) throws -> PlayAnswer {
    let decoder = PropertyListDecoder()
    let source = scenario.scenario.file
    decoder.userInfo[.sourceFiles] = [source.path: source]
    return try decoder.decode(PlayAnswer.self, from: try Data(contentsOf: file))
  }
}
