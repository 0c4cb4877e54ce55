/// What the model that a store keeps of itself (`Z_MODELCACHE`) is good for where the store fits no version.
package enum OwnModel: CustomStringConvertible {
  case usable(ManagedObjectModel)
  case unusable(reason: String)

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
        fits ? .usable(model) : .unusable(reason: "its version hashes aren't those of the metadata")
    } catch {
      if let fault = MachineFault(error) { throw fault }
      self = .unusable(reason: error.plainText)
    }
  }

  package var model: ManagedObjectModel? {
    if case .usable(let model) = self { model } else { nil }
  }

  /// Whether the store has SwiftData's marks: that of an enum, or a schema's version and a configuration of all entities.
  // Core Data: observed in 20 stores of two apps by SwiftData; models of Xcode's have none of them by themselves.
  package var isOfSwiftData: Bool {
    guard let model else { return false }
    let names = Set(model.entities.map(\.name))
    return model.entities.flatMap(\.attributes).contains { $0.userInfo["EnumType"] != nil }
      || model.versionIdentifiers.contains { $0.wholeMatch(of: /\d+\.\d+\.\d+/) != nil }
        && model.configurations.values.contains { Set($0) == names }
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
