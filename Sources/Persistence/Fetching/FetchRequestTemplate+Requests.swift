// Requests that a model states: templates, and those inside fetched properties.

extension ManagedObjectModel {
  /// The request that the model states under a name, its variables unbound; nil when there is none.
  /// A new one each time, so that it may be changed.
  public func fetchRequestTemplate(
    forName name: String
  ) -> FetchRequest<any FetchRequestResult>? {
    request(of: name, variables: [:])
  }

  /// The request that the model states under a name, with values for its variables; nil when there
  /// is none. A variable without value raises, as on a device.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> FetchRequest<any FetchRequestResult>? {
    guard let request = request(of: name, variables: variables) else { return nil }
    if let missing = request.predicate?.firstVariable {
      ExceptionTrap.raise(CoreDataError.missingVariable(missing, ofTemplate: name))
      return nil
    }
    return request
  }

  /// All requests that the model states, by name.
  public var fetchRequestTemplatesByName: [String: FetchRequest<any FetchRequestResult>] {
    var requests: [String: FetchRequest<any FetchRequestResult>] = [:]
    for name in fetchRequestTemplates.keys { requests[name] = fetchRequestTemplate(forName: name) }
    return requests
  }

  private func request(
    of name: String, variables: [String: Any]
  ) -> FetchRequest<any FetchRequestResult>? {
    do {
      let values = variables.mapValues { Value(evaluating: $0) }
      return try fetchRequestTemplates[name]?.request(variables: values)
    } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }
}

extension FetchRequestTemplate {
  /// The request, with values for variables of its predicate.
  /// - Throws: ``PredicateFormatError`` for a predicate that can't be parsed.
  func request<Result>(variables: [String: Value]) throws -> FetchRequest<Result> {
    let request = FetchRequest<Result>(entityName: entityName)
    if let format = predicateFormat, !format.isEmpty {
      request.predicate = try Predicate.parse(format).substituting(variables).readingConstants()
    }
    if !sortKeys.isEmpty { request.sortDescriptors = sortKeys.map(SortDescriptor.init) }
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
    request.includesPropertyValues = includesPropertyValues
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.returnsDistinctResults = returnsDistinctResults
    request.resultType = FetchRequestResultType(rawValue: resultType)
    return request
  }
}

extension SortDescriptor {
  fileprivate convenience init(_ key: FetchRequestTemplate.SortKey) {
    self.init(key: key.keyPath, ascending: key.isAscending, selectorName: key.selectorName)
  }
}

// MARK: - Fetched properties

extension ManagedObject {
  /// What a fetched property leads to. Fetched at first use, with `$FETCH_SOURCE` for this object
  /// and `$FETCHED_PROPERTY` for the property; kept until the object becomes a fault again.
  func fetchedValue(of property: FetchedPropertyDescription) throws -> Value {
    guard let context else { return .null }
    if isFault { fireFault() }
    if case .collection(let known) = values[property.slot] { return objects(known, in: context) }
    let request: FetchRequest<ManagedObject> = try property.fetchRequest.request(
      variables: ["FETCH_SOURCE": .object(self), "FETCHED_PROPERTY": .object(property)])
    // The property's value is an array of objects, whatever the request says.
    request.resultType = .managedObjectResultType
    let ids = try context.fetch(request).map { Value.object($0.objectID) }
    let found = ValueCollection(.array, ids)
    values[property.slot] = .collection(found)
    return objects(found, in: context)
  }

  /// Identifiers are kept, since objects would keep each other alive.
  private func objects(_ ids: ValueCollection, in context: ManagedObjectContext) -> Value {
    let objects = ids.elements.compactMap { element -> Value? in
      guard case .object(let id as ManagedObjectID) = element else { return nil }
      return .object(context.object(with: id))
    }
    return .collection(ValueCollection(.array, objects))
  }
}
