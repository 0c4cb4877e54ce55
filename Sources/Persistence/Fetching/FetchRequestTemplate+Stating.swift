// Requests that code puts into a model.

extension ManagedObjectModel {
  /// States a request under a name; nil takes one away. A model in use can't be changed, and traps.
  public func setFetchRequestTemplate(
    _ request: FetchRequest<any FetchRequestResult>?, forName name: String
  ) {
    setFetchRequestTemplate(request.map { FetchRequestTemplate($0, named: name) }, named: name)
  }
}

extension FetchRequestTemplate {
  /// A request as a model states it. What dictionaries hold and how they are grouped has no place
  /// there.
  package init(_ request: UntypedFetchRequest, named name: String) {
    self.init(
      name: name, entityName: request.entityName ?? "",
      predicateFormat: request.predicate?.predicateFormat)
    sortKeys = (request.sortDescriptors ?? []).compactMap { descriptor in
      descriptor.key.map {
        SortKey(
          keyPath: $0, isAscending: descriptor.ascending, selectorName: descriptor.selectorName)
      }
    }
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    fetchBatchSize = request.fetchBatchSize
    includesSubentities = request.includesSubentities
    includesPendingChanges = request.includesPendingChanges
    includesPropertyValues = request.includesPropertyValues
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    returnsDistinctResults = request.returnsDistinctResults
    resultType = request.resultType.rawValue
  }
}

extension FetchedPropertyDescription {
  /// The request that gives the property's value; nil for a predicate that can't be parsed.
  package var statedRequest: FetchRequest<any FetchRequestResult>? {
    get { try? fetchRequest.request(variables: [:]) }
    set {
      let name = FetchRequestTemplate.fetchedPropertyName
      fetchRequest =
        newValue.map { FetchRequestTemplate($0, named: name) }
        ?? FetchRequestTemplate(name: name, entityName: "")
    }
  }
}
