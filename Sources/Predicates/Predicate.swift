/// A condition on an object. Contract to be completed: see the format language.
open class Predicate: NSObject, @unchecked Sendable {}
