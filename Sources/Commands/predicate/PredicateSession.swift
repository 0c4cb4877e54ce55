/// One call of `heavyweight predicate`.
struct PredicateSession {
  private let request: PredicateRequest
  private let output: (Data) throws -> Void
  private let errors: (Data) -> Void
  private let input: () throws -> Data

  /// - Parameters:
  ///   - output: Standard output, when nil.
  ///   - errors: Standard error, when nil.
  ///   - input: What `--cases -` reads.
  init(
    _ request: PredicateRequest,
    output: ((Data) throws -> Void)? = nil, errors: ((Data) -> Void)? = nil,
    input: @escaping () throws -> Data = { try FileHandle.standardInput.readToEnd() ?? Data() }
  ) {
    self.request = request
    self.output = output ?? ReportFile.writeToOutput
    self.errors = errors ?? ReportFile.tryToWriteErrors
    self.input = input
  }

  /// Does everything and prints it: what is known about the predicate on standard output, mistakes
  /// in the call on standard error.
  func run() -> ExitStatus {
    do {
      try request.check()
      return try request.cases.map(runCases) ?? explain()
    } catch let error as PredicateFormatError {
      return complain(error.diagnostic.description)
    } catch let error as Diagnostics {
      return complain(error.description)
    } catch let error as ReportError {
      _ = complain(error.description)
      return .reportNotWritten
    } catch {
      return complain("error: \(error)")
    }
  }

  private func complain(_ text: String) -> ExitStatus {
    errors(Data((text + "\n").utf8))
    return .badInput
  }

  private func runCases(_ path: String) throws -> ExitStatus {
    let file =
      path == "-"
      ? SourceFile(path: "standard input", text: String(decoding: try input(), as: UTF8.self))
      : try SourceFile(contentsOf: URL(fileURLWithPath: path), shownAs: path)
    let cases = try PredicateCases(file, fetching: request.wantsSQL)
    return try cases.run(output) ? .passed : .failed
  }

  private func explain() throws -> ExitStatus {
    let entry = try request.predicateCase()
    let predicate = try entry.predicate()
    try request.checkUse(by: predicate, entry)
    var explanation = PredicateExplanation(predicate: predicate)
    if request.object != nil { explanation.result = entry.result() }
    if request.wantsSQL { explanation.sql = try sql(of: explanation.predicate, entry) }
    if case .file(let path) = request.json {
      try ReportFile.prepare(path)
      try ReportFile.write(try explanation.json.machineReport(), to: path)
    }
    try output(
      request.json.isStandardOutput
        ? try explanation.json.machineReport() : Data(explanation.text.utf8))
    if case .failure? = explanation.result { return .failed }
    return explanation.sql?.refusal == nil ? .passed : .failed
  }

  private func sql(of predicate: Predicate, _ entry: PredicateCase) throws -> PredicateSQL {
    let place =
      if let path = request.model, let entity = request.entity {
        try PredicateModel(path: path, version: request.version, entity: entity)
      } else {
        try PredicateModel(for: entry.object, asked: predicate)
      }
    return PredicateSQL(
      predicate.substituting(entry.variables), entity: place.entity, of: place.model)
  }
}

extension PredicateFormatError {
  /// The problem with the format's line and a caret below the place.
  var diagnostic: Diagnostic {
    let before = String(format.unicodeScalars.prefix(column - 1))
    let lineStart = before.lastIndex(where: \.isNewline).map(before.index(after:))
    let line = before.count(where: \.isNewline) + 1
    let offset = before[(lineStart ?? before.startIndex)...].unicodeScalars.count
    return Diagnostic(
      problem,
      at: SourcePlace(
        file: SourceFile(path: "format", text: format), line: line, column: offset + 1))
  }
}
