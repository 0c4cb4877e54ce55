// The error as Apple's API has it: domain, code and user info.

extension CoreDataError: CustomNSError, LocalizedError {
  public static var errorDomain: String { "NSCocoaErrorDomain" }
  public var errorCode: Int { code.rawValue }
  public var errorDescription: String? { sentence ?? reason }

  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: sentence ?? reason, "reason": reason]
    info["entity"] = place.entity
    info["property"] = place.property
    if code == .migration { info["attribute"] = place.property }
    info["NSValidationErrorKey"] = place.property
    info["NSValidationErrorObject"] = validated.object ?? place.object
    info["NSValidationErrorValue"] = validated.value ?? value
    info[NSUnderlyingErrorKey] = standsFor ?? underlying
    info["NSValidationErrorPredicate"] = predicate
    info["metadata"] = metadata
    info["sourceModel"] = migration.sourceModel
    info["destinationModel"] = migration.destinationModel
    info["sourceURL"] = migration.sourceURL
    if code == .migrationMissingSourceModel { info["URL"] = migration.sourceURL }
    // An exception on a device.
    if code == .migrationConstraintViolation { info["NSUnderlyingException"] = reason }
    info["destinationURL"] = migration.destinationURL
    info["NSSQLiteErrorDomain"] = sqliteCode.map { NSNumber(value: $0) }
    if code.isAboutFile { info["NSFilePath"] = place.file }
    if !details.isEmpty {
      info["NSDetailedErrors"] = details.map { $0.standsFor ?? BridgedError($0) }.map {
        $0 as NSError
      }
    }
    if !conflictList.isEmpty { info["conflictList"] = conflictList }
    return info
  }
}

extension CoreDataError {
  /// The error of an app's own code that this is in the engine's form: what an app gets is that error.
  public var standsFor: (any Error)? { (underlying as? OwnError)?.error }
}

/// An error of an app's own code.
package struct OwnError: LocalizedError {
  package let error: any Error
  package init(_ error: any Error) { self.error = error }
  package var errorDescription: String? { error.localizedDescription }
}

extension CoreDataErrorCode {
  fileprivate var isAboutFile: Bool { self == .fileReadCorruptFile || self == .fileReadNoSuchFile }
}

/// So that `catch let error as NSError` catches the engine's errors outside Apple's systems, too:
/// the compiler takes that cast for one that always succeeds.
extension CoreDataError: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSError { BridgedError(self) }

  public static func _forceBridgeFromObjectiveC(
    _ source: NSError, result: inout CoreDataError?
  ) { result = unbridged(source) }

  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError, result: inout CoreDataError?
  ) -> Bool {
    result = (source as? BridgedError)?.error
    return result != nil
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CoreDataError {
    unbridged(source ?? NSError(domain: errorDomain, code: 0))
  }

  /// An error that doesn't come from here keeps its facts behind a general one.
  private static func unbridged(_ source: NSError) -> CoreDataError {
    (source as? BridgedError)?.error
      ?? CoreDataError(.coreData, source.localizedDescription).with(value: nil, underlying: source)
  }
}

/// An error as an object; the error itself comes back out of it.
/// Sendable unchecked: nothing in it changes once it is made.
private final class BridgedError: NSError, @unchecked Sendable {
  let error: CoreDataError

  init(_ error: CoreDataError) {
    self.error = error
    super.init(
      domain: CoreDataError.errorDomain, code: error.errorCode, userInfo: error.errorUserInfo)
  }

  required init?(coder: NSCoder) { nil }
}
