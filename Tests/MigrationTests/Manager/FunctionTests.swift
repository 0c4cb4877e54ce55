import Migration
import Testing

/// `FUNCTION($entityPolicy, …)` and the six variables.
@Suite struct FunctionTests {
  private func models() throws -> (ManagedObjectModel, ManagedObjectModel) {
    (
      try model("v1", entity("Library", attribute("name"))),
      try model("v2", entity("Library", attribute("name"), attribute("file", required: true)))
    )
  }

  private func migrate(
    _ expression: String, dispatcher: EntityMigrationPolicy.FunctionDispatcher?
  ) throws -> [String] {
    let (old, new) = try models()
    let stage = try Stage(.memory, old) { context in
      context.insert("Library", ["name": "a"])
      context.insert("Library", ["name": "b"])
    }
    var draft = EntityMappingDraft(source: "Library", destination: "Library", policy: "App.Policy")
    draft.attributes = .sameNamed(except: ["file": .text(expression)])
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([draft])
    let policies = PolicyRegistry([
      "App.Policy": {
        let policy = EntityMigrationPolicy()
        policy.functionDispatcher = dispatcher
        return policy
      }
    ])
    return try dump(try stage.migrate(to: new, mapping, policies: policies).store)
  }

  @Test func selectorArgumentsAndResultPassThrough() throws {
    var selectors: [String] = []
    let dump = try migrate(#"FUNCTION($entityPolicy, "fileFor:count:", $source.name, 2)"#) {
      _, selector, arguments in
      selectors.append(selector)
      let name = arguments[0] as? String
      let count = arguments[1] as? Int
      return "\(name ?? "?")-\(count ?? -1).txt"
    }
    #expect(selectors == ["fileFor:count:", "fileFor:count:"])
    #expect(dump == ["Library(file: a-2.txt, name: a)", "Library(file: b-2.txt, name: b)"])
  }

  @Test func allSixVariablesAreBound() throws {
    var classes: [[String]] = []
    _ = try migrate(
      """
      FUNCTION($entityPolicy, "a:b:c:d:e:f:", $manager, $source, $destination, $entityMapping, \
      $propertyMapping, $entityPolicy)
      """
    ) { _, _, arguments in
      classes.append(arguments.map { $0.map { "\(type(of: $0))" } ?? "nil" })
      return "x"
    }
    let names = [
      "MigrationManager", "ManagedObject", "ManagedObject", "EntityMapping", "PropertyMapping",
      "EntityMigrationPolicy",
    ]
    #expect(classes == [names, names])
  }

  @Test func unknownSelectorNamesPolicyAndSelector() throws {
    let error = try #require(throws: CoreDataError.self) {
      try self.migrate(#"FUNCTION($entityPolicy, "missing")"#, dispatcher: nil)
    }
    #expect(error.code == .migration)
    #expect(error.reason == "policy NSEntityMigrationPolicy does not respond to missing")
    #expect(error.place.property == "file")
    #expect(error.place.entityMapping == "LibraryToLibrary")
  }

  @Test func resultOfTheWrongTypeIsRefused() throws {
    let error = try #require(throws: CoreDataError.self) {
      try self.migrate(#"FUNCTION($entityPolicy, "number")"#) { _, _, _ in 5 }
    }
    #expect(
      error.reason.hasPrefix(
        #"Unacceptable type of value for attribute: property = "file"; desired type = NSString"#))
    #expect(error.place.property == "file")
  }

  @Test func variablesAnswerTheirKeys() throws {
    let dump = try migrate("$entityMapping.name", dispatcher: nil)
    #expect(
      dump == [
        "Library(file: LibraryToLibrary, name: a)", "Library(file: LibraryToLibrary, name: b)",
      ])
    #expect(
      try migrate("$propertyMapping.name", dispatcher: nil)
        == ["Library(file: file, name: a)", "Library(file: file, name: b)"])
    let error = try #require(throws: CoreDataError.self) {
      try self.migrate("$entityMapping.nonsense", dispatcher: nil)
    }
    #expect(error.reason.contains("not key value coding-compliant for the key nonsense"))
  }

  @Test func expressionWithoutValueIsNamedWithItsPlace() throws {
    let error = try #require(throws: CoreDataError.self) {
      try self.migrate("$nonsense.name", dispatcher: nil)
    }
    #expect(error.code == .migration)
    #expect(error.reason.hasPrefix("The value expression $nonsense.name has no value: "))
    #expect(error.underlying is PredicateEvaluationError)
    #expect(error.place.property == "file")
    #expect(error.place.object?.hasSuffix("/Library/p1") == true)
  }

  @Test func policysOwnErrorIsPassedOn() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try self.migrate(#"FUNCTION($entityPolicy, "x")"#) { _, _, _ in throw Refusal() }
    }
  }
}
