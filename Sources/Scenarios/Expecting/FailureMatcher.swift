/// Compares an error with the one a scenario expects.
package struct FailureMatcher {
  let expectation: FailureExpectation

  /// - Returns: What differs; empty when the error is the expected one.
  func mismatches(_ failure: ChainFailure?) -> [Failure] {
    guard let failure else {
      let summary = Facts(expectation).summary
      return [
        Failure(at: expectation.place, "failure", expected: summary, found: "no error")
      ]
    }
    return Facts(expectation).differences(failure.error, failure.place).map { difference in
      Failure(
        at: difference.place, "failure, \(difference.fact)", expected: difference.expected,
        found: difference.found, notes: ["\(failure)"], repairs: difference.repairs)
    }
  }
}

/// The facts of one error.
private struct Facts {
  let wanted: FailureExpectation

  init(_ wanted: FailureExpectation) { self.wanted = wanted }

  struct Difference {
    let place: SourcePlace
    let fact: String
    let expected: String
    let found: String
    var repairs: [Repair] = []
  }

  /// - Parameter fallback: Where it happened, for errors that can't say so themselves.
  func differences(
    _ error: any Error, _ fallback: CoreDataError.Place
  ) -> [Difference] {
    let own = (error as? CoreDataError)?.place
    let single = [
      compare("step", wanted: wanted.step?.text, found: own?.step ?? fallback.step),
      compare("code", wanted: wanted.code?.text, found: "\((error as NSError).code)"),
      compare("domain", wanted: wanted.domain, found: (error as NSError).domain),
      compare("pass", wanted: wanted.pass, found: own?.pass ?? fallback.pass),
      compare(
        "mapping", wanted: wanted.mapping, found: own?.entityMapping ?? fallback.entityMapping),
      compare("entity", wanted: wanted.entity, found: own?.entity ?? fallback.entity),
      compare("property", wanted: wanted.property, found: own?.property ?? fallback.property),
      compare("object", wanted: wanted.object, found: object(own, fallback)),
      compare(
        "underlying", wanted: wanted.underlying?.text, found: underlying(error).map { "\($0.code)" }
      ),
      message(error),
    ]
    return single.compactMap { $0 } + details(of: error)
  }

  /// The object an error is about, or what that was made from, whichever is asked for.
  private func object(
    _ own: CoreDataError.Place?, _ fallback: CoreDataError.Place
  ) -> String? {
    let source = own?.sourceObject ?? fallback.sourceObject
    if let source, source == wanted.object?.value { return source }
    return own?.object ?? fallback.object ?? source
  }

  private func compare(
    _ fact: String, wanted: Located<String>?, found: String?
  ) -> Difference? {
    guard let wanted, wanted.value != found else { return nil }
    return Difference(
      place: wanted.place, fact: fact, expected: wanted.value, found: found ?? "not said",
      repairs: found.map { [Repair(of: wanted.place, .text($0))] } ?? [])
  }

  private func message(_ error: any Error) -> Difference? {
    let text = error.reasonText
    guard let message = wanted.message, !text.contains(message.value) else { return nil }
    return Difference(
      place: message.place, fact: "message", expected: message.value, found: text,
      repairs: [Repair(of: message.place, .text(text))])
  }

  /// The single errors of a 1560, each to be found once, in any order.
  private func details(of error: any Error) -> [Difference] {
    if wanted.errors.isEmpty { return [] }
    let all = (error as? CoreDataError)?.details ?? []
    var details = all
    var missing: [Facts] = []
    for facts in wanted.errors.map(Facts.init) {
      if let match = details.firstIndex(where: { facts.differences($0, .init()).isEmpty }) {
        details.remove(at: match)
      } else {
        missing.append(facts)
      }
    }
    if missing.isEmpty, details.isEmpty { return [] }
    let repairs = repairs(missing: missing, left: details, all: all)
    if missing.isEmpty {
      return [
        Difference(
          place: wanted.place, fact: "errors", expected: "\(wanted.errors.count)",
          found: "\(all.count)", repairs: repairs)
      ]
    }
    return missing.map {
      Difference(
        place: $0.wanted.place, fact: "errors", expected: $0.summary,
        found: "not among the individual errors", repairs: repairs)
    }
  }

  /// Single errors that weren't expected take the places of those that weren't found; where their
  /// number differs, the list is written anew.
  private func repairs(
    missing: [Facts], left: [CoreDataError], all: [CoreDataError]
  ) -> [Repair] {
    if missing.count == left.count {
      return zip(missing, left).flatMap { $0.differences($1, .init()).flatMap(\.repairs) }
    }
    guard let first = wanted.errors.first, !all.isEmpty else { return [] }
    return [Repair(ofListWith: first.place, .list(all.map(Self.notation)))]
  }

  private static func notation(of error: CoreDataError) -> Notation {
    let facts = [
      ("code", "\(error.code.rawValue)"), ("entity", error.place.entity),
      ("property", error.place.property),
    ]
    return .map(
      facts.compactMap { key, text in text.map { .init(key: key, value: .text($0)) } })
  }

  private func underlying(_ error: any Error) -> NSError? {
    if let error = error as? CoreDataError {
      return (error.standsFor ?? error.underlying).map { $0 as NSError }
    }
    return (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
  }

  /// The expectation in a few words.
  var summary: String {
    let facts: [String?] = [
      wanted.code.map { "code \($0.value)" }, wanted.step?.value.description,
      wanted.entity?.value, wanted.property?.value, wanted.message?.value,
    ]
    let known = facts.compactMap { $0 }
    return known.isEmpty ? "an error" : known.joined(separator: ", ")
  }
}

extension Located where Value: CustomStringConvertible {
  /// The value as text.
  fileprivate var text: Located<String> { Located<String>("\(value)", at: place) }
}
