import CoreData

// On a device an extension may override what Objective-C calls, and what it declares @objc may be
// overridden.
extension BasePolicy {
  /// In the middle of the extension, with attributes and a comment.
  @objc(describedOf:)
  func described(_ source: NSManagedObject) -> String { "\(text) in \(#fileID), line \(#line)" }

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    text = Self.name
  }

  fileprivate static var name: String { "base" }
}

extension Policies.Inner {
  override var text: String {
    get { "inner" }
    set {}
  }
}
