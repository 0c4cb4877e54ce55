/// The parts of a seed row: its name and the properties it sets.
package struct SeedFields {
  package let name: Located<String>?
  package let properties: [PropertyValue]

  /// `.id` is always the row's name; `id` is, unless the entity has a property of that name. What a shared file gives
  /// to all rows is left out where the entity has no such property.
  /// - Throws: ``Diagnostic`` when the name isn't one word.
  package init(_ row: SeedRow, of entity: EntityDescription) throws {
    let key = entity.property(named: "id") == nil ? ["id", ".id"] : [".id"]
    let names = row.fields.filter { key.contains($0.key.value) }
    properties = row.fields.filter { field in
      !key.contains(field.key.value)
        && (entity.property(named: field.key.value) != nil
          || !row.sharedFields.contains(field.key.value))
    }
    guard let field = names.first else {
      name = nil
      return
    }
    guard names.count == 1, let text = field.value.text,
      !text.isEmpty, !text.contains(where: \.isWhitespace)
    else { throw Diagnostic("a name must be one word", at: field.value.place) }
    name = Located(text, at: field.value.place)
  }
}
