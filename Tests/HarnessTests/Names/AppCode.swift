import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Swift files of an app, as they would be in its project, compiled and loaded.
struct AppCode {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "AppCode")

  /// Compiles the files of a folder under AppCode into a module.
  /// - Parameter shared: Files of the app that scenarios have, too, from the folder of these.
  static func library(
    _ name: String, module: String, with shared: [String] = []
  ) async throws -> PolicyLibrary {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: name), includingPropertiesForKeys: nil)
    let scenarios = folder.appending(path: "../../../Scenarios").standardizedFileURL
    let sources =
      files.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
      + shared.map { scenarios.appending(path: $0) }
    let cache = try TemporaryFolder()
    return try await PolicyCompiler(cacheDirectory: cache.url)
      .library(of: sources, module: module)
  }
}

extension PolicyLibrary {
  /// Calls a method that takes a text and gives one, of a class without state.
  func call(_ selector: String, of className: String, _ argument: String) throws -> String {
    let object = try policy(className)
    let dispatcher = try #require(object.functionDispatcher)
    return try #require(
      try ExceptionTrap.catching { try dispatcher(object, selector, [argument]) } as? String)
  }
}
