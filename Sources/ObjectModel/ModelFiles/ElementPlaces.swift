import Synchronization

/// A file, and where in it.
package struct FilePlace: Hashable, Sendable, Codable {
  package var file: String
  /// Both count from 1; nil for the file as a whole.
  package var line: Int?
  package var column: Int?

  package init(file: String, line: Int? = nil, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }
}

/// Where a model's versions are in files, and their entities and properties in these, for whoever shows a finding
/// beside the line that it is about.
package final class ElementPlaces: Sendable {
  /// What a finding is about; nil for what doesn't apply.
  package struct Element: Sendable {
    package let entity: String?
    package let property: String?

    package init(entity: String?, property: String?) {
      self.entity = entity
      self.property = property
    }
  }

  /// How much of an element was found: the file alone, its entity, or all of it.
  private enum Precision: Int, Comparable {
    case file, entity, whole
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// A version's entities as its file has them.
  package struct Listing: Sendable {
    package struct Entity: Sendable {
      package let place: FilePlace
      let parent: String?
      /// Its own, without those of its superentity.
      package let properties: [String: FilePlace]
    }
    package fileprivate(set) var entities: [String: Entity] = [:]
  }

  /// By name of the version, which several models in a folder may have.
  private let files: [String: [URL]]
  private let currentVersion: String?
  private let listings = Mutex<[URL: Listing]>([:])

  package init(of model: VersionedModel) {
    currentVersion = model.currentVersionName
    let url = model.url
    if Self.versionExtensions.contains(url.pathExtension) {
      files = [url.baseName: [url]]
    } else {
      // What can't be searched has no places that anybody could show.
      let found = (try? FolderSearch(url).files(withExtensions: Self.versionExtensions)) ?? []
      files = Dictionary(grouping: found, by: \.baseName)
    }
  }

  private static let versionExtensions: Set = ["xcdatamodel", "mom"]

  /// The place of an element in the first of some versions that has it; else that of its entity; else the file of
  /// the first version, or of the current one. Nil for a model without files.
  package func place(of element: Element, in versions: [String]) -> FilePlace? {
    let found = versions.flatMap { places(of: element, inVersion: $0) }
    let most = found.map(\.precision).max()
    if let best = found.first(where: { $0.precision == most }) { return best.place }
    guard let currentVersion, !versions.contains(currentVersion) else { return nil }
    return place(of: element, in: [currentVersion])
  }

  private func places(
    of element: Element, inVersion name: String
  ) -> [(precision: Precision, place: FilePlace)] {
    // A version of a merged model is one of each model.
    let names = files[name] == nil ? name.components(separatedBy: " + ") : [name]
    return names.flatMap { files[$0] ?? [] }.map { version in
      guard version.pathExtension == "xcdatamodel" else {
        return (.file, FilePlace(file: version.path))
      }
      return place(of: element, inFile: version.appending(path: "contents"))
    }
  }

  private func place(
    of element: Element, inFile file: URL
  ) -> (precision: Precision, place: FilePlace) {
    guard let name = element.entity else { return (.whole, FilePlace(file: file.path)) }
    let listing = listing(of: file)
    guard let entity = listing.entities[name] else { return (.file, FilePlace(file: file.path)) }
    guard let property = element.property else { return (.whole, entity.place) }
    // A property may be a superentity's. Wrong files have entities that are their own superentities.
    var next: Listing.Entity? = entity
    for _ in listing.entities {
      if let place = next?.properties[property] { return (.whole, place) }
      next = next?.parent.flatMap { listing.entities[$0] }
    }
    return (.entity, entity.place)
  }

  private func listing(of file: URL) -> Listing {
    if let known = listings.withLock({ $0[file] }) { return known }
    let listing = Self.listing(ofFile: file)
    listings.withLock { $0[file] = listing }
    return listing
  }

  /// Reads the places in one version's `contents`.
  ///
  /// Nothing of a file that can't be read: that is told where the model is loaded.
  package static func listing(ofFile file: URL) -> Listing {
    var listing = Listing()
    guard let data = try? Data(reading: file),
      let root = try? XMLTreeBuilder.root(of: data, file: file.path)
    else { return listing }
    let places = SourcePlaces(data)
    func place(of node: XMLElementNode) -> FilePlace {
      let start = places.tagStart(endingAt: node.tagEnd)
      return FilePlace(file: file.path, line: start.line, column: start.column)
    }
    for node in root.children(named: "entity") {
      guard let name = node.attributes["name"] else { continue }
      let properties = node.children.compactMap { child in
        child.attributes["name"].map { ($0, place(of: child)) }
      }
      listing.entities[name] = Listing.Entity(
        place: place(of: node), parent: node.attributes["parentEntity"],
        properties: Dictionary(properties) { first, _ in first })
    }
    return listing
  }
}
