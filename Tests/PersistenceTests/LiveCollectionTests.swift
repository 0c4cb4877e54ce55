import Persistence
import Testing

@Suite("Collections that stand for a relationship")
struct LiveCollectionTests {
  /// Every change is made to the relationship's set and to a plain one; whatever can be read of them
  /// must be the same afterwards.
  @Test(arguments: Backend.allCases)
  func anOrderedOneBehavesLikeAPlainOne(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book")
    let chapters = (0..<8).map { _ in stack.insert("Chapter") }
    let live = book.mutableOrderedSetValue(forKey: "chapters")
    let plain = NSMutableOrderedSet()
    var random = Dice(state: 7)
    for _ in 0..<600 {
      change(live, plain, chapters, &random)
      expectSame(live, plain)
      let stored = try #require(book.value(forKey: "chapters") as? NSOrderedSet)
      #expect(stored.array as? [ManagedObject] == plain.array as? [ManagedObject])
      for chapter in chapters {
        #expect((chapter.value(forKey: "book") != nil) == plain.contains(chapter))
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func anOrderedOneHearsOfChangesFromTheOtherSide(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let (book, chapter) = (stack.insert("Book"), stack.insert("Chapter"))
    let live = book.mutableOrderedSetValue(forKey: "chapters")
    chapter.setValue(book, forKey: "book")
    #expect(live.firstObject as? ManagedObject === chapter)
    chapter.setValue(nil, forKey: "book")
    #expect(live.array.isEmpty)
  }

  private func change(
    _ live: NSMutableOrderedSet, _ plain: NSMutableOrderedSet, _ all: [ManagedObject],
    _ random: inout Dice
  ) {
    let object = all[random.below(all.count)]
    let some = all.filter { _ in random.below(2) == 0 }
    let (count, kind) = (plain.count, random.below(14))
    let index = random.below(max(count, 1))
    for set in [live, plain] {
      switch kind {
      case 0, 1, 2: set.add(object)
      case 3: set.insert(object, at: min(index, set.count))
      case 4: set.addObjects(from: some)
      case 5: set.union(NSOrderedSet(array: some))
      case 6: set.remove(object)
      case 7 where count > 0: set.removeObject(at: index)
      case 8: set.removeObjects(in: some)
      case 9: set.minus(NSOrderedSet(array: some))
      case 10 where random.isRare: set.removeAllObjects()
      case 11 where count > 1: set.exchangeObject(at: 0, withObjectAt: index)
      case 12 where count > 0: set.moveObjects(at: [index], to: 0)
      case 13: set.sort(comparator: Self.byIdentifier)
      default: break
      }
    }
  }

  private static func byIdentifier(_ a: Any, _ b: Any) -> ComparisonResult {
    let (a, b) = (
      "\((a as? ManagedObject)?.objectID as Any)", "\((b as? ManagedObject)?.objectID as Any)"
    )
    return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
  }

  private func expectSame(_ live: NSMutableOrderedSet, _ plain: NSMutableOrderedSet) {
    func objects(_ any: [Any]) -> [ManagedObject] { any.compactMap { $0 as? ManagedObject } }
    let wanted = objects(plain.array)
    #expect(live.count == wanted.count)
    #expect(objects(live.array) == wanted)
    #expect(objects(Array(live)) == wanted)
    #expect(objects(live.reversed.array) == wanted.reversed())
    #expect(live.firstObject as? ManagedObject === wanted.first)
    #expect(live.lastObject as? ManagedObject === wanted.last)
    #expect(live.set == plain.set)
    #expect(objects((live.copy() as? NSOrderedSet)?.array ?? []) == wanted)
    #expect(objects(NSOrderedSet(orderedSet: live).array) == wanted)
    #expect(live.isEqual(to: plain))
    for (index, object) in wanted.enumerated() {
      #expect(live.index(of: object) == index && live.contains(object))
    }
  }
}

/// Numbers that are the same in every run.
private struct Dice {
  var state: UInt64
  var isRare: Bool { state % 4 == 0 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
