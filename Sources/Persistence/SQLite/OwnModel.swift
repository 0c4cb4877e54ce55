/// What the model that a store keeps of itself (`Z_MODELCACHE`) is good for where the store fits no version.
package enum OwnModel: CustomStringConvertible {
  case usable(ManagedObjectModel, maker: Maker)
  case unusable(reason: String)

  /// Which framework made the store, as far as its marks tell.
  package enum Maker { case swiftData, unknown, coreData }

  /// - Throws: `MachineFault` where the machine is to blame for what can't be read.
  package init(ofStoreAt url: URL) throws {
    do {
      let file = try StoreFile(readingFrom: url)
      guard let model = try file.cachedModel() else {
        self = .unusable(reason: "there is none")
        return
      }
      let fits = ([nil] + model.configurations.keys.map(Optional.some)).contains {
        model.isConfiguration(withName: $0, compatibleWithStoreMetadata: file.metadata)
      }
      self =
        fits
        ? .usable(model, maker: try Self.maker(of: file, model))
        : .unusable(reason: "its version hashes aren't those of the metadata")
    } catch {
      if let fault = MachineFault(error) { throw fault }
      self = .unusable(reason: error.plainText)
    }
  }

  package var model: ManagedObjectModel? {
    if case .usable(let model, _) = self { model } else { nil }
  }

  /// By the mark of an enum, or a schema's version and a configuration of all entities; of other stores with persistent
  /// history nobody knows, from SwiftData's first framework on.
  // Core Data: observed in 20 stores of two apps by SwiftData, all with history; models of Xcode's have none of the marks
  // by themselves, and Core Data keeps history where an app asks for it.
  private static func maker(of file: StoreFile, _ model: ManagedObjectModel) throws -> Maker {
    let names = Set(model.entities.map(\.name))
    let isMarked =
      model.entities.flatMap(\.attributes).contains { $0.userInfo["EnumType"] != nil }
      || model.versionIdentifiers.contains { $0.wholeMatch(of: /\d+\.\d+\.\d+/) != nil }
        && model.configurations.values.contains { Set($0) == names }
    if isMarked { return .swiftData }
    let framework = (file.metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue ?? .max
    let history =
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'ATRANSACTION'"
    return try framework >= 1321 && file.database.integer(history) == 1 ? .unknown : .coreData
  }

  // Core Data: two apps' reports have SwiftData migrate such stores without any old model. A talk of 2022 (10120) says
  // that no version is needed; two reports (CoreStore 277, 494) have 134130 on iOS 12 and 17.
  package var description: String {
    switch self {
    case .usable:
      "The store's own model (Z_MODELCACHE) could be migrated from: SwiftData certainly does, "
        + "and whether Core Data does is unknown on a device"
    case .unusable(let reason):
      "The store's own model (Z_MODELCACHE) can't be migrated from: \(reason)"
    }
  }
}
