extension Failure {
  /// The failure with the object and the key path that it is about.
  func about(_ object: ManagedObject, keyPath: String, in situation: Situation) -> Failure {
    var mismatch = self
    let name = situation.provenance.name(of: object)
    let id = object.objectID
    mismatch.target = Failure.Target(
      entity: object.entity.name, name: name,
      row: name == nil ? "\(id.entity.name)/p\(id.primaryKey)" : nil, property: keyPath)
    let origins = situation.provenance.origins(of: id)
    if !origins.isEmpty {
      mismatch.question = .value(
        origins: origins, keyPath: keyPath.split(separator: ".").map(String.init),
        expected: expectedItems)
    }
    return mismatch
  }
}
