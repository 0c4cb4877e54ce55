import TestSupport

@testable import Commands

/// The policies of the corpus' apps, rewritten in Swift, in the folder `Policies` beside this file.
enum PolicySources {
  /// Compiles one file as an app's module.
  static func library(_ file: String, module: String? = nil) async throws -> PolicyLibrary {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Policies")
    return try await PolicyCompiler()
      .library(of: [folder.appending(path: "\(file).swift")], module: module ?? file)
  }
}
