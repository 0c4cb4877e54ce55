import Synchronization

/// The tokens of a format with room for other arguments. Code that makes a predicate for each of a
/// million objects gives the same format a million times.
struct FormatTokens: Sendable {
  private let tokens: [Token]
  /// The tokens that stand for specifiers, and the letters of those.
  private let specifiers: [(token: Int, conversion: Unicode.Scalar)]

  init(_ tokens: [Token], conversions: [Unicode.Scalar]) {
    let places = tokens.indices.filter { tokens[$0].isArgument }
    specifiers = Array(zip(places, conversions))
    var tokens = tokens
    for place in places { tokens[place].kind = .argument(.null) }
    self.tokens = tokens
  }

  /// The tokens with arguments; nil for unsuitable ones, which the lexer can say more about.
  func with(_ arguments: [Any?]) -> [Token]? {
    var filled = tokens
    var arguments = FormatArguments(arguments)
    for (token, conversion) in specifiers {
      guard let kind = try? arguments.next(for: conversion) else { return nil }
      filled[token].kind = kind
    }
    return filled
  }
}

/// The formats met so far, as many as are worth keeping.
final class KnownFormats: Sendable {
  static let shared = KnownFormats()
  private static let most = 500
  private let formats = Mutex<[String: FormatTokens]>([:])

  func tokens(of format: String, arguments: [Any?]) -> [Token]? {
    formats.withLock { $0[format] }?.with(arguments)
  }

  func add(_ tokens: FormatTokens, for format: String) {
    formats.withLock { formats in
      if formats.count >= Self.most { formats.removeAll() }
      formats[format] = tokens
    }
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
