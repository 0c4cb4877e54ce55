import Foundation
import Persistence
import TestSupport
import Testing

/// A policy of an app: looks into the store before it decides.
private final class LookingPolicy: MergePolicy, @unchecked Sendable {
  private let look: () -> Void

  init(_ type: MergePolicyType, _ look: @escaping () -> Void) {
    self.look = look
    super.init(merge: type)
  }

  override func resolve(mergeConflicts conflicts: [Any]) throws {
    look()
    try super.resolve(mergeConflicts: conflicts)
  }

  override func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
    look()
    try super.resolve(constraintConflicts: conflicts)
  }
}

/// The limit is for what waits for ever; it counts the time, too, in which a test waits for its turn.
@Suite("Merge policies of apps", .timeLimit(.minutes(10)))
struct AppMergePolicyTests {
  /// Where a policy's code looks into the store from.
  enum Place: CaseIterable {
    case sameThread, otherQueue, otherThread

    /// Runs `body` there, and waits for it.
    /// - Returns: Whether it ended.
    func run(_ body: @escaping @Sendable () -> Void) -> Bool {
      if self == .sameThread {
        body()
        return true
      }
      let done = DispatchSemaphore(value: 0)
      if self == .otherQueue {
        DispatchQueue.global().async {
          body()
          done.signal()
        }
      } else {
        Thread {
          body()
          done.signal()
        }.start()
      }
      return done.wait(timeout: .now() + 20) == .success
    }
  }

  /// What a policy saw, from whatever thread.
  private final class Sight: @unchecked Sendable {
    private let lock = NSLock()
    private var titles: [String] = []
    var seen: [String] { lock.withLock { titles } }
    func note(_ title: String) { lock.withLock { titles.append(title) } }
  }

  private func policy(
    _ type: MergePolicyType, from place: Place, _ context: ManagedObjectContext, _ sight: Sight
  ) -> MergePolicy {
    LookingPolicy(type) {
      let hasEnded = place.run {
        context.performAndWait {
          let titles = try? context.strings("Book", "title")
          sight.note(titles?.joined(separator: ", ") ?? "nothing")
        }
      }
      if !hasEnded { sight.note("waited in vain") }
    }
  }

  @Test(arguments: Backend.allCases, Place.allCases)
  func mayFetchWhileTheyResolve(_ backend: Backend, _ place: Place) throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let seed = stack.context()
    seed.insert("Book", ["title": "old"])
    try seed.save()
    let (first, second) = (stack.context(), stack.context())
    let sight = Sight()
    second.mergePolicy = policy(
      .mergeByPropertyObjectTrumpMergePolicyType, from: place, stack.context(), sight)
    try second.performAndWait { try second.one("Book").setValue("mine", forKey: "title") }
    try first.performAndWait {
      try first.one("Book").setValue("theirs", forKey: "title")
      try first.save()
    }
    try second.performAndWait { try second.save() }
    #expect(sight.seen == ["theirs"])
    #expect(try stack.context().strings("Book", "title") == ["mine"])
  }

  @Test(arguments: Backend.allCases, Place.allCases)
  func mayFetchWhileTheyResolveConstraints(_ backend: Backend, _ place: Place) throws {
    let stack = try AppStack(
      backend, try LibraryModel.make { $0["Tag"]?.uniquenessConstraints = [["name"]] })
    let seed = stack.context()
    seed.insert("Tag", ["name": "a"])
    seed.insert("Book", ["title": "kept"])
    try seed.save()
    let context = stack.context()
    let sight = Sight()
    context.mergePolicy = policy(
      .mergeByPropertyStoreTrumpMergePolicyType, from: place, stack.context(), sight)
    try context.performAndWait {
      context.insert("Tag", ["name": "a"])
      try context.save()
    }
    #expect(sight.seen == ["kept"])
    #expect(try stack.context().all("Tag").count == 1)
  }

  /// Others may save while a policy decides; then it is asked again.
  @Test(arguments: Backend.allCases)
  func areAskedAgainWhenOthersSaveMeanwhile(_ backend: Backend) throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let seed = stack.context()
    seed.insert("Book", ["title": "old"])
    try seed.save()
    let (context, other) = (stack.context(), stack.context())
    var asked = 0
    context.mergePolicy = LookingPolicy(.mergeByPropertyObjectTrumpMergePolicyType) {
      asked += 1
      if asked > 2 { return }
      other.performAndWait {
        other.reset()
        try? other.one("Book").setValue(asked, forKey: "pages")
        try? other.save()
      }
    }
    try context.performAndWait { try context.one("Book").setValue("mine", forKey: "title") }
    try seed.one("Book").setValue("theirs", forKey: "title")
    try seed.save()
    try context.performAndWait { try context.save() }
    #expect(asked == 3)
    let book = try stack.context().one("Book")
    #expect(book.value(forKey: "title") as? String == "mine")
    #expect(book.value(forKey: "pages") as? Int == 2)
  }
}
