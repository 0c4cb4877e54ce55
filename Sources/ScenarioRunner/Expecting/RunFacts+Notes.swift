extension RunFacts {
  /// What explains that no policy ran.
  var notesOnInference: [String] {
    let inferred = hops.filter { $0.mapping == .inferred }.map(\.hop).joined(separator: ", ")
    return inferred.isEmpty ? [] : ["a mapping was inferred in \(inferred), so no policy ran there"]
  }
}
