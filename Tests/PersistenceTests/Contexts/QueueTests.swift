import Persistence
import TestSupport
import Testing

@Suite("A context's queue")
struct QueueTests {
  private func stack(_ backend: Backend = .memory) throws -> AppStack {
    try AppStack(backend, try LibraryModel.make())
  }

  @Test func blocksRunInTheirOrder() throws {
    let stack = try stack()
    let context = stack.context()
    let log = TurnLog()
    for number in 0..<100 { context.perform { log.note(number) } }
    context.performAndWait { log.note(100) }
    #expect(log.counts == Array(0...100))
  }

  @Test func waitingGivesResultsAndErrors() throws {
    struct Refused: Error {}
    let stack = try stack()
    let context = stack.context()
    #expect(context.performAndWait { 7 } == 7)
    #expect(throws: Refused.self) { try context.performAndWait { throw Refused() } }
  }

  @Test("A block may wait for its own queue, and for others'")
  func reentrancy() throws {
    let stack = try stack()
    let (context, other) = (stack.context(), stack.context())
    let depth = context.performAndWait {
      context.performAndWait { other.performAndWait { other.performAndWait { 4 } } }
    }
    #expect(depth == 4)
  }

  @Test("What code got lives as in an autorelease pool") @MainActor
  func objectsLiveUntilABlockEnds() throws {
    let stack = try stack()
    let (block, main) = (stack.context(), stack.context(.error, .mainQueue))
    func work(_ context: ManagedObjectContext) throws -> Int {
      context.insert("Tag", ["name": "a"])
      try context.save()
      _ = try context.all("Tag")
      return context.registeredObjects.count
    }
    #expect(try block.performAndWait { try work(block) } == 1)
    #expect(block.performAndWait { block.registeredObjects.isEmpty })
    #expect(try ManagedObjectContext.inPool { try work(main) } == 2)
    #expect(main.registeredObjects.isEmpty)
    // Nobody sees where the main queue's loop turns.
    #expect(try work(main) == 3 && main.registeredObjects.count == 3)
    main.reset()
    #expect(main.registeredObjects.isEmpty)
  }

  @Test func confinementIsAcceptedAndWarnedOfOnceInAProcess() throws {
    let texts = TextLog()
    let warnings = Warnings { texts.add($0) }
    for _ in 0..<3 { warnings.warnOnce(.confinement) }
    #expect(texts.all.count == 1)
    #expect(texts.all.first?.hasPrefix("NSConfinementConcurrencyType is obsolete") == true)
    let context = ManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    context.persistentStoreCoordinator = try stack().coordinator
    #expect(Warnings.shared.given == [.confinement])
    var isDone = false
    context.perform { isDone = true }
    #expect(isDone, "blocks run at once, on the calling thread")
  }

  @Test func asynchronousBlocksGiveResultsAndErrors() async throws {
    struct Refused: Error {}
    let stack = try stack()
    let context = stack.context()
    #expect(try await context.perform { () throws in context.insertedObjectCount } == 0)
    #expect(try await context.perform(schedule: .enqueued) { () throws in 3 } == 3)
    await #expect(throws: Refused.self) { try await context.perform { throw Refused() } }
  }

  @Test func theMainQueueMayBeWaitedForFromEverywhere() async throws {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let stack = try stack()
    let context = stack.context(.error, .mainQueue)
    let other = stack.context(.error, .mainQueue)
    func isOnMain() -> Bool { DispatchQueue.getSpecific(key: key) == true }
    #expect(try await context.perform { () throws in isOnMain() })
    #expect(context.performAndWait { isOnMain() })
    #expect(context.performAndWait { other.performAndWait { isOnMain() } })
    let isOnMainFromMain = await MainActor.run { context.performAndWait { isOnMain() } }
    #expect(isOnMainFromMain)
  }

  @Test("Changes made in a block are processed when it ends", arguments: Backend.allCases)
  func aBlockEndsAnEvent(_ backend: Backend) async throws {
    let stack = try stack(backend)
    let context = stack.context()
    let log = NotificationLog(of: context, [ManagedObjectContext.didChangeObjectsNotification])
    _ = try await context.perform { () throws in context.insert("Tag", ["name": "a"]) }
    context.performAndWait {}
    #expect(log.all.count == 1)
    #expect(log.last == "inserted: 1")
    context.performAndWait {
      context.insert("Tag", ["name": "b"])
      context.insert("Tag", ["name": "c"])
    }
    context.performAndWait {}
    #expect(log.all.count == 2)
    #expect(log.last == "inserted: 2")
  }

