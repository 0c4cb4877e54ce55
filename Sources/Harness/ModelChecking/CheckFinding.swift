/// Something that `heavyweight check` found.
public struct CheckFinding: Sendable, Hashable {
  public let rule: CheckRule
  /// What it is about.
  public var subject: Subject
  public let message: String
  /// What to do.
  public var advice: String?
  /// The Core Data error code that a migration would end with.
  public var code: Int?

  public init(
    _ rule: CheckRule, _ subject: Subject, _ message: String, advice: String? = nil,
    code: Int? = nil
  ) {
    self.rule = rule
    self.subject = subject
    self.message = message
    self.advice = advice
    self.code = code
  }

  public var severity: FindingSeverity { rule.severity }

  /// What a finding is about; whatever doesn't apply is nil.
  public struct Subject: Sendable, Hashable {
    public var hop: VersionPair?
    /// The version, or the first of several in a row.
    public var version: String?
    /// The last of several versions in a row; nil for a single one.
    public var lastVersion: String?
    public var entity: String?
    public var property: String?
    /// A mapping model or another file.
    public var file: String?

    public init(
      hop: VersionPair? = nil, version: String? = nil, entity: String? = nil,
      property: String? = nil,
      file: String? = nil
    ) {
      self.hop = hop
      self.version = version
      self.entity = entity
      self.property = property
      self.file = file
    }
  }
}

/// Two versions, by name.
public struct VersionPair: Sendable, Hashable, CustomStringConvertible {
  public let source: String
  public let destination: String

  public init(_ source: String, _ destination: String) {
    self.source = source
    self.destination = destination
  }

  init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) {
    self.init(source.shownName, destination.shownName)
  }

  public var description: String { "\(source) -> \(destination)" }
}
