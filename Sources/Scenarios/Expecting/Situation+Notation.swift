// How an object is written into a scenario, so that it is found again.

extension Situation {
  /// Its local name, where just this object has it; else a query by attributes that finds no other.
  ///
  /// - Parameter isNameOnly: Whether the entity is understood, as in the value of a relationship.
  func notation(of object: ManagedObject, nameOnly isNameOnly: Bool) -> Notation? {
    if let name = provenance.name(of: object), isOnly(object, named: name) {
      return .text(isNameOnly ? name : "\(object.entity.name) \(name)")
    }
    return query(for: object).map { .text($0) }
  }

  private func isOnly(_ object: ManagedObject, named name: String) -> Bool {
    let keys = provenance.keys(named: name)
    return provenance.madeObject(named: name) === object
      || keys.filter { $0.entity == object.entity.name }.count == 1
  }

  private func query(for object: ManagedObject) -> String? {
    var conditions: [String] = []
    for attribute in object.entity.attributes where !attribute.isTransient {
      guard let literal = object.attributeValue(at: attribute.slot).literal else { continue }
      conditions.append("\(attribute.name) == \(literal)")
      let text = "\(object.entity.name) where \(conditions.joined(separator: " AND "))"
      if finds(object, text) { return text }
    }
    return nil
  }

  private func finds(_ object: ManagedObject, _ text: String) -> Bool {
    let file = SourceFile(path: "", text: text)
    let place = SourcePlace(file: file, line: 1, column: 1)
    // What can't be read or fetched isn't written as the way to find an object.
    guard let query = DiagnosticCollector().query(Located(text, at: place)),
      let predicate = try? query.predicate.map(FormatText.predicate),
      let found = try? fetch(ResolvedQuery(query, of: object.entity, where: predicate))
    else { return false }
    return found.count == 1 && found.first === object
  }
}

extension Value {
  /// As predicates write it; nil for what they can't compare well.
  fileprivate var literal: String? {
    switch self {
    case .integer(let number): return "\(number)"
    case .string(let text):
      let isSimple =
        !text.isEmpty && text.count <= 60
        && !text.contains { $0.isNewline || $0 == "\"" || $0 == "\\" || $0 == "%" }
      return isSimple ? "\"\(text)\"" : nil
    case .null, .double, .decimal, .date, .data, .uuid, .uri, .transformable, .object, .collection:
      return nil
    }
  }
}
