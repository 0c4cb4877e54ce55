import Foundation
import TestSupport
import Testing

/// How `heavyweight diff` ends, and what it leaves behind.
@Suite(.tags(.process), .tiered)
struct DiffCommandTests {
  /// A folder with the stores `a.sqlite` and `b.sqlite` that `run` made.
  private func folder(_ a: String, _ b: String, version b2: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, books) in [("a", a), ("b", b)] {
      try folder.write(
        """
        scenario: Books
        models: { v1: { Book: { title: string, pages: int32 = 0 } } }
        seed: { Book: [\(books)] }
        expect: [{ count: { Book: 1 } }]

        """, to: "\(name).scenario.yaml")
      let made = try Tool.run(["run", "\(name).scenario.yaml", "--keep", "Kept"], in: folder)
      try #require(made.status == 0)
      try FileManager.default.moveItem(
        at: folder.url.appending(path: "Kept/\(name).v1.run/store.sqlite"),
        to: folder.url.appending(path: "\(name).sqlite"))
    }
    return folder
  }

  private func files(_ folder: TemporaryFolder) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, (try? Data(contentsOf: folder.url.appending(path: $0))) ?? Data())
      })
  }

  @Test func equalStoresEndWith0AndNothingIsWritten() throws {
    let folder = try folder("{ title: One }", "{ title: One }")
    let before = try files(folder)
    let result = try Tool.run(["diff", "a.sqlite", "b.sqlite"], in: folder)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.contains("\nequal: 1 object, in "))
    #expect(try files(folder) == before)
  }

  @Test func differentStoresEndWith1() throws {
    let folder = try folder("{ title: One, pages: 3 }", "{ title: One, pages: 4 }")
    let result = try Tool.run(
      ["diff", "a.sqlite", "b.sqlite", "--identity", "Book=title", "--json", "report.json"],
      in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("  ~ Book { title: \"One\" }\n      pages: 3 -> 4\n"))
    let ignored = try Tool.run(
      ["diff", "a.sqlite", "b.sqlite", "--ignore", "Book.pages"], in: folder)
    #expect(ignored.status == 0)
    let nothing = try Tool.run(["diff", "a.sqlite", "b.sqlite", "--ignore", "Book"], in: folder)
    #expect(nothing.status == 5)
    #expect(nothing.output.hasSuffix("\nnothing was compared\n"))
  }

  @Test func machinesGetJSON() throws {
    let folder = try folder("{ title: One }", "{ title: Two }")
    let result = try Tool.run(
      ["diff", "a.sqlite", "b.sqlite", "--json", "--limit", "0"], in: folder)
    #expect(result.status == 1)
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    #expect((json?["objects"] as? [Any])?.isEmpty == true)
    #expect((json?["totals"] as? [String: Int])?["onlyInA"] == 1)
  }

  /// Links, their order and properties that only one store has.
  @Test func everyKindOfDifferenceFollowsTheSchema() throws {
    let folder = try TemporaryFolder()
    func store(_ name: String, _ model: String, _ seed: String) throws {
      try folder.write(
        """
        scenario: \(name)
        models: { v1: { \(model) } }
        seed:
        \(seed)
        expect: [{ count: { List: 1 } }]
        """, to: "\(name).scenario.yaml")
      let result = try Tool.run(
        ["run", "\(name).scenario.yaml", "--backend", "sqlite", "--keep", name], in: folder)
      #expect(result.status == 0, "\(result)")
      let kept = try FileManager.default.subpathsOfDirectory(
        atPath: folder.url.appending(path: name).path)
      try FileManager.default.moveItem(
        at: folder.url.appending(
          path: "\(name)/\(try #require(kept.first { $0.hasSuffix(".sqlite") }))"),
        to: folder.url.appending(path: "\(name).sqlite"))
    }
    let items = """
        Item:
          - { id: one, name: one, price: 1.5 }
          - { id: two, name: two, price: 2 }
          - { id: three, name: three }
      """
    let list = "items: \"[Item] <-> lists ordered\", first: Item?"
    let item = "Item: { name: string, price: double?, lists: \"[List] <-> items\" }"
    try store(
      "a", "List: { title: string, \(list) }, \(item), Old: { x: int64? }",
      items + "\n  List: [{ title: L, items: [one, two], first: one }]\n  Old: [{ x: 1 }]")
    try store(
      "b", "List: { title: string, note: string?, \(list) }, \(item)",
      items.replacing("price: 2 ", with: "price: 3 ")
        + "\n  List: [{ title: L, note: N, items: [three, two, one] }]")
    let identity = ["--identity", "List=title", "--identity", "Item=name"]
    let result = try Tool.run(["diff", "a.sqlite", "b.sqlite", "--json"] + identity, in: folder)
    #expect(result.status == 1, "\(result.errors)")
    for key in ["moved", "onlyInB", "uriInA", "valueCount", "onlyInModelOfA"] {
      #expect(result.output.contains("\"\(key)\""), "\(key)\n\(result.output)")
    }
    let told = try Tool.run(
      ["diff", "a.sqlite", "b.sqlite", "--github", "--limit", "1"] + identity, in: folder)
    #expect(told.output.contains("\n::error file=b.sqlite,title=heavyweight diff%3A "))
  }

  @Test func badInputEndsWith2() throws {
    let folder = try folder("{ title: One }", "{ title: One }")
    let missing = try Tool.run(["diff", "a.sqlite", "c.sqlite"], in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.contains("c.sqlite"))
    try folder.write("no store", to: "text.sqlite")
    let text = try Tool.run(["diff", "text.sqlite", "b.sqlite"], in: folder)
    #expect(text.status == 2)
    #expect(text.errors.contains("text.sqlite"))
    let rule = try Tool.run(
      ["diff", "a.sqlite", "b.sqlite", "--identity", "Book=titel"], in: folder)
    #expect(rule.status == 2)
    #expect(rule.errors.contains("did you mean 'title'?"))
    let models = try Tool.run(
      ["diff", "a.sqlite", "b.sqlite", "--models", "No.xcdatamodeld"], in: folder)
    #expect(models.status == 2)
    #expect(models.errors.contains("No.xcdatamodeld"))
    #expect(try Tool.run(["diff", "a.sqlite"], in: folder).status == 2)
  }
}
