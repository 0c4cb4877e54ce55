/// What a worker is asked to do.
package enum WorkerRequest: Codable {
  case play(PlayRequest)
  case open(OpenRequest)
  /// Do what a command asks for in the file ``ExchangeFiles/request``.
  case command(ExchangeFiles)

  /// The scenario that it is about, if it is about one.
  var scenario: ScenarioAddress? {
    switch self {
    case .play(let request): request.scenario.address
    case .open(let request): request.scenario.address
    case .command: nil
    }
  }

  /// Where compiled policies are; nil for the usual place.
  var policyFolder: URL? {
    if case .play(let request) = self { request.policyFolder } else { nil }
  }

  /// The folder of what the processes tell each other.
  var files: ExchangeFiles {
    switch self {
    case .play(let request): request.files
    case .open(let request): request.files
    case .command(let files): files
    }
  }
}

/// The files by which a process and its worker tell each other more than fits a message.
package struct ExchangeFiles: Codable {
  let folder: String
  /// What the files' names begin with.
  private var prefix = ""

  init(folder: String) { self.folder = folder }

  /// Those by which another process is told to open the store of a run that has its own files in the folder.
  var forOpening: ExchangeFiles {
    var files = self
    files.prefix = "opening-"
    return files
  }

  /// The file with a request that may be longer than a message.
  package var request: URL { file("request") }
  /// The file with the answer; absent when the process ended before it had one.
  package var answer: URL { file("answer") }
  /// Where the process was: see ``FlightRecorder`` and ``PlayLog``.
  var recorder: URL { file("recorder") }
  var log: URL { file("log") }
  /// The exception that a hook raised first: see ``ErrorWatch``.
  var raised: URL { file("raised") }
  /// The line in which the process aborted: see ``ErrorWatch``.
  var aborted: URL { file("aborted") }
  /// What the process printed.
  var output: URL { file("output") }
  /// What the process needs only while it plays.
  var scratch: URL { file("scratch") }

  var printed: String { PrintedText.of(output) }

  private func file(_ name: String) -> URL {
    URL(fileURLWithPath: folder, isDirectory: true).appending(
      path: prefix + name, directoryHint: .notDirectory)
  }
}

/// A scenario's file, as another process is told of it.
package struct RequestedScenario: Codable, Sendable {
  let path: String
  /// How reports call it.
  package let shownPath: String
  /// Which one of the file's scenarios; nil for the only one.
  let number: Int?
  /// What paths in it are relative to, if that isn't the folder it is in.
  let pathsFolder: URL?

  package init(_ scenario: Scenario) {
    path = scenario.fileURL.path
    shownPath = scenario.file.path
    number = scenario.number
    pathsFolder = scenario.elsewhere.map { _ in scenario.folder }
  }

  var url: URL { URL(fileURLWithPath: path) }
  var address: ScenarioAddress { ScenarioAddress(path: shownPath, number: number) }

  /// - Throws: As ``CheckedScenario/load(contentsOf:shownAs:number:pathsIn:)``.
  package func load() throws -> CheckedScenario {
    try .load(contentsOf: url, shownAs: shownPath, number: number, pathsIn: pathsFolder)
  }
}

/// Play one run of one scenario.
package struct PlayRequest: Codable {
  let scenario: RequestedScenario
  let start: String
  let backend: Backend
  /// Where the run's stores go.
  let folder: String
  /// Where compiled policies are, and stores of earlier runs if they may be used.
  let policyFolder: URL?
  /// Digests of the modules that policies are compiled against: to read them takes longer than many a run.
  var engineDigests: [String: Data] = [:]
  let stores: StoreCache?
  let files: ExchangeFiles
  /// How many objects the seed makes by rule; nil for as many as the file says.
  let objects: Int?
  /// Whether the answer is to have the contents of all versions, which somebody compares.
  let wantsContents: Bool
  /// Whether the answer is to have the steps' plans.
  let explainsSteps: Bool
  /// The deliberate fault to make in what the scenario names; nil to play it as it is.
  var mutation: Mutation?
}

/// Open the store of a finished run again.
package struct OpenRequest: Codable {
  let scenario: RequestedScenario
  let ending: StoreEnding
  let files: ExchangeFiles
  var mutation: Mutation?
}

/// What a worker answers after it has opened a store.
struct OpenAnswer: Codable {
  let problem: ReopeningProblem?
}

/// What a worker answers after it has played a run.
struct PlayAnswer: Codable {
  let result: RunResult
  let contents: [StoredContent]
  let ending: StoreEnding?
  /// Whether the process goes on to find out more, and has said all that matters.
  var isReplaying = false

  /// - Parameter withContents: Whether the contents come along: of a large store they take longer than
  ///   much of the run.
  init(_ played: PlayedRun, withContents: Bool, isReplaying: Bool = false) throws {
    result = played.result
    contents =
      withContents
      ? try played.snapshots.map { try StoredContent(stage: $0.stage, $0.content) } : []
    ending = played.ending
    self.isReplaying = isReplaying
  }

  func write(to file: URL) throws { try ProcessAnswer.write(self, to: file) }

  static func read(
    _ file: URL, for scenario: CheckedScenario, within limits: RunLimits
  ) throws -> PlayAnswer {
    let source = scenario.scenario.file
    return try ProcessAnswer.read(file, within: limits, sources: [source.path: source])
  }
}
