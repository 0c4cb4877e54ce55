import CoreData

class BasePolicy: NSEntityMigrationPolicy {
  var text = ""
}

class SpecialPolicy: BasePolicy {
  override func described(_ source: NSManagedObject) -> String {
    "special " + super.described(source)
  }
}

enum Policies {
  final class Inner: BasePolicy {}
}
