/// What was read from files, by their paths, and forgotten some time after the file is gone: an app's tests,
/// say, read the same model from a fresh folder each time.
package struct ContentByPath<Content> {
  private var contents: [String: Content] = [:]
  /// How many may be kept before the files are looked at.
  private var limit = fewest
  private static var fewest: Int { 32 }

  package init() {}

  package subscript(path: String) -> Content? { contents[path] }

  package mutating func keep(_ content: Content, of path: String) {
    contents[path] = content
    guard contents.count > limit else { return }
    contents = contents.filter { FileManager.default.fileExists(atPath: $0.key) }
    limit = Swift.max(Self.fewest, contents.count * 2)
  }

  var count: Int { contents.count }
}
