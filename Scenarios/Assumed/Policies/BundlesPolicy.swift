import CoreData

/// Tries out what comes of mapping models in an app's bundle.
final class BundlesPolicy: TrialPolicy {
  private let old: NSManagedObjectModel
  private let new: NSManagedObjectModel

  override init() {
    old = NSManagedObjectModel()
    new = NSManagedObjectModel()
    super.init()
    old.entities = [entity("Parcel", text("title"))]
    new.entities = [entity("Parcel", text("title"), text("note"))]
  }

  override func answered(_ question: String) throws -> String {
    switch question {
    case "several mapping models":
      return try withBundle(of: ["markB", "markA"]) { bundle in
        let mapping = NSMappingModel(
          from: [bundle], forSourceModel: old, destinationModel: new)
        let note = mapping?.entityMappings.first?.attributeMappings?.first { $0.name == "note" }
        return "\(note?.valueExpression?.constantValue ?? "none")"
      }
    case "a stage": return try withBundle(of: ["markA"]) { _ in try migratedInAStage() }
    case "destination": return try withBundle(of: ["markA"]) { _ in try destinationOfAFailure() }
    default: return try super.answered(question)
    }
  }

  /// An app's bundle with the old model, and with mapping models that leave these marks.
  private func withBundle(of marks: [String], _ body: (Bundle) throws -> String) throws -> String {
    let url = place().deletingPathExtension().appendingPathExtension("bundle")
    let folder = url.appendingPathComponent("Contents/Resources")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let versions = folder.appendingPathComponent("Parcel.momd")
    try FileManager.default.createDirectory(at: versions, withIntermediateDirectories: true)
    try CompiledFiles.model.write(to: versions.appendingPathComponent("Parcel.mom"))
    let information: [String: Any] = [
      "NSManagedObjectModel_CurrentVersionName": "Parcel",
      "NSManagedObjectModel_VersionHashes": ["Parcel": old.entityVersionHashesByName],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: versions.appendingPathComponent("VersionInfo.plist"))
    for mark in marks {
      try CompiledFiles.mapping(marked: mark).write(
        to: folder.appendingPathComponent(mark + ".cdm"))
    }
    guard let bundle = Bundle(url: url), NSManagedObjectModel(contentsOf: versions) != nil
    else { return "no model in the bundle" }
    return try body(bundle)
  }

  private func parcel() throws -> URL {
    let url = place()
    try save(coordinator(old, at: url), "Parcel", ["title": "Emma"])
    return url
  }

  private let migrating: [AnyHashable: Any] = [
    NSMigratePersistentStoresAutomaticallyOption: true,
    NSInferMappingModelAutomaticallyOption: true,
  ]

  /// The mark on a parcel that went through a stage, and on one that was opened without.
  private func migratedInAStage() throws -> String {
    let references = [old, new].map {
      NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
    }
    let stage = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
    let staged = migrating.merging(
      [NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage])]
    ) { $1 }
    return try [staged, migrating].map { options in
      try values("note", of: "Parcel", coordinator(new, at: parcel(), options: options))
    }.joined(separator: " in a stage, without ")
  }

  /// Where a migration led that ended with a note that is too long.
  private func destinationOfAFailure() throws -> String {
    new.entities[0].attributesByName["note"]?.setValidationPredicates(
      [NSPredicate(format: "length <= 3")], withValidationWarnings: ["too long"])
    let url = try parcel()
    do {
      _ = try coordinator(new, at: url, options: migrating)
      return "opened"
    } catch {
      let error = error as NSError
      if error.code == NSMigrationMissingSourceModelError { return "no model" }
      guard let destination = error.userInfo["destinationURL"] as? URL else { return "none" }
      return destination.resolvingSymlinksInPath() == url.resolvingSymlinksInPath()
        ? "the store's own place" : "another place"
    }
  }
}
