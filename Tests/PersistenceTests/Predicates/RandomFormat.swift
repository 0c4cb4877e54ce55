import TestSupport

/// Writes random conditions on persons in the format language: nearly all are meaningful, some
/// can't be evaluated, some have no SQL.
struct RandomFormat {
  var random: RandomSource
  /// Whether only attributes of the object itself are asked about.
  private var isOwn = false

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  mutating func condition(depth: Int = 3) -> String {
    guard depth > 0 else { return comparison() }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return "NOT (\(condition(depth: depth - 1)))"
    case 1: return "(\(condition(depth: depth - 1)) AND \(condition(depth: depth - 1)))"
    case 2: return "(\(condition(depth: depth - 1)) OR \(condition(depth: depth - 1)))"
    default: return comparison()
    }
  }

  /// A condition that looks at nothing but the attributes of the object itself.
  mutating func ownCondition(depth: Int = 2) -> String {
    isOwn = true
    let kind = depth > 0 ? Int.random(in: 0..<6, using: &random) : 5
    switch kind {
    case 0: return "NOT (\(ownCondition(depth: depth - 1)))"
    case 1: return "(\(ownCondition(depth: depth - 1)) AND \(ownCondition(depth: depth - 1)))"
    case 2: return "(\(ownCondition(depth: depth - 1)) OR \(ownCondition(depth: depth - 1)))"
    case 3: return texts(pick(["name", "nick", "SELF.name", "TERNARY(vip == 1, name, nick)"]))
    default: return numbers(pick(["age", "limit", "height", "fee", "vip", "age + limit"]))
    }
  }

  private mutating func comparison() -> String {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: return texts(textPath())
    case 3...4: return numbers(numberPath())
    case 5: return pick(["ANY", "ALL", "NONE", "SOME"]) + " " + texts(textsPath())
    case 6: return pick(["ANY", "ALL", "NONE"]) + " " + numbers(numbersPath())
    case 7: return objects()
    case 8: return subquery()
    case 9: return membership()
    case 10: return dates()
    case 11: return pick(["", "NOT "]) + pick(["TRUEPREDICATE", "FALSEPREDICATE", "'a' < 'b'"])
    case 12: return odd()
    default: return "\(number()) \(order()) \(number())"
    }
  }

  // MARK: Text

  private mutating func texts(_ path: String) -> String {
    let options = pick(["", "", "", "[c]", "[d]", "[cd]", "[n]", "[l]"])
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(path) \(order())\(options) \(pick([text(), textPath(), "nil"]))"
    case 1: return "\(path) IN\(options) {\(text()), \(pick(["nil", textPath(), "5"])), \(text())}"
    case 2: return "\(path) MATCHES\(options) \(pick(["'.*n.*'", "'[Aa]..a?'", "''", "'.'"]))"
    case 3: return "\(path) LIKE\(options) \(pattern())"
    case 4: return "\(path) BETWEEN {\(text()), \(pick([text(), "nick"]))}"
    default:
      let word = pick(["BEGINSWITH", "ENDSWITH", "CONTAINS"])
      return "\(path) \(word)\(options) \(pick([text(), "'n'", "name", "nil", "''"]))"
    }
  }

  private mutating func pattern() -> String {
    pick(["'*'", "'a*'", "'?n*'", "'*\\\\**'", "'[n]'", "'????'", "'Ä*'", "''", "'*nn?'"])
  }

  private mutating func text() -> String {
    "'\(pick(RandomRows.texts))'"
  }

  private mutating func textPath() -> String {
    if isOwn { return pick(["name", "nick", "SELF.name", "uppercase(name)"]) }
    return pick([
      "name", "nick", "city.name", "boss.name", "SELF.name", "boss.city.name",
      "TERNARY(vip == 1, name, nick)", "uppercase(name)", "lowercase(nick)",
      "CAST(age, 'NSString')",
    ])
  }

  private mutating func textsPath() -> String {
    pick([
      "pets.name", "tags.name", "friends.name", "city.owners.name", "reports.nick",
      "boss.pets.name",
    ])
  }

  // MARK: Numbers

  private mutating func numbers(_ path: String) -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: "\(path) BETWEEN {\(constant()), \(pick(["age", constant()]))}"
    case 1: "\(path) IN {\(constant()), \(pick(["nil", "age", "'a'"])), 2}"
    default: "\(path) \(order()) \(pick(["limit", "height", "nil", constant()]))"
    }
  }

  private mutating func number() -> String {
    let path = numberPath()
    return pick([
      path, path, constant(), "\(path) + \(constant())", "\(path) * 2", "age - \(path)",
      "(age & 1)", "abs(\(path))", "noindex(\(path))", "\(path) / 2.0", "\(path) / -1", "age / 2",
      "limit / age",
      "modulus:by:(\(path), 3)", "modulus:by:(limit, -1)", "TERNARY(age > 1, \(path), height)",
    ])
  }

  private mutating func constant() -> String {
    pick([
      "-1", "0", "1", "2", "0.5", "2.0", "9223372036854775807", "-9223372036854775808",
      "9007199254740993", "1 + 1", "CAST('0.5', 'NSDecimalNumber')", "1e300",
    ])
  }

  private mutating func numberPath() -> String {
    pick([
      "age", "limit", "height", "fee", "vip", "city.people", "boss.age", "pets.@count",
      "tags.@count", "friends.@count", "reports[SIZE]", "pets.@sum.age", "pets.@avg.age",
      "pets.@min.weight", "pets.@max.age", "city.owners.@count", "name.length",
      "reports.@sum.limit", "friends.@avg.limit", "reports.@sum.vip",
    ])
  }

  private mutating func numbersPath() -> String {
    pick([
      "pets.age", "pets.weight", "friends.age", "reports.limit", "city.owners.age",
      "pets.owner.limit",
    ])
  }

  private mutating func order() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

  // MARK: Others

  private mutating func dates() -> String {
    let sign = order()
    return pick([
      "born \(sign) CAST(0.5, 'NSDate')", "born BETWEEN {CAST(0, 'NSDate'), CAST(1, 'NSDate')}",
      "born \(sign) boss.born", "born == nil", "born - CAST(0, 'NSDate') \(sign) 1",
    ])
  }

  /// Objects are variables, named after the place of their row.
  private mutating func objects() -> String {
    let (city, pet, person) = (object(0..<3), object(14..<22), object(6..<14))
    return pick([
      "city == \(city)", "city != \(city)", "ANY pets == \(pet)", "pets CONTAINS \(pet)",
      "\(pet) IN pets", "NONE pets == \(pet)", "SELF == \(person)", "SELF IN {\(person), \(city)}",
      "boss IN {\(person), nil}", "friends CONTAINS boss", "ANY friends == \(person)",
      "boss == SELF", "ANY pets.owner == boss", "boss.boss == \(person)",
    ])
  }

  private mutating func object(_ range: Range<Int>) -> String {
    "$o\(Int.random(in: range, using: &random))"
  }

  private mutating func subquery() -> String {
    let inner = pick([
      "$p.age > age", "$p.age > 1 AND NOT $p.name == nick", "$p.owner == SELF",
      "SUBQUERY($p.owner.pets, $q, $q.age > $p.age).@count > 1", "$p.name BEGINSWITH[c] 'a'",
      "$p.owner.boss == nil", "$p.name == 'a' OR ANY $p.owner.tags.name == 'a'",
    ])
    return "SUBQUERY(pets, $p, \(inner)).@count \(order()) \(pick(["0", "1"]))"
  }

  private mutating func membership() -> String {
    pick([
      "\(text()) IN pets.name", "nick IN tags.name", "tags.name CONTAINS[c] name", "'n' IN name",
      "name IN nick", "age IN pets.age", "nil IN pets.name", "pets.name CONTAINS nil",
      "age IN {1, 2} UNION {3}", "age IN {1, 2, 3} MINUS {2}", "{1, 2.0, nil} CONTAINS age",
      "{'a', 'Anna'} CONTAINS[c] name",
      "{nil, 5} CONTAINS[cd] nick", "{} CONTAINS name",
    ])
  }

  /// Conditions that can't be evaluated for some objects, or for all.
  private mutating func odd() -> String {
    pick([
      "age > 'x'", "ANY age > 1", "pets > 1", "name == 5", "salary > 1", "nothing == 1",
      "name BETWEEN {1, 2}", "age CONTAINS 1", "pets == nil", "name > nil", "$unbound == 1",
      "pets.age == 1", "fee / 0 == 1", "name + 1 == 2", "city > boss", "photo == nil",
      "pets[FIRST] == nil", "ANY pets.owner.pets.age > 1", "name MATCHES '('",
    ])
  }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: choices.indices, using: &random)]
  }
}
