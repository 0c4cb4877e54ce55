import CoreData

/// Tries out what migration managers and stores come to.
final class ManagingPolicy: TrialPolicy {
  override func answered(_ question: String) throws -> String {
    switch question {
    case "manager used again": return try managerUsedAgain()
    case "another transformer": return try copied(from: "TrialText", to: "TrialBackwards")
    case "no reverse transformation": return try copied(from: "TrialText", to: "TrialOneWay")
    case "configuration": return try configuration()
    case "rows of a former child": return try rowsOfAFormerChild()
    default: return try super.answered(question)
    }
  }

  // MARK: Mapping models

  private func mapping(
    _ entity: String, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel,
    attributes: [String], relationships: [NSPropertyMapping] = []
  ) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = "\(entity)To\(entity)"
    mapping.mappingType = .transformEntityMappingType
    mapping.sourceEntityName = entity
    mapping.sourceEntityVersionHash = source.entityVersionHashesByName[entity]
    mapping.destinationEntityName = entity
    mapping.destinationEntityVersionHash = destination.entityVersionHashesByName[entity]
    mapping.sourceExpression = NSExpression(
      format: "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", "
        + "\"\(entity)\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)")
    mapping.attributeMappings = attributes.map { property($0, "$source.\($0)") }
    mapping.relationshipMappings = relationships
    return mapping
  }

  private func property(_ name: String, _ expression: String) -> NSPropertyMapping {
    let mapping = NSPropertyMapping()
    mapping.name = name
    mapping.valueExpression = NSExpression(format: expression)
    return mapping
  }

  private func migrate(
    _ url: URL, with mappings: [NSEntityMapping], by manager: NSMigrationManager
  ) throws -> URL {
    let mapping = NSMappingModel()
    mapping.entityMappings = mappings
    let result = place()
    try manager.migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: result, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    return result
  }

  // MARK: Managers

  /// Books with an author, whom they can't be without.
  private func library(_ attributes: [String]) -> NSManagedObjectModel {
    let author = entity("Author", text("name"))
    let book = entity("Book")
    let (one, many) = (NSRelationshipDescription(), NSRelationshipDescription())
    (one.name, many.name) = ("author", "books")
    (one.destinationEntity, many.destinationEntity) = (author, book)
    (one.inverseRelationship, many.inverseRelationship) = (many, one)
    (one.minCount, one.maxCount, one.isOptional) = (1, 1, false)
    (many.minCount, many.maxCount, many.isOptional) = (0, 0, true)
    author.properties.append(many)
    book.properties = attributes.map(text) + [one]
    return model(author, book)
  }

  /// The same manager makes two stores of one.
  private func managerUsedAgain() throws -> String {
    let (old, new) = (library(["title"]), library(["title", "note"]))
    let url = place()
    let context = try context(coordinator(old, at: url))
    try context.performAndWait {
      let author = insert("Author", ["name": "Jane"], into: context)
      insert("Book", ["title": "Emma", "author": author], into: context)
      try context.save()
    }
    let link = property(
      "author",
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        + "\"AuthorToAuthor\", $source.author)")
    let mappings = [
      mapping("Book", old, new, attributes: ["title"], relationships: [link]),
      mapping("Author", old, new, attributes: ["name"]),
    ]
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    return try (1...2).map { _ in
      let result = try migrate(url, with: mappings, by: manager)
      return try values("author.name", of: "Book", coordinator(new, at: result))
    }.joined(separator: ", then ")
  }

  private func page(_ transformer: String, _ attributes: [String] = []) -> NSManagedObjectModel {
    let content = NSAttributeDescription()
    content.name = "content"
    content.attributeType = .transformableAttributeType
    content.isOptional = true
    content.valueTransformerName = transformer
    let page = entity("Page", content)
    page.properties += attributes.map(text)
    return model(page)
  }

  /// A mapping copies a value to an attribute of another transformer; what is there then is read by the first one.
  private func copied(from transformer: String, to other: String) throws -> String {
    for (name, transformer) in [
      ("TrialText", TrialTransformer()), ("TrialBackwards", TrialBackwards()),
      ("TrialOneWay", TrialOneWay()),
    ] as [(String, ValueTransformer)] {
      ValueTransformer.setValueTransformer(
        transformer, forName: NSValueTransformerName(rawValue: name))
    }
    let (old, new) = (page(transformer), page(other, ["note"]))
    let url = place()
    try save(coordinator(old, at: url), "Page", ["content": "abc"])
    let result = try migrate(
      url, with: [mapping("Page", old, new, attributes: ["content"])],
      by: NSMigrationManager(sourceModel: old, destinationModel: new))
    return try values("content", of: "Page", coordinator(page(transformer, ["note"]), at: result))
  }

  // MARK: Stores

  private func configured(_ attributes: [String]) -> NSManagedObjectModel {
    let (book, page) = (entity("Book"), entity("Page", text("text")))
    book.properties = attributes.map(text)
    let model = model(book, page)
    model.setEntities([book], forConfigurationName: "Local")
    model.setEntities([page], forConfigurationName: "Cloud")
    return model
  }

  /// The entities that the result says it has, of a store for one of two configurations.
  private func configuration() throws -> String {
    let (old, new) = (configured(["title"]), configured(["title", "note"]))
    let url = place()
    try save(coordinator(old, at: url, configuration: "Local"), "Book", ["title": "Emma"])
    let result = try migrate(
      url, with: [mapping("Book", old, new, attributes: ["title"])],
      by: NSMigrationManager(sourceModel: old, destinationModel: new))
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: result, options: nil)
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Any] ?? [:]
    return hashes.keys.sorted().joined(separator: ", ")
  }

  /// A table that had the objects of two entities is read as that of one.
  private func rowsOfAFormerChild() throws -> String {
    let (parent, child) = (book(), entity("Comic"))
    parent.subentities = [child]
    let url = place()
    let coordinator = try coordinator(model(parent, child), at: url)
    try save(coordinator, "Book", ["title": "Emma"])
    try save(coordinator, "Comic", ["title": "Maus"])
    return try values(
      "title", of: "Book",
      self.coordinator(
        model(book()), at: url, options: [NSIgnorePersistentStoreVersioningOption: true]))
  }
}

/// Keeps a text as its bytes.
class TrialTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { return NSData.self }
  override class func allowsReverseTransformation() -> Bool { return true }

  override func transformedValue(_ value: Any?) -> Any? {
    return (value as? String).map { Data($0.utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    return (value as? Data).flatMap { String(data: $0, encoding: .utf8) }
  }
}

/// Keeps a text backwards, after a mark without which it reads nothing.
final class TrialBackwards: TrialTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    return (value as? String).map { Data(("<" + String($0.reversed())).utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let text = super.reverseTransformedValue(value) as? String, text.hasPrefix("<")
    else { return nil }
    return String(text.dropFirst().reversed())
  }
}

/// Writes as `TrialBackwards` does, and reads nothing.
final class TrialOneWay: TrialTransformer {
  override class func allowsReverseTransformation() -> Bool { return false }

  override func transformedValue(_ value: Any?) -> Any? {
    return (value as? String).map { Data(("<" + String($0.reversed())).utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? { return nil }
}
