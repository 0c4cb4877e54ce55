import CoreData
import os

/// What the app's policies have in common.
open class TextPolicy: NSEntityMigrationPolicy {
  @objc public func loud(_ text: String) -> String { mark + text.uppercased() + mark }

  open var mark: String { "" }
}

public enum Store {
  public static func predicate(_ text: String) -> NSPredicate {
    NSPredicate(format: "text == %@", text)
  }
}

struct Hidden { var mark = "!" }
