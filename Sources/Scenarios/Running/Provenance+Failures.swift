// Errors with the local names of seeded objects, which tell a person more than URIs.

extension Provenance {
  /// A step's failure with names for the objects of the store it read.
  func naming(_ failure: ChainFailure) -> ChainFailure {
    var named = failure
    named.place = naming(failure.place, pass: failure.place.pass)
    named.error = naming(failure.error, pass: failure.place.pass)
    return named
  }

  private func naming(_ error: any Error, pass: String?) -> any Error {
    guard var error = error as? CoreDataError else { return error }
    error.place = naming(error.place, pass: error.place.pass ?? pass)
    error.underlying = error.underlying.map { naming($0, pass: pass) }
    error.details = error.details.map { detail in
      var named = detail
      named.place = naming(detail.place, pass: detail.place.pass ?? pass)
      return named
    }
    return error
  }

  /// In the first pass the object of an error is one of the source; later it is one of the
  /// destination, whose identifiers name other objects.
  private func naming(_ place: CoreDataError.Place, pass: String?) -> CoreDataError.Place {
    var named = place
    named.sourceObject = place.sourceObject.map(name(ofObjectAt:))
    if pass == MigrationPass.instances.rawValue {
      named.object = place.object.map(name(ofObjectAt:))
    }
    return named
  }

  private func name(ofObjectAt uri: String) -> String {
    guard let parts = uri.wholeMatch(of: #/x-coredata://[^/]*/([^/]+)/p([0-9]+)/#),
      let primaryKey = Int64(parts.2)
    else { return uri }
    return label(of: Key(entity: String(parts.1), primaryKey: primaryKey)) ?? uri
  }
}
