import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stores of different versions of a model.
@Suite struct ModelVersionsComparisonTests {
  private static let old = """
    { Writer: { name: string, age: int16?, books: "[Book] <-> author" }, \
    Book: { title: string, price: double = 0, author: "Writer? <-> books" }, \
    Note: { text: string } }
    """
  private static let new = """
    { Author: { .was: Writer, fullName: string was name, books: "[Book] <-> author" }, \
    Book: { title: string, price: decimal = 0, pages: int32 = 7, author: "Author? <-> books" } }
    """
  private static let oldSeed = """
    { Writer: [{ id: w, name: Ann, age: 40 }], Book: [{ title: One, price: 2.5, author: w }] }
    """
  private static let newSeed = """
    { Author: [{ id: w, fullName: Ann }], Book: [{ title: One, price: 2.5, author: w }] }
    """

  @Test(arguments: Backend.allCases, [false, true])
  func renamesAreFollowedInBothDirections(on backend: Backend, isNewFirst: Bool) throws {
    let stores = try SeededStores(backend)
    let old = try stores.store(Self.old, Self.oldSeed)
    let new = try stores.store(Self.new, Self.newSeed)
    let found = isNewFirst ? try differences(new, old) : try differences(old, new)
    #expect(found.isEmpty)
    let names = found.entities.map(\.names).map { isNewFirst ? Both($0.b, $0.a) : $0 }
    #expect(Set(names.map { "\($0.a) \($0.b)" }) == ["Writer Author", "Book Book"])
  }

  @Test func whatOnlyOneModelHasIsToldAndDoesNotCount() throws {
    let stores = try SeededStores(.sqlite)
    let a = try stores.store(Self.old, Self.oldSeed)
    let b = try stores.store(Self.new, Self.newSeed)
    var found = try differences(a, b)
    found.seconds = 0.25
    #expect(
      found.plainText == """
        A  a.sqlite  version v
        B  b.sqlite  version v

           entity                matched by  in A  in B  equal  changed  only A  only B
           Book                  row number     1     1      1        0       0       0
           Writer (Author in B)  row number     1     1      1        0       0       0

           only A has entities without objects: Note
           only A has Writer.age (set in 1)
           only B has Book.pages (set in 1)

        equal: 2 objects, in 250 ms

        """)
  }

  @Test(arguments: Backend.allCases)
  func objectsOfAnEntityThatOnlyOneModelHasCount(on backend: Backend) throws {
    let stores = try SeededStores(backend)
    let a = try stores.store(Self.old, "{ Note: [{ text: x }, { text: y }] }")
    let b = try stores.store(Self.new, "{ Book: [] }")
    let found = try differences(a, b)
    #expect(found.differenceCount == 2)
    #expect(found.exitStatus == .failed)
    #expect(found.plainText.contains("only A has the entity Note: 2 objects\n"))
  }

  @Test(arguments: Backend.allCases)
  func changedValuesAreFoundAcrossRenames(on backend: Backend) throws {
    let stores = try SeededStores(backend)
    let a = try stores.store(Self.old, Self.oldSeed)
    let b = try stores.store(Self.new, Self.newSeed.replacing("Ann", with: "Eve"))
    let found = try differences(a, b, identity: ["Author=.row"])
    #expect(found.listing == ["~ Writer p1 { age: 40, name: \"Ann\" } name (fullName in B)"])
  }

  @Test func whatOneModelCannotHoldIsNotEqual() throws {
    let stores = try SeededStores(.sqlite)
    let old = """
      { List: { n: int64, rows: "[Row] <-> lists ordered" }, Row: { lists: "[List] <-> rows" } }
      """
    let new = old.replacing("int64", with: "double").replacing(" ordered", with: "")
    let a = try stores.store(old, "{ List: [{ n: 9007199254740993 }, { n: 5 }] }")
    let b = try stores.store(new, "{ List: [{ n: 9007199254740992 }, { n: 5 }] }")
    let found = try differences(a, b)
    #expect(found.listing == ["~ List p1 { n: 9007199254740993 } n"])
    #expect(found.plainText.contains("   only A has List.rows in an order\n"))
  }
}
