import Predicates
import TestSupport
import Testing

/// A predicate selects the same objects in memory and in SQLite.
@Suite struct SQLAgreementTests {
  /// Writes random conditions on owners; nearly all have SQL.
  struct Writer {
    var random: RandomSource
    let objects: [String: [KennelRow]]
    private(set) var arguments: [Any?] = []

    init(seed: UInt64, objects: [String: [KennelRow]]) {
      random = RandomSource(seed: seed)
      self.objects = objects
    }

    mutating func condition(depth: Int = 3) -> String {
      guard depth > 0 else { return comparison() }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return "NOT (\(condition(depth: depth - 1)))"
      case 1: return "(\(condition(depth: depth - 1)) AND \(condition(depth: depth - 1)))"
      case 2: return "(\(condition(depth: depth - 1)) OR \(condition(depth: depth - 1)))"
      default: return comparison()
      }
    }

    private mutating func comparison() -> String {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...2: text(["name", "nick", "city.name"])
      case 3...4:
        number(["age", "limit", "height", "fee", "vip", "city.people", "age + limit", "height * 2"])
      case 5: other()
      case 6: object()
      case 7: quantifier() + " " + text(["pets.name", "tags.name", "city.owners.name"])
      case 8: quantifier() + " " + number(["pets.age", "pets.weight", "pets.owner.age"])
      case 9:
        number([
          "pets.@count", "tags.@count", "pets.@sum.age", "pets.@avg.age", "pets.@min.weight",
          "pets.@max.age", "pets[SIZE]", "city.owners.@count",
        ])
      case 10: subquery()
      default: membership()
      }
    }

    private mutating func quantifier() -> String { pick(["ANY", "ALL", "NONE"]) }

    private mutating func text(_ paths: [String]) -> String {
      let path = pick(paths)
      let options = pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        return
          "\(path) \(pick(["==", "!=", "<", ">="]))\(options) \(pick([textConstant(), "nick", "nil"]))"
      case 1:
        return
          "\(path) IN\(options) {\(textConstant()), \(pick(["nil", "name", "5"])), \(textConstant())}"
      case 2: return "\(path) MATCHES\(options) \(pick(["'.*n.*'", "'[Aa]..a?'", "''"]))"
      case 3:
        return
          "\(path) LIKE\(options) \(pick(["'*'", "'a*'", "'?n*'", "'*\\\\**'", "'[n]'", "'???'", "'Ä*'", "''"]))"
      default:
        let part = pick([textConstant(), "name", "nick", "'n'", "'ä'", "nil"])
        return "\(path) \(pick(["BEGINSWITH", "ENDSWITH", "CONTAINS"]))\(options) \(part)"
      }
    }

    private mutating func textConstant() -> String { "'\(pick(KennelDatabase.texts))'" }

    private mutating func number(_ paths: [String]) -> String {
      let path = pick(paths)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return "\(path) BETWEEN {\(numberConstant()), \(pick(["age", numberConstant()]))}"
      case 1: return "\(path) IN {\(numberConstant()), \(pick(["nil", "age", "'a'"])), 2}"
      default:
        let sign = pick(["==", "!=", "<", "<=", ">", ">="])
        return "\(path) \(sign) \(pick([numberConstant(), "age", "height", "fee", "nil"]))"
      }
    }

    private mutating func numberConstant() -> String {
      pick([
        "-1", "0", "1", "2", "0.5", "2.0", "9223372036854775807", "1 + 1",
        "CAST('0.5', 'NSDecimalNumber')",
      ])
    }

    private mutating func other() -> String {
      pick([
        "born \(pick(["==", "!=", "<", ">="])) CAST(\(pick(["0", "2"])), 'NSDate')",
        "born BETWEEN {CAST(0, 'NSDate'), CAST(2, 'NSDate')}",
        "uid == CAST('03000000-0000-0000-0000-0000000000C8', 'NSUUID')",
        "uid > CAST('03000000-0000-0000-0000-0000000000C8', 'NSUUID')",
        "site IN {CAST('http://a.b/1', 'NSURL'), CAST('http://a.b/2', 'NSURL')}",
        "photo \(pick(["==", "!="])) nil", "TRUEPREDICATE", "FALSEPREDICATE", "'a' < 'b'",
      ])
    }

    private mutating func object() -> String {
      let entity = pick(["Owner", "City", "Pet"])
      let object = objects[entity]?.randomElement(using: &random)
      switch entity {
      case "City":
        arguments.append(object)
        return "city \(pick(["==", "!="])) %@"
      case "Pet":
        arguments.append(object)
        return pick(["ANY pets == %@", "pets CONTAINS %@", "%@ IN pets", "NONE pets == %@"])
      default:
        let others = (0..<12).compactMap { _ in objects["Owner"]?.randomElement(using: &random) }
        arguments.append(others)
        return pick(["SELF IN %@", "NOT SELF IN %@", "ANY pets.owner IN %@"])
      }
    }

    private mutating func subquery() -> String {
      let inner = pick([
        "$p.age > age", "$p.age > 1 AND NOT $p.name == nick", "$p.owner == SELF",
        "SUBQUERY($p.owner.pets, $q, $q.age > $p.age).@count > 1", "$p.name BEGINSWITH[c] 'a'",
      ])
      return "SUBQUERY(pets, $p, \(inner)).@count \(pick(["==", ">", "!="])) \(pick(["0", "1"]))"
    }

    private mutating func membership() -> String {
      pick([
        "\(textConstant()) IN pets.name", "nick IN tags.name", "tags.name CONTAINS[c] name",
        "'n' IN name", "name IN nick", "age IN pets.age", "nil IN pets.name",
        "pets.name CONTAINS nil",
      ])
    }

    private mutating func pick(_ choices: [String]) -> String {
      choices[Int.random(in: choices.indices, using: &random)]
    }
  }

  @Test func sameObjectsAreSelected() throws {
    var translated = 0
    var total = 0
    for _ in 0..<6 {
      let seed = UInt64.random(in: .min ... .max)
      let database = try KennelDatabase(seed: seed)
      for step in 0..<100 {
        total += 1
        if try agree(database, seed &+ UInt64(step), "seed \(seed), step \(step)") {
          translated += 1
        }
      }
    }
    #expect(Double(translated) > 0.8 * Double(total), "\(translated) of \(total) had SQL")
  }

  /// - Returns: Whether there was SQL to compare.
  private func agree(_ database: KennelDatabase, _ seed: UInt64, _ place: Comment) throws -> Bool {
    var writer = Writer(seed: seed, objects: database.rows)
    let format = writer.condition()
    let predicate = try Predicate.parse(format, arguments: writer.arguments)
    let fragment: SQLFragment
    do {
      fragment = try SQLTranslator(schema: database.kennel)
        .translate(predicate, entity: database.kennel.owner)
    } catch is UntranslatablePredicate {
      return false
    }
    let selected = try database.keys(meeting: fragment)
    let expected = try (database.rows["Owner"] ?? []).filter {
      try predicate.evaluate(keyed: $0)
    }.map(\.key)
    #expect(selected == expected, "\(place): \(format)\n\(fragment.sql)\n\(fragment.bindings)")
    return true
  }
}
