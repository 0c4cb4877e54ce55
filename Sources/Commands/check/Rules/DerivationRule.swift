/// Derived attributes that no store can compute.
struct DerivationRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.flatMap(\.ownProperties).compactMap { property in
      guard let attribute = property as? AttributeDescription, attribute.isDerived,
        !attribute.isTransient, let error = attribute.derivationError
      else { return nil }
      return LintFinding(
        .underivableAttribute, entity: attribute.entity.name, property: attribute.name,
        "can't be derived: \(error.problem)", advice: error.advice)
    }
  }
}
