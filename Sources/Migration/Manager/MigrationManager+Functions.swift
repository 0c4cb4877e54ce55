// What expressions see of a migration manager: its keys, and the functions it answers.

extension MigrationManager: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    switch key {
    case "mappingModel": .object(mappingModel)
    case "sourceModel": .object(sourceModel)
    case "destinationModel": .object(destinationModel)
    case "sourceContext": .object(sourceContext)
    case "destinationContext": .object(destinationContext)
    case "currentEntityMapping": .object(currentEntityMapping)
    case "migrationProgress": .double(Double(migrationProgress))
    case "userInfo": Value(userInfo)
    default: throw CoreDataError.undefinedKey(key, of: "NSMigrationManager")
    }
  }
}

extension MigrationManager: FunctionTarget {
  /// The functions that Xcode's generated expressions call.
  enum Function: String, CaseIterable {
    case destinationInstancesOfMapping =
      "destinationInstancesForEntityMappingNamed:sourceInstances:"
    case destinationInstancesOfRelationship =
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    case sourceInstancesOfMapping = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
  }

  public func callFunction(selector: String, arguments: [Value]) throws -> Value {
    guard let function = Function(rawValue: selector) else {
      return try callOwnMethod(selector, arguments)
    }
    guard arguments.count == 2, case .string(let name) = arguments[0] else {
      throw CoreDataError.functionNeeds("a name and one more argument", selector)
    }
    return try call(function, name: name, argument: arguments[1])
  }

  /// Calls a method that the manager's class adds, or the app in an extension.
  private func callOwnMethod(_ selector: String, _ arguments: [Value]) throws -> Value {
    let methods = ManagerMethods.methods(of: self)
    guard let method = methods[selector] else {
      let known = Function.allCases.map(\.rawValue) + methods.keys.sorted()
      throw CoreDataError.managerDoesNotRespond(to: selector, known: known)
    }
    return Value(
      try method.call(on: self, selector: selector, arguments: arguments.map(\.boxedArgument)))
  }

  private func call(_ function: Function, name: String, argument: Value) throws -> Value {
    switch function {
    case .destinationInstancesOfMapping:
      let sources = try objects(in: argument, for: function)
      return .array(destinationInstances(forEntityMappingName: name, sourceInstances: sources))
    case .destinationInstancesOfRelationship:
      let sources = try objects(in: argument, for: function)
      return .array(
        try destinationInstances(forSourceRelationshipNamed: name, sourceInstances: sources))
    case .sourceInstancesOfMapping:
      let destinations = try objects(in: argument, for: function)
      return .array(sourceInstances(forEntityMappingName: name, destinationInstances: destinations))
    case .fetchRequest:
      guard case .string(let predicate) = argument else {
        throw CoreDataError.functionNeeds("a predicate as text", function.rawValue)
      }
      return .object(try fetchRequest(forSourceEntityNamed: name, predicateString: predicate))
    }
  }

  /// A request for the instances of one source entity; see
  /// ``Persistence/FetchRequest/init(forSourceEntityNamed:condition:)``.
  public final func fetchRequest(
    forSourceEntityNamed entityName: String, predicateString: String
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      forSourceEntityNamed: entityName, condition: try .ofSourceInstances(predicateString))
  }

  /// The objects in an argument: one object, a collection of them, or none.
  private func objects(in value: Value, for function: Function) throws -> [ManagedObject] {
    func objects(in value: Value) throws -> [ManagedObject] {
      switch value {
      case .null: return []
      case .object(let object as ManagedObject): return [object]
      case .collection:
        // Of a path through two relationships to many.
        throw CoreDataError.functionNeeds(
          "managed objects, not collections of them, as its second argument "
            + "(`@distinctUnionOfSets` before the last key makes one of several)",
          function.rawValue)
      default:
        throw CoreDataError.functionNeeds(
          "managed objects as its second argument", function.rawValue
        ).with(value: value.boxed.map { "\($0)" })
      }
    }
    guard case .collection(let collection) = value else { return try objects(in: value) }
    return try collection.elements.flatMap(objects(in:))
  }
}

extension FetchRequest<ManagedObject> {
  /// A request for the instances of one source entity. Those of subentities are left out, since
  /// each has a mapping of its own and would be migrated twice.
  convenience init(forSourceEntityNamed entityName: String, condition: Predicate?) {
    self.init(entityName: entityName)
    includesSubentities = false
    predicate = condition
  }
}

extension Predicate {
  /// The condition that Xcode's source expressions give as text; nil for all instances.
  static func ofSourceInstances(_ text: String) throws -> Predicate? {
    text == "TRUEPREDICATE" || text.isEmpty ? nil : try parse(text, arguments: [])
  }
}

extension Value {
  /// Managed objects as an array.
  static func array(_ objects: [ManagedObject]) -> Value {
    .collection(ValueCollection(.array, objects.map { .object($0) }))
  }
}
