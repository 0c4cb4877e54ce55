import CoreData
@testable import Persistence

public func mark() -> String { Hidden().mark }

public typealias Base = Persistence.TextPolicy
