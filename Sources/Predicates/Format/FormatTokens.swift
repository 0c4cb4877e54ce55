/// The tokens of a format with room for other arguments. Code that makes a predicate for each of a
/// million objects gives the same format a million times.
struct FormatTokens: Sendable {
  private let tokens: [Token]
  /// The tokens that stand for specifiers, and the letters of those.
  private let specifiers: [(token: Int, conversion: Unicode.Scalar)]
  /// Whether a specifier stands for a key.
  let takesKeys: Bool

  init(_ tokens: [Token], conversions: [Unicode.Scalar]) {
    let places = tokens.indices.filter { tokens[$0].isArgument }
    specifiers = Array(zip(places, conversions))
    takesKeys = conversions.contains("K")
    var tokens = tokens
    for place in places { tokens[place].kind = .argument(.null) }
    self.tokens = tokens
  }

  /// What the specifiers stand for; nil for unsuitable arguments, which the lexer can say more about.
  func kinds(of arguments: [Any?]) -> [Token.Kind]? {
    var arguments = FormatArguments(arguments)
    var kinds: [Token.Kind] = []
    kinds.reserveCapacity(specifiers.count)
    for (_, conversion) in specifiers {
      // Parsing says which argument is missing.
      guard let kind = try? arguments.next(for: conversion) else { return nil }
      kinds.append(kind)
    }
    return kinds
  }

  /// What the specifiers of a format without `%K` stand for; nil for unsuitable arguments.
  func values(of arguments: [Any?]) -> [Value]? {
    var arguments = FormatArguments(arguments)
    var values: [Value] = []
    values.reserveCapacity(specifiers.count)
    for place in specifiers.indices {
      // Parsing says which argument is missing.
      guard
        case .argument(let value)? = try? arguments.next(for: specifiers[place].conversion)
      else { return nil }
      values.append(value)
    }
    return values
  }

  /// The tokens with these in place of specifiers.
  func with(_ kinds: [Token.Kind]) -> [Token] {
    var filled = tokens
    for (place, kind) in zip(specifiers, kinds) { filled[place.token].kind = kind }
    return filled
  }
}

extension Token {
  fileprivate var isArgument: Bool {
    switch kind {
    case .argument, .keyPathArgument: true
    default: false
    }
  }
}
