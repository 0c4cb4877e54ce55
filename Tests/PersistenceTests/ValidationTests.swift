import Persistence
import Testing

@Suite("Validation has Core Data's codes")
struct ValidationTests {
  private struct Case: Sendable {
    let attribute: @Sendable () -> AttributeDescription
    let value: Value
    let code: CoreDataErrorCode?
  }

  private static func text(_ least: Int?, _ most: Int?, _ pattern: String? = nil)
    -> @Sendable () -> AttributeDescription
  {
    {
      let attribute = LibraryModel.attribute("value", .string, optional: true)
      attribute.minimum = least.map { .integer(Int64($0)) } ?? .null
      attribute.maximum = most.map { .integer(Int64($0)) } ?? .null
      attribute.regularExpression = pattern
      return attribute
    }
  }

  private static func number(_ least: Value, _ most: Value) -> @Sendable () -> AttributeDescription
  {
    {
      let attribute = LibraryModel.attribute("value", .double, optional: true)
      attribute.minimum = least
      attribute.maximum = most
      return attribute
    }
  }

  private static func date(_ least: Value, _ most: Value) -> @Sendable () -> AttributeDescription {
    {
      let attribute = LibraryModel.attribute("value", .date, optional: true)
      attribute.minimum = least
      attribute.maximum = most
      return attribute
    }
  }

  private static func condition(_ format: String) -> @Sendable () -> AttributeDescription {
    {
      let attribute = LibraryModel.attribute("value", .string, optional: true)
      attribute.validationConditions = [
        ValidationCondition(predicateFormat: "length > 0"),
        ValidationCondition(predicateFormat: format, warning: "no ISBN"),
      ]
      return attribute
    }
  }

  private static let day = Date(timeIntervalSinceReferenceDate: 0)

  private static let cases: [Case] = [
    Case(attribute: text(2, 3), value: .string("ab"), code: nil),
    Case(attribute: text(2, 3), value: .string("a"), code: .validationStringTooShort),
    Case(attribute: text(2, 3), value: .string("abcd"), code: .validationStringTooLong),
    Case(attribute: text(2, 3), value: .null, code: nil),
    Case(attribute: text(nil, nil, "[a-z]+"), value: .string("abc"), code: nil),
    Case(
      attribute: text(nil, nil, "[a-z]+"), value: .string("abc1"),
      code: .validationStringPatternMatching),
    Case(attribute: condition("SELF BEGINSWITH 'IS'"), value: .string("ISBN"), code: nil),
    Case(attribute: condition("SELF BEGINSWITH 'IS'"), value: .null, code: nil),
    Case(
      attribute: condition("SELF BEGINSWITH 'IS'"), value: .string(""),
      code: .managedObjectValidation),
    Case(
      attribute: condition("SELF BEGINSWITH 'IS'"), value: .string("DOI"),
      code: .managedObjectValidation),
    Case(
      attribute: condition("no predicate"), value: .string("ISBN"), code: .managedObjectValidation),
    Case(attribute: number(.double(1), .double(2)), value: .double(1), code: nil),
    Case(
      attribute: number(.double(1), .null), value: .double(0.5), code: .validationNumberTooSmall),
    Case(
      attribute: number(.null, .double(2)), value: .double(2.5), code: .validationNumberTooLarge),
    Case(
      attribute: date(.date(day), .null), value: .date(day - 1), code: .validationDateTooSoon),
    Case(attribute: date(.null, .date(day)), value: .date(day + 1), code: .validationDateTooLate),
    Case(
      attribute: { LibraryModel.attribute("value", .string) }, value: .null,
      code: .validationMissingMandatoryProperty),
    Case(attribute: { LibraryModel.attribute("value", .string) }, value: .string(""), code: nil),
  ]

  @Test(arguments: cases.indices)
  func ofOneAttribute(_ index: Int) throws {
    let item = Self.cases[index]
    let entity = LibraryModel.entity("Thing", [item.attribute()])
    let stack = try Stack(.memory, try ManagedObjectModel(entities: [entity]))
    try stack.insert("Thing").setTypedValue(item.value, forKey: "value")
    var found: CoreDataErrorCode?
    do { try stack.context.save() } catch let error as CoreDataError {
      found = error.code
      // What is missing keeps no predicate, a type has none, and one that can't be read is none.
      let isOfPredicate =
        ![.validationMissingMandatoryProperty, .validationInvalidURI].contains(error.code)
        && item.attribute().validationConditions.allSatisfy {
          (try? Predicate.parse($0.predicateFormat)) != nil
        }
      let predicate = (error as NSError).userInfo["NSValidationErrorPredicate"] as? Predicate
      #expect((predicate != nil) == isOfPredicate)
      if let predicate { #expect(!predicate.evaluate(with: item.value.boxed)) }
    }
    #expect(found == item.code)
    if found != nil { #expect(AttributeValidation.hasRules(item.attribute())) }
  }

  @Test(arguments: AttributeType.allCases)
  func onlyOptionalAttributesWithoutBoundsHaveNoRules(_ type: AttributeType) {
    let attribute = AttributeDescription(name: "value", type: type)
    attribute.isOptional = true
    let isLookedAt: Set<AttributeType> = [.undefined, .uri, .transformable, .objectID, .composite]
    #expect(AttributeValidation.hasRules(attribute) == isLookedAt.contains(type))
    attribute.isOptional = false
    #expect(AttributeValidation.hasRules(attribute))
  }

  @Test(arguments: Backend.allCases)
  func severalFailuresAreOne1560(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    _ = [stack.insert("Tag"), stack.insert("Shelf")]
    let error = try #require(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error.code == .validationMultipleErrors)
    #expect(error.details.map(\.place.entity) == ["Tag", "Shelf"])
    #expect(error.details.map(\.code.rawValue) == [1570, 1570])
    #expect((error as NSError).domain == NSCocoaErrorDomain)
    #expect((error as NSError).code == 1560)
    #expect(try stack.freshContext().all("Tag").isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func countsOfToManyRelationships(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      let tags = entities["Item"]?.ownProperties.first { $0.name == "tags" }
      (tags as? RelationshipDescription)?.minCount = 2
      (tags as? RelationshipDescription)?.maxCount = 3
      tags?.isOptional = false
    }
    for (count, code) in [(0, 1580), (1, 1580), (2, nil), (3, nil), (4, 1590)] as [(Int, Int?)] {
      let stack = try Stack(backend, model)
      let item = stack.insert("Item")
      for number in 0..<count {
        item.mutableSetValue(forKey: "tags").add(stack.insert("Tag", ["name": "\(number)"]))
      }
      var found: Int?
      do { try stack.context.save() } catch let error as CoreDataError {
        found = error.code.rawValue
      }
      #expect(found == code, "\(count) tags")
    }
  }

  @Test(arguments: Backend.allCases)
  func aRequiredToManyWithoutAMinimumMayBeEmpty(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      entities["Item"]?.ownProperties.first { $0.name == "tags" }?.isOptional = false
    }
    let stack = try Stack(backend, model)
    _ = stack.insert("Item")
    try stack.context.save()
    #expect(try stack.freshContext().all("Item").count == 1)
  }
}
