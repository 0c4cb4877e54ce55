/// Something that `heavyweight check` found.
package struct CheckFinding: Sendable, Hashable {
  package let rule: CheckRule
  /// What it is about.
  package var subject: Subject
  package let message: String
  /// What to do.
  package var advice: String?
  /// What the entity or property that goes may have been renamed to.
  package var successor: String?
  /// The Core Data error code that a migration would end with.
  package var code: Int?
  /// Where it is, if that is known without looking for the subject.
  package var place: FilePlace?

  package init(
    _ rule: CheckRule, about subject: Subject, _ message: String, advice: String? = nil,
    code: Int? = nil
  ) {
    self.rule = rule
    self.subject = subject
    self.message = message
    self.advice = advice
    self.code = code
  }

  package var severity: FindingSeverity { rule.severity }

  /// What a finding is about; whatever doesn't apply is nil.
  package struct Subject: Sendable, Hashable {
    package var step: VersionPair?
    /// The version, or the first of several in a row.
    package var version: String?
    package var entity: String?
    package var property: String?
    /// A mapping model or another file.
    package var file: String?
    /// The last of several versions in a row; nil for a single one.
    package var lastVersion: String?

    /// The version, or all in a row.
    var versions: String? { lastVersion.map { "\(version ?? "") ... \($0)" } ?? version }
  }
}

/// Two versions, by name.
package struct VersionPair: Sendable, Hashable, CustomStringConvertible {
  package let source: String
  package let destination: String

  package init(_ source: String, _ destination: String) {
    self.source = source
    self.destination = destination
  }

  init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) {
    self.init(source.shownName, destination.shownName)
  }

  package var description: String { "\(source) -> \(destination)" }
}
