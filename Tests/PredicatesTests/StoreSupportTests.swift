import Predicates
import Testing

/// What Core Data's SQLite store refuses, with the text of its exception.
@Suite struct StoreSupportTests {
  private let kennel: Kennel
  init() throws { kennel = try Kennel() }

  private func refusal(_ predicate: Predicate) -> String? {
    do {
      try StoreSupport(entity: kennel.owner).check(predicate)
      return nil
    } catch { return "\(error)" }
  }

  static let refused: [(format: String, text: String)] = [
    ("ALL pets.age > 2", "unimplemented SQL generation for predicate : (ALL pets.age > 2)"),
    ("NOT ALL pets.age > 2", "unimplemented SQL generation for predicate : (ALL pets.age > 2)"),
    ("ANY age > 2", "unimplemented SQL generation for predicate : (ANY age > 2)"),
    ("photo CONTAINS 'x'", "unimplemented SQL generation for predicate : (photo CONTAINS \"x\")"),
    ("AGE == 1", "keypath AGE not found in entity Owner"),
    ("name == 'x' OR name.length > 3", "keypath name.length not found in entity Owner"),
    ("city.mayor == nil", "keypath city.mayor not found in entity Owner"),
    ("ANY pets.nick == 'x'", "keypath pets.nick not found in entity Owner"),
    ("SUBQUERY(pets, $p, $p.nick == 'x').@count > 0", "keypath nick not found in entity Pet"),
    ("pets.age > 3", "to-many key not allowed here: pets.age"),
    ("pets == nil", "to-many key not allowed here: pets"),
    ("3 == pets.age + 1", "to-many key not allowed here: pets.age"),
    ("pets.name CONTAINS 'Rex'", "to-many key not allowed here: pets.name"),
    ("'Rex' IN pets.name", "to-many key not allowed here: pets.name"),
    (
      "ANY city.owners.pets.age > 3", "multiple to-many keys not allowed here: city.owners.pets.age"
    ),
    ("tags.owners.@count > 1", "multiple to-many keys not allowed here: tags.owners.@count"),
    ("pets[0].age > 1", "Unsupported function expression pets[0]"),
    ("pets[FIRST].age > 1", "Unsupported function expression pets[FIRST]"),
    (
      "'a' IN pets.@unionOfObjects.name",
      "Unsupported function expression pets.@unionOfObjects.name"
    ),
    ("pets.@median.age > 1", "Unsupported function expression pets.@median.age"),
    ("age.@count > 1", "Unsupported function expression age.@count"),
    (
      "SUBQUERY(age, $a, $a > 1).@count > 0",
      "Unsupported function expression SUBQUERY(age, $a, $a > 1)"
    ),
    (
      "FUNCTION(name, 'lowercaseString') == 'a'",
      "Unsupported function expression FUNCTION(name, \"lowercaseString\")"
    ),
    ("pets UNION tags == nil", "Unsupported function expression pets UNION tags"),
    ("ANYKEY == 1", "Unsupported function expression ANYKEY"),
  ]

  @Test(arguments: refused)
  func isRefused(format: String, text: String) throws {
    #expect(refusal(try Predicate.parse(format)) == text)
  }

  @Test func codeIsRefused() {
    let block = Predicate(block: { _, _ in true })
    #expect(refusal(block) == "Unsupported predicate BLOCKPREDICATE")
    #expect(refusal(CompoundPredicate(notPredicateWithSubpredicate: block)) != nil)
    let expression = ComparisonPredicate(
      leftExpression: Expression(block: { _, _, _ in 1 }),
      rightExpression: Expression(forConstantValue: 1), type: .equalTo)
    #expect(refusal(expression) == "Unsupported function expression BLOCK()")
  }

  @Test(arguments: [
    "name < nil", "age >= nil", "name BEGINSWITH nil", "name CONTAINS[c] nil", "name LIKE nil",
    "age IN nil",
    "age BETWEEN nil",
  ])
  func nilIsNothingToCompareWith(format: String) throws {
    #expect(refusal(try Predicate.parse(format))?.hasPrefix("Invalid predicate: nil RHS") == true)
  }

  @Test(arguments: [
    "median:(pets.age) > 1", "mode:(pets.age) > 1", "stddev:(pets.age) > 1", "count:(pets) > 1",
    "count:(city) > 0", "count:(name) > 0", "TERNARY(age > 1, 1, 2) IN {1}",
  ])
  func functionsWithoutSQLAreRefused(format: String) throws {
    #expect(refusal(try Predicate.parse(format)) != nil)
  }

  @Test func sortsByIdentifierAreRefused() {
    #expect(throws: UnsupportedByStore.self) {
      try StoreSupport(entity: kennel.owner).check(sortKey: "objectID")
    }
  }

  @Test(arguments: [
    "ANY age == 1", "ANY age IN {1, 2}", "ANY city.name IN {'a'}",
    "count:(SUBQUERY(pets, $p, $p.age > 1)) > 1",
    "SUBQUERY(pets, $p, ANY $p.age IN {1}).@count > 0", "name == nil", "name != nil",
    "name == 'x' AND age BETWEEN {1, limit}", "name MATCHES '.*'", "name LIKE[cd] 'a*'",
    "ANY pets.age > 3", "NONE tags.name == 'x'", "pets CONTAINS %@", "%@ IN pets", "SELF IN %@",
    "pets.@count > 1 AND pets.@sum.age > 2 AND pets.@avg.age < 3", "pets[SIZE] == 2",
    "city.name == nil AND city.owners.@count > 1",
    "SUBQUERY(pets, $p, $p.owner == SELF).@count > 0",
    "SUBQUERY(pets, $p, SUBQUERY($p.owner.tags, $t, $t.name == 'a').@count > 0).@count > 0",
    "TERNARY(vip == 1, name, nick) == 'x'", "CAST(age, 'NSString') == '1'", "age IN {1, limit}",
    "age IN {1} UNION {2}", "TRUEPREDICATE", "entity == %@", "SELF.name == 'x'", "abs(age) == 1",
    "city.objectID == nil", "entity.name == 'Owner'",
    "max(pets.age) > 3", "age == $n",
  ])
  func isTaken(format: String) throws {
    #expect(refusal(try Predicate.parse(format, arguments: [kennel, kennel])) == nil)
  }

  @Test func elementsOfCompositeAttributesAreStored() throws {
    let place = EntityDescription(name: "Place")
    let address = CompositeAttributeDescription(name: "address", type: .composite)
    address.elements = [AttributeDescription(name: "city", type: .string)]
    place.ownProperties = [address]
    let model = try ManagedObjectModel(entities: [place])
    let entity = try #require(model.entitiesByName["Place"])
    let support = StoreSupport(entity: entity)
    try support.check(Predicate.parse("address.city == 'Oslo'"))
    #expect(throws: UnsupportedByStore.self) {
      try support.check(Predicate.parse("address.street == 'x'"))
    }
  }

  @Test func sortKeysAreStoredValues() throws {
    let support = StoreSupport(entity: kennel.owner)
    try support.check(sortKey: "city.name")
    func text(_ key: String) -> String? {
      do {
        try support.check(sortKey: key)
        return nil
      } catch { return "\(error)" }
    }
    #expect(text("initial") == "keypath initial not found in entity Owner")
    #expect(text("pets.name") == "to-many key not allowed here: pets.name")
    #expect(
      text("pets.@count") == "Keypath containing KVC aggregate where there shouldn't be one; "
        + "failed to handle pets.@count")
  }
}
