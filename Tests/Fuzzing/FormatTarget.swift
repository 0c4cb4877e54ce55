import Commands
import Foundation
import Persistence
import TestSupport

/// Predicate formats: parsed, printed, parsed again, and fetched by from both stores.
struct FormatTarget: FuzzTarget {
  static let name = "formats"
  private let contexts: [ManagedObjectContext]
  private let coordinators: [PersistentStoreCoordinator]

  init(folder: URL) throws {
    let model = try VersionedModel.load(
      contentsOf: Samples.package.appending(path: "Scenarios/Migrators/Cookbook.xcdatamodeld")
    ).versions[1]
    let sqlite = try SQLiteStore.create(
      at: folder.appending(path: "formats.sqlite"), model: model)
    let stores: [PersistentStore] = [InMemoryStore(model: model), sqlite]
    coordinators = stores.map { (store: PersistentStore) in
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
      coordinator.add(store)
      return coordinator
    }
    contexts = coordinators.map { ManagedObjectContext(coordinator: $0) }
    for context in contexts {
      for number in 0..<3 {
        let author = EntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("Ada \(number)", forKey: "name")
        let recipe = EntityDescription.insertNewObject(forEntityName: "Recipe", into: context)
        recipe.setValue("Soup \(number)", forKey: "title")
        recipe.setValue("\(number) h", forKey: "duration")
        recipe.setValue(author, forKey: "author")
      }
      try context.save()
    }
  }

  let seeds: [Data] = [
    "title == 'Soup' AND author.name BEGINSWITH[cd] \"A\"",
    "NOT (title IN {'a', 'b', nil}) OR 1 + 2 * 3 > 4 ** 5",
    "SUBQUERY(author.recipes, $r, $r.title LIKE 'S*' && $r != SELF).@count BETWEEN {1, 5}",
    "ANY author.recipes.title MATCHES '[A-Z].*'", "FUNCTION(title, 'length') > 3",
    "TERNARY(title = nil, 'x', title) CONTAINS[n] 'o'", "CAST(0, 'NSDate') <= now()",
    "author.recipes[FIRST].title == $x",
    "sum({1, 2, 3}) == average:({2}) AND @avg.x != 3",
    "FETCH(FUNCTION($m, 'f:', 'x'), $c, YES) == 3",
    "author.recipes.@sum.cents > 0x1F AND NONE author.recipes.title == %@",
    "title TOKENMATCHES[cdl] 'a b'",
  ].map { Data($0.utf8) }

  let words = [
    "(", ")", "{", "}", "[", "]", " AND ", " OR ", "NOT ", "!", "==", "!=", "<=", "IN ", "BETWEEN ",
    "LIKE ", "MATCHES ",
    "ANY ", "ALL ", "NONE ", "SELF", "$x", "nil", "TRUEPREDICATE", "SUBQUERY(", "TERNARY(",
    "FUNCTION(", "CAST(", "@count",
    "@distinctUnionOfObjects", "[FIRST]", "[SIZE]", "**", "-", "+1", "#title", "%K", "%@", "%d",
    "\\u0041", "'", "\"", "title", "author",
    "author.recipes", "1e308", "0x", ".", ",", "[cd]", ":=", "UNION ", "INTERSECT ", "MINUS ",
    "BLOCKPREDICATE",
  ]

  func input(_ random: inout RandomSource) -> Data? {
    guard Bool.random(using: &random) else { return nil }
    if Int.random(in: 0..<20, using: &random) == 0 { return Data(deep(&random).utf8) }
    return Data(predicate(&random, 5).utf8)
  }

  /// One thing very often.
  private func deep(_ random: inout RandomSource) -> String {
    let count = [100, 2_000, 20_000].randomElement(using: &random)!
    let (before, middle, after) = [
      ("(", "1 == 1", ")"), ("NOT ", "1 == 1", ""), ("", "title == 1", " + 1"), ("-", "1 == 1", ""),
      ("title == {", "1", "}"),
      ("", "title", "[0]"), ("", "title", ".a"), ("ANY ", "title == 1", ""),
      ("TERNARY(1 == 1, ", "1", ", 1)"), ("", "1 == 1", " AND 1 == 1"),
      ("title IN {1", "", ", 1"), ("1 == 1 OR ", "1 == 1", ""),
      ("SUBQUERY(a, $x, ", "1 == 1", ").@count == 1"), ("", "'a'", "'b'"), ("#", "a", ""),
    ].randomElement(using: &random)!
    return String(repeating: before, count: count) + middle + String(repeating: after, count: count)
  }

  private func predicate(_ random: inout RandomSource, _ depth: Int) -> String {
    if depth == 0 { return "title != nil" }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return "(\(predicate(&random, depth - 1)) AND \(predicate(&random, depth - 1)))"
    case 1: return "\(predicate(&random, depth - 1)) OR \(predicate(&random, depth - 1))"
    case 2: return "NOT (\(predicate(&random, depth - 1)))"
    default:
      let modifier = ["", "", "", "ANY ", "ALL ", "NONE ", "SOME "].randomElement(using: &random)!
      let comparison = [
        "==", "!=", "<", "=<", ">=", "IN", "CONTAINS[cd]", "LIKE[n]", "MATCHES", "BEGINSWITH",
        "ENDSWITH[c]", "BETWEEN", "<>",
      ].randomElement(using: &random)!
      return
        "\(modifier)\(expression(&random, depth - 1)) \(comparison) \(expression(&random, depth - 1))"
    }
  }

  private func expression(_ random: inout RandomSource, _ depth: Int) -> String {
    if depth <= 0 || Int.random(in: 0..<2, using: &random) == 0 {
      return [
        "title", "author", "author.name", "author.recipes", "author.recipes.title", "SELF", "nil",
        "1", "-2.5", "'a*'", "\"\\u00e9\"",
        "{}", "{1, 'b'}", "duration", "FALSE", "$v", "unknown", "author.recipes.@count", "now()",
        "'['", "'(a+)+$'",
      ].randomElement(using: &random)!
    }
    let (a, b) = (expression(&random, depth - 1), expression(&random, depth - 1))
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return "(\(a) + \(b))"
    case 1: return "\(a) * \(b)"
    case 2: return "{\(a), \(b)}"
    case 3: return "TERNARY(\(predicate(&random, depth - 1)), \(a), \(b))"
    case 4: return "SUBQUERY(author.recipes, $r, \(predicate(&random, depth - 1))).@count"
    case 5: return "uppercase(\(a))"
    case 6: return "modulus:by:(\(a), \(b))"
    case 7: return "\(a)[\(b)]"
    default:
      return
        "CAST(\(a), '\(["NSDate", "NSNumber", "NSString", "x"].randomElement(using: &random)!)')"
    }
  }

  func play(_ input: Data) throws {
    let format = String(decoding: input, as: UTF8.self)
    guard let predicate = try? Predicate.parse(format, arguments: ["a", "title", 1]) else { return }
    let text = predicate.predicateFormat
    try checkPrinted(text)
    for context in contexts {
      let request = FetchRequest<ManagedObject>(entityName: "Recipe")
      request.predicate = predicate
      // An error or an exception is an answer, too.
      _ = try? ExceptionTrap.catching { try context.fetch(request) }
    }
  }

  /// What is printed reads as the same again, if it reads: a constant of any object has no text.
  private func checkPrinted(_ text: String) throws {
    guard let again = try? Predicate.parse(text) else { return }
    let twice = again.predicateFormat
    if twice != text { throw Finding("printed as \(text), and read again as \(twice)") }
  }
}