  @Test func exceptionsGoToTheTrapOfWhoWaits() throws {
    let stack = try stack()
    let context = stack.context()
    let error = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching {
        context.performAndWait { context.insert("Tag").setValue(1, forKey: "nonsense") }
      }
    }
    #expect(error.place.property == "nonsense")
  }

  @Test("Objects may be let go of anywhere", arguments: Backend.allCases)
  func objectsDieOnAnyThread(_ backend: Backend) async throws {
    let stack = try stack(backend)
    let context = stack.context()
    try context.performAndWait {
      for number in 0..<200 { context.insert("Tag", ["name": "\(number)"]) }
      try context.save()
    }
    for _ in 0..<20 {
      let held = try await context.perform { Held(try context.all("Tag")) }
      async let other: Void = Task.detached { _ = held.objects.count }.value
      let again = try await context.perform { try context.all("Tag").count }
      #expect(again == 200)
      await other
    }
  }
}

/// Many threads with contexts of their own on one coordinator.
@Suite("Concurrent contexts")
struct ConcurrentContextTests {
  @Test("Nothing is lost, and nobody waits for ever", arguments: Backend.allCases)
  func everySaveArrives(_ backend: Backend) async throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let reader = stack.context()
    reader.automaticallyMergesChangesFromParent = true
    let (writers, rounds) = (6, 8)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        let context = stack.context(.mergeByPropertyObjectTrump)
        group.addTask {
          for round in 0..<rounds {
            try await context.perform {
              context.insert("Tag", ["name": "\(writer).\(round)"])
              _ = try context.all("Tag", "name BEGINSWITH '\(writer).'").map {
                $0.value(forKey: "items")
              }
              try context.save()
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<rounds { _ = try await reader.perform { try reader.all("Tag").count } }
      }
      try await group.waitForAll()
    }
    await reader.perform {}
    #expect(try await reader.perform { try reader.all("Tag").count } == writers * rounds)
  }

  @Test("All change one object; with a policy nobody fails", arguments: Backend.allCases)
  func oneObjectOfAll(_ backend: Backend) async throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let seed = stack.context()
    try seed.performAndWait {
      seed.insert("Book", ["title": "t", "pages": 0])
      try seed.save()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        let context = stack.context(.mergeByPropertyObjectTrump)
        group.addTask {
          for round in 1...10 {
            try await context.perform {
              try context.one("Book").setValue(writer * 100 + round, forKey: "pages")
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let pages = try stack.context().one("Book").value(forKey: "pages") as? Int ?? 0
    #expect(pages % 100 == 10)
  }

  @Test("Batches and saves of others take turns", arguments: Backend.allCases)
  func batchesTakeTheLock(_ backend: Backend) async throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        let context = stack.context()
        group.addTask {
          for round in 0..<10 {
            try await context.perform {
              let rows = (0..<5).map { ["name": "\(writer).\(round).\($0)"] }
              let insertion = BatchInsertRequest(entityName: "Tag", objects: rows)
              if writer.isMultiple(of: 2) {
                try context.execute(insertion)
              } else {
                for row in rows { context.insert("Tag", row) }
                try context.save()
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let tags = try stack.context().strings("Tag", "name")
    #expect(tags.count == 200)
    #expect(Set(tags).count == 200)
  }

  @Test("Others may use the stores while objects are enumerated", arguments: Backend.allCases)
  func enumeratingLocksNobodyOut(_ backend: Backend) async throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let context = stack.context()
    try context.performAndWait {
      for number in 0..<450 { context.insert("Tag", ["name": "\(number)"]) }
      try context.save()
    }
    let other = stack.context()
    for enumerating in [context, ManagedObjectContext(coordinator: stack.coordinator)] {
      var seen = 0
      try enumerating.performAndWait {
        try enumerating.enumerate(FetchRequest<ManagedObject>(entityName: "Tag")) { tag in
          seen += 1
          guard seen.isMultiple(of: 150) else { return }
          // Another thread fetches and saves, and this one waits for it.
          let done = DispatchSemaphore(value: 0)
          other.perform {
            other.insert("Shelf", ["name": "\(seen)"])
            try? other.save()
            done.signal()
          }
          #expect(done.wait(timeout: .now() + 20) == .success)
          tag.setValue("\(tag.value(forKey: "name") ?? "") seen", forKey: "name")
          try enumerating.save()
        }
      }
      #expect(seen == 450)
    }
    #expect(try stack.context().all("Shelf").count == 6)
    #expect(try stack.context().all("Tag", "name ENDSWITH 'seen seen'").count == 3)
  }
}
