import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A fresh folder with policy sources and a cache of compiled policies.
struct PolicyFolder {
  let folder: TemporaryFolder
  let module: String

  init(module: String = "SongbookSimple") throws {
    folder = try TemporaryFolder()
    self.module = module
  }

  var cache: URL { folder.url.appending(path: "cache") }

  func compiler(named name: String? = nil) -> PolicyCompiler {
    PolicyCompiler(cacheDirectory: cache, compiler: name)
  }

  /// Compiles and loads policies given as file names and texts.
  func library(
    _ files: KeyValuePairs<String, String>, compiler name: String? = nil
  ) async throws -> PolicyLibrary {
    let sources = try files.map { try folder.write($0.value, to: "Policies/\($0.key)") }
    return try await compiler(named: name).library(of: sources, module: module)
  }

  /// Compiles and loads one file.
  func library(_ text: String, compiler name: String? = nil) async throws -> PolicyLibrary {
    try await library(["Policy.swift": text], compiler: name)
  }
}

/// Policies that several tests use and none changes: compiled when the first one asks.
struct SharedLibrary: Sendable {
  private let task: Task<PolicyLibrary, any Error>

  init(module: String, _ files: KeyValuePairs<String, String>) {
    let files = files.map { ($0.key, $0.value) }
    task = Task {
      let folder = try PolicyFolder(module: module)
      let sources = try files.map { try folder.folder.write($0.1, to: $0.0) }
      return try await folder.compiler().library(of: sources, module: module)
    }
  }

  var value: PolicyLibrary { get async throws { try await task.value } }
}

extension PolicyLibrary {
  /// A policy, when the test expects it to be there.
  func policy(_ name: String) throws -> EntityMigrationPolicy {
    try #require(try makePolicy(named: name))
  }
}
