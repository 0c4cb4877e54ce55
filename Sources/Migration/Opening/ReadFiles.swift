import Synchronization

/// Models and mapping models that were read, as long as their files are what they were: an app asks for them again
/// and again, and may have a hundred versions.
///
/// Models are immutable. Of mapping models only what Xcode's files say is kept, since apps change the objects that
/// are made of it.
package final class ReadFiles: Sendable {
  package static let shared = ReadFiles()

  private struct Entry<Content>: @unchecked Sendable {
    let state: FilesState
    let content: Content
  }
  private let models = Mutex(ContentByPath<Entry<VersionedModel>>())
  private let mappings = Mutex(ContentByPath<Entry<MappingFile>>())

  /// - Throws: ``ModelFileError``.
  func model(at url: URL) throws -> VersionedModel {
    let state = FilesState(of: url)
    if let known = models.withLock({ $0[url.path] }), known.state == state { return known.content }
    let model = try VersionedModel.load(contentsOf: url)
    models.withLock { $0.keep(Entry(state: state, content: model), of: url.path) }
    return model
  }

  /// - Throws: ``MappingFileError``.
  package func mapping(at url: URL) throws -> MappingFile {
    let state = FilesState(of: url)
    if let known = mappings.withLock({ $0[url.path] }), known.state == state {
      return known.content
    }
    let file = try MappingFile.load(contentsOf: url)
    if case .source = file {
      mappings.withLock { $0.keep(Entry(state: state, content: file), of: url.path) }
    }
    return file
  }
}

/// What tells that a file, or everything in a folder, is still what it was.
private struct FilesState: Equatable {
  private var files: [String: FileState] = [:]

  init(of url: URL) {
    let place = url.resolvingSymlinksInPath()
    files[place.path] = FileState(of: place)
    let inside = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)
    for case let file as URL in inside ?? .init() { files[file.path] = FileState(of: file) }
  }
}
