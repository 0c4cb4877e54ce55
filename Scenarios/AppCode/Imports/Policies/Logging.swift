import CoreData
import os.log
import os.signpost

private let logger = Logger(subsystem: "com.example.notes", category: "migration")
private let signposter = OSSignposter(subsystem: "com.example.notes", category: .pointsOfInterest)
private let count = OSAllocatedUnfairLock(initialState: 0)

final class CountingPolicy: NSEntityMigrationPolicy {
  private static let log = OSLog(subsystem: "com.example.notes", category: "migration")
  private var lock = os_unfair_lock()

  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    os_log("begins: %{public}@ with %d", log: Self.log, type: .info, mapping.name, 0)
    count.withLock { $0 = 1000 }
  }

  @objc func number(_ source: NSManagedObject) -> NSNumber {
    let interval = signposter.beginInterval("number", id: signposter.makeSignpostID())
    defer { signposter.endInterval("number", interval) }
    os_unfair_lock_lock(&lock)
    defer { os_unfair_lock_unlock(&lock) }
    let text = source.value(forKey: "text") as? String
    logger.debug("counts \(text ?? "nothing", privacy: .private(mask: .hash))")
    logger.info("\(source.objectID, privacy: .public) of \(1.5, format: .fixed(precision: 1))")
    return NSNumber(value: count.withLock { $0 += 1; return $0 })
  }
}
