/// An error with Core Data's domain and code, and with the facts that a person looking for the
/// cause needs.
///
/// Bridges to `NSError`: `error as NSError` has the domain `NSCocoaErrorDomain`, the code, and
/// Core Data's user-info keys.
/// Sendable unchecked: a value; the objects it names are for whoever is told, on their context's
/// queue.
public struct CoreDataError: Error, @unchecked Sendable {
  public var code: CoreDataErrorCode
  /// What happened, in Core Data's words where those are known.
  public var reason: String
  /// The mistake that it comes from, where the code stands for many.
  public var mistake: Mistake?
  /// Where it happened; filled in on the way up, by whoever knows.
  public var place = Place()
  /// The value that was refused, in a short readable form.
  public var value: String?
  /// How many objects it would be raised for, where that is known.
  public var concernedCount: Int?
  /// What to do next.
  public var advice: String?
  /// The error behind this one.
  public var underlying: (any Error)?
  /// The single errors of a `.validationMultipleErrors`.
  public var details: [CoreDataError] = []
  /// The metadata of the store that doesn't fit its model (`metadata` in the user info).
  public var metadata: [String: Any]?
  /// The predicate that the value doesn't meet (`NSValidationErrorPredicate`).
  public var predicate: AnyObject?
  /// SQLite's result code, where it says what is wrong (`NSSQLiteErrorDomain` in the user info).
  public var sqliteCode: Int32?
  /// The models and stores of a migration that failed.
  public var migration = Migration()
  /// The managed object that validation refused, and the value itself, for an error's user info.
  public var validated: (object: AnyObject?, value: Any?) = (nil, nil)
  /// The merge or constraint conflicts behind a refused save.
  public var conflictList: [Any] = []

  public init(_ code: CoreDataErrorCode, _ reason: String, advice: String? = nil) {
    self.code = code
    self.reason = reason
    self.advice = advice
  }

  /// A mistake that is made again and again, and about which there is more to say than an error says.
  public enum Mistake: Hashable, Sendable {
    /// A policy of a class that there isn't.
    case missingPolicy(className: String)
    /// A call of a method that the policy or the manager doesn't have.
    case unknownSelector
    /// A link between objects of different contexts.
    case foreignContext
    /// A value of another type than the property's.
    case wrongValueType
    /// nil for a parameter of a class that isn't optional.
    case nilArgument
    /// A managed object taken for one of an app's class.
    case subclassCast
  }

  /// What a migration that failed was about.
  public struct Migration: @unchecked Sendable {
    public var sourceModel: ManagedObjectModel?
    public var destinationModel: ManagedObjectModel?
    public var sourceURL: URL?
    public var destinationURL: URL?
    public init() {}
  }

  /// Where in a migration and in the data an error belongs.
  public struct Place: Hashable, Sendable {
    /// The step of the chain, as `v1 -> v2`.
    public var step: String?
    public var pass: String?
    public var entityMapping: String?
    public var entity: String?
    public var property: String?
    /// The object: its local name or URI, or how to find it.
    public var object: String?
    /// The object of the source store that the object was made from.
    public var sourceObject: String?
    /// A file, with line and column where known.
    public var file: String?
    public init() {}
  }
}

extension CoreDataError {
  /// The same error with facts added that it didn't have.
  public func at(
    step: String? = nil, pass: String? = nil, entityMapping: String? = nil, entity: String? = nil,
    property: String? = nil, object: String? = nil, file: String? = nil
  ) -> CoreDataError {
    var copy = self
    copy.place.step = place.step ?? step
    copy.place.pass = place.pass ?? pass
    copy.place.entityMapping = place.entityMapping ?? entityMapping
    copy.place.entity = place.entity ?? entity
    copy.place.property = place.property ?? property
    copy.place.object = place.object ?? object
    copy.place.file = place.file ?? file
    copy.details = details.map {
      $0.at(step: step, pass: pass, entityMapping: entityMapping, object: object, file: file)
    }
    return copy
  }

  /// The same error as the consequence of a mistake.
  public func caused(by mistake: Mistake) -> CoreDataError {
    var copy = self
    copy.mistake = mistake
    return copy
  }

  /// The mistake behind the error, or behind the one that it comes from.
  public var originalMistake: Mistake? {
    mistake ?? (underlying as? CoreDataError)?.originalMistake
  }

  /// The same error with `value` named as the one that was refused.
  public func with(value: String?, underlying: (any Error)? = nil) -> CoreDataError {
    var copy = self
    copy.value = value ?? self.value
    copy.underlying = underlying ?? self.underlying
    return copy
  }

  /// The same error without what objects have in them, for reports on somebody's data.
  public var withoutValues: CoreDataError {
    var copy = self
    copy.details = details.map(\.withoutValues)
    copy.underlying = (underlying as? CoreDataError)?.withoutValues ?? underlying
    guard let value, value != "nil", !value.isEmpty else { return copy }
    copy.value = "not shown"
    copy.reason = reason.replacing(value, with: "…")
    copy.advice = advice?.replacing(value, with: "…")
    return copy
  }

  /// The same error with the models and stores of its migration added, as far as it had none.
  public func during(
    from sourceModel: ManagedObjectModel? = nil, to destinationModel: ManagedObjectModel? = nil,
    sourceURL: URL? = nil, destinationURL: URL? = nil
  ) -> CoreDataError {
    var copy = self
    copy.migration.sourceModel = migration.sourceModel ?? sourceModel
    copy.migration.destinationModel = migration.destinationModel ?? destinationModel
    copy.migration.sourceURL = migration.sourceURL ?? sourceURL
    copy.migration.destinationURL = migration.destinationURL ?? destinationURL
    return copy
  }

  /// One error for several: the only one, or a 1560 with all of them.
  public static func combining(_ errors: [CoreDataError]) -> CoreDataError? {
    if errors.count <= 1 { return errors.first }
    var several = CoreDataError(.validationMultipleErrors, "Multiple validation errors occurred.")
    several.details = errors
    return several
  }
}
