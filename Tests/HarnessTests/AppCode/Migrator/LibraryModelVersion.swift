import CoreData

/// The versions of the app's model, oldest first.
enum LibraryModelVersion: String, CaseIterable {
  case version1 = "Library"
  case version2 = "Library 2"
  case version3 = "Library 3"

  static var current: LibraryModelVersion {
    guard let last = allCases.last else { fatalError("no model versions found") }
    return last
  }

  /// The version a store has to pass next on its way to the current one.
  func next() -> LibraryModelVersion? {
    switch self {
    case .version1: return .version2
    case .version2: return .version3
    case .version3: return nil
    }
  }

  func model(in bundle: Bundle) -> NSManagedObjectModel {
    let folder = "Library.momd"
    let omo = bundle.url(forResource: rawValue, withExtension: "omo", subdirectory: folder)
    let mom = bundle.url(forResource: rawValue, withExtension: "mom", subdirectory: folder)
    guard let url = omo ?? mom, let model = NSManagedObjectModel(contentsOf: url) else {
      fatalError("unable to load the model \(rawValue)")
    }
    return model
  }

  /// The version that a store with some metadata was written with.
  static func compatible(
    with metadata: [String: Any], in bundle: Bundle
  ) -> LibraryModelVersion? {
    allCases.first {
      $0.model(in: bundle).isConfiguration(
        withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }
}
