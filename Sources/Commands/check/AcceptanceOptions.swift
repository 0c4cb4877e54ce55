import ArgumentParser

/// What somebody accepts of what `check`, `lock` or `smoke` finds: the list of it, and what is added to that now.
struct AcceptanceOptions: ParsableArguments {
  @Option(
    help: .taking("file", "Accepted findings (default: \(SilenceFile.name) beside the model)."))
  var accepted: String?

  @Option(
    help: .taking(
      "reason", "Accept what fails now: write it to that file, with this reason and the date."))
  var accept: String?

  func validate() throws {
    if let accept, accept.allSatisfy(\.isWhitespace) {
      throw ValidationError("--accept needs a reason, as in --accept 'Version 3 never shipped.'")
    }
  }

  func note(in files: inout CommandFiles) { files.use("--accepted", accepted) }

  /// The list for a model; one that is only to be written needn't be there yet.
  /// - Throws: As ``SilenceFile/load(given:forModelAt:mayBeAbsent:)``.
  func silencings(forModelAt model: URL) throws -> [Silencing] {
    try SilenceFile.load(given: accepted, forModelAt: model, mayBeAbsent: accept != nil)
      .filter { $0.isMeant(forModelAt: model) }
  }

  /// Adds what fails to the list, if that is asked for, and says so; what is wrong with the list is no finding.
  /// - Returns: Whether there is more in the list now.
  func accept(_ failing: [BaselineEntry], forModelAt model: URL) throws -> Bool {
    guard let accept else { return false }
    Console.complain(
      try Baseline(reason: accept, file: accepted).accept(failing, forModelAt: model))
    return true
  }
}
