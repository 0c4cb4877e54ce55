import Synchronization

/// The formats met so far, as many as are worth keeping.
final class KnownFormats: Sendable {
  static let shared = KnownFormats()
  private static let most = 500
  private let formats = Mutex(Formats())

  private struct Formats {
    var all: [String: KnownFormat] = [:]
    /// The one asked for last, which is mostly the one that is asked for next.
    var last: KnownFormat?
  }

  func tokens(of format: String, arguments: [Any?]) -> [Token]? {
    guard let known = known(format), let kinds = known.tokens.kinds(of: arguments) else {
      return nil
    }
    return known.tokens.with(kinds)
  }

  /// The predicate that a format met before describes; nil where it has to be parsed.
  func predicate(of format: String, arguments: [Any?]) -> Predicate? {
    guard let known = known(format) else { return nil }
    if !known.tokens.takesKeys {
      guard let values = known.tokens.values(of: arguments) else { return nil }
      return known.predicate(with: values)
    }
    guard let kinds = known.tokens.kinds(of: arguments) else { return nil }
    return known.predicate(with: kinds)
  }

  func add(_ tokens: FormatTokens, for format: String) {
    formats.withLock { formats in
      if formats.all.count >= Self.most { formats.all.removeAll() }
      formats.all[format] = KnownFormat(format, tokens)
      formats.last = nil
    }
  }

  private func known(_ format: String) -> KnownFormat? {
    formats.withLock { formats in
      if let last = formats.last, CodeUnits.areEqual(last.format, format) { return last }
      // Strings are equal that are written otherwise; constants among them are not.
      guard let known = formats.all[format], CodeUnits.areEqual(known.format, format) else {
        return nil
      }
      formats.last = known
      return known
    }
  }
}

/// A format, taken apart once, and parsed once for each combination of keys given for `%K`.
private final class KnownFormat: Sendable {
  let tokens: FormatTokens
  let format: String
  /// By the keys; nil for those with which it has to be parsed each time.
  private let templates = Mutex<[[String]: Keyed]>([:])
  /// The template of a format without `%K`, once it is made.
  private let template = Mutex<PredicateTemplate??>(nil)
  private static let mostKeys = 100

  private struct Keyed {
    let keys: [String]
    let template: PredicateTemplate?
  }

  init(_ format: String, _ tokens: FormatTokens) {
    self.format = format
    self.tokens = tokens
  }

  /// The predicate with these in place of specifiers, none of which is `%K`; nil where it has to be
  /// parsed.
  func predicate(with values: [Value]) -> Predicate? {
    // Without a copy of the template.
    if let known = template.withLock({ $0.map { $0?.predicate(values) } }) { return known }
    let made = makeTemplate(values.map { .argument($0) })
    template.withLock { $0 = .some(made) }
    return made?.predicate(values)
  }

  /// The predicate with these in place of specifiers; nil where it has to be parsed.
  func predicate(with kinds: [Token.Kind]) -> Predicate? {
    var values: [Value] = []
    var keys: [String] = []
    for kind in kinds {
      switch kind {
      case .argument(let value): values.append(value)
      case .keyPathArgument(let key): keys.append(key)
      default: return nil
      }
    }
    return template(for: keys, kinds)?.predicate(values)
  }

  private func template(for keys: [String], _ kinds: [Token.Kind]) -> PredicateTemplate? {
    if let known = templates.withLock({ $0[keys] }),
      zip(known.keys, keys).allSatisfy(CodeUnits.areEqual)
    {
      return known.template
    }
    let made = makeTemplate(kinds)
    templates.withLock { templates in
      if templates.count >= Self.mostKeys { templates.removeAll() }
      templates[keys] = Keyed(keys: keys, template: made)
    }
    return made
  }

  private func makeTemplate(_ kinds: [Token.Kind]) -> PredicateTemplate? {
    var placeholders = PredicateTemplate.placeholders(kinds.count)[...]
    let marked = kinds.map { kind in
      if case .argument = kind { return Token.Kind.argument(placeholders.removeFirst()) }
      return kind
    }
    var parser = FormatParser(format, tokens: tokens.with(marked))
    // Parsing it with its arguments says what is wrong.
    return (try? parser.wholePredicate()).flatMap { PredicateTemplate($0) }
  }
}
