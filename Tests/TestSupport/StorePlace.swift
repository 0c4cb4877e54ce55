import ObjectModel

/// A fresh folder with a place for a store, both gone with the test that made them.
public struct StorePlace: Sendable {
  public let folder: TemporaryFolder
  /// Where the store is to be; nothing is there yet.
  public let url: URL

  public init(named name: String = "store.sqlite") throws {
    folder = try TemporaryFolder()
    url = folder.url.appending(path: name)
  }
}

/// A suite of tests that each work on a store of their own.
public protocol StoreSuite {
  var place: StorePlace { get }
}

extension StoreSuite {
  public var folder: TemporaryFolder { place.folder }
  public var url: URL { place.url }
}
