extension EntityMappingNotation {
  /// The notation as the mapping builder takes it.
  /// - Throws: ``Diagnostic`` for an expression that can't be read.
  package func draft() throws -> EntityMappingDraft {
    var draft = EntityMappingDraft(
      source: source?.value, destination: destination?.value, name: name.value,
      policy: policy?.value)
    draft.explicitType = kind?.mappingType
    draft.sourcePredicate = predicate?.value
    draft.sourceExpression = try sourceExpression.map { try FormatText.expression($0) }
    draft.userInfo = userInfo.isEmpty ? nil : userInfo
    draft.attributes = try attributes.selection()
    draft.relationships = try relationships.selection()
    return draft
  }
}

extension EntityMappingNotation.Kind {
  fileprivate var mappingType: EntityMappingType {
    switch self {
    case .custom: .customEntityMappingType
    case .add: .addEntityMappingType
    case .remove: .removeEntityMappingType
    case .copy: .copyEntityMappingType
    case .transform: .transformEntityMappingType
    }
  }
}

extension EntityMappingNotation.Group {
  fileprivate func selection() throws -> EntityMappingDraft.PropertySelection {
    guard case .filled(let written) = self else { return .none }
    let sources =
      try written.map { notation in
        let source = try notation.expression.map { try FormatText.expression($0) }
        return (notation.property.value, source.map { .expression($0) } ?? .nothing)
      } as [(String, EntityMappingDraft.PropertySource)]
    return .sameNamed(except: Dictionary(sources) { first, _ in first })
  }
}
