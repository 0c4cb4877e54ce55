extension RunFacts {
  /// What explains that no policy ran.
  var notesOnInference: [String] {
    let inferred = executedSteps.filter { $0.mapping == .inferred }.map(\.name).joined(
      separator: ", ")
    return inferred.isEmpty ? [] : ["a mapping was inferred in \(inferred), so no policy ran there"]
  }
}
