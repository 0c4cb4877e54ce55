extension RunID {
  /// The command that repeats just this run, on some backends; as a shell takes it.
  /// - Parameter options: Further ones, without which it doesn't happen again.
  package func command(on backends: [Backend], _ options: [String] = []) -> String {
    var words = ["heavyweight", "run", "\(address)"]
    if backends.count < Backend.allCases.count {
      words += ["--backend", backends.map(\.rawValue).joined(separator: ",")]
    }
    if hasSeveralStarts { words += ["--start", start] }
    if let objects { words += ["--objects", "\(objects)"] }
    if isInProcess { words.append("--in-process") }
    if isConfined { words += Sandbox.options }
    words += options
    return words.map(\.shellQuoted).joined(separator: " ")
  }
}

extension String {
  /// The text as one word of a shell's.
  package var shellQuoted: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-_./:,+@%".contains(Character(scalar)))
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
  }
}
