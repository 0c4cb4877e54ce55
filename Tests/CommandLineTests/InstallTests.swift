import Foundation
import TestSupport
import Testing

/// An installed tool needs nothing of the package it was built from.
@Suite struct InstallTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// Installs the built tool, then moves everything to another place.
  private func install(into folder: TemporaryFolder) throws -> URL {
    let script = Self.package.appending(path: ".ci/install.sh").path
    let build = try Tool.executable().deletingLastPathComponent().path
    let result = try Tool.run(
      script: "\"$0\" \"$1\" first && mkdir moved && mv first moved/prefix", [script, build],
      in: folder)
    try #require(result.status == 0, "\(result.errors)")
    return folder.url.appending(path: "moved/prefix")
  }

  private func write(to folder: TemporaryFolder) throws {
    let scenario = """
      scenario: A policy runs
      models:
        v1: { Event: { name: string } }
        v2: { Event: { name: string, length: int64? } }
      policies: { module: App, sources: Policy.swift }
      seed: { Event: [{ id: first, name: fine }] }
      chain:
        - v1 -> v2:
            EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
      expect:
        - calls: { App.AppPolicy.begin: 1 }

      """
    try folder.write(scenario, to: "Work/A.scenario.yaml")
    try folder.write(
      "import CoreData\nclass AppPolicy: NSEntityMigrationPolicy {}\n", to: "Work/Policy.swift")
    let plain = scenario.replacing("policies: { module: App, sources: Policy.swift }\n", with: "")
      .replacing(", policy: App.AppPolicy", with: "").replacing("A policy", with: "No policy")
      .replacing("calls: { App.AppPolicy.begin: 1 }", with: "count: { Event: 1 }")
    try folder.write(plain, to: "Work/B.scenario.yaml")
  }

  @Test func installedToolCompilesPoliciesFromAnyFolder() throws {
    let folder = try TemporaryFolder()
    let prefix = try install(into: folder)
    try write(to: folder)
    // Nothing was compiled before, and nothing points to the package.
    let script = """
      export XDG_CACHE_HOME="$PWD/cache"; unset HEAVYWEIGHT_MODULES HEAVYWEIGHT_EXECUTABLE
      cd Work && "$0" run .
      """
    let result = try Tool.run(
      script: script, [prefix.appending(path: "bin/heavyweight").path], in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("2 scenarios, 4 runs: 4 passed"))
    for path in [
      "share/bash-completion/completions/heavyweight", "share/zsh/site-functions/_heavyweight",
      "share/fish/vendor_completions.d/heavyweight.fish",
    ] {
      let script = try String(contentsOf: prefix.appending(path: path), encoding: .utf8)
      #expect(script.contains("timeout"), "\(path)")
      // What the tool starts by itself is for nobody to type.
      #expect(script.contains("bench") && script.firstMatch(of: #/\bplay\b/#) == nil, "\(path)")
    }
  }

  @Test func withoutCompilerOnlyScenariosWithPoliciesFail() throws {
    let folder = try TemporaryFolder()
    try write(to: folder)
    let result = try Tool.run(
      script: """
        export XDG_CACHE_HOME="$PWD/cache" HEAVYWEIGHT_SWIFTC=/nowhere/swiftc
        cd Work && "$0" run . --backend memory
        """, [Tool.executable().path], in: folder)
    #expect(result.status == 2)
    let told = result.output + result.errors
    for text in [
      "A.scenario.yaml", "can't run the Swift compiler '/nowhere/swiftc'",
      "Install the Swift toolchain", "Scenarios without policies need no compiler",
      "✓ No policy runs",
    ] {
      #expect(told.contains(text), "\(text) in:\n\(told)")
    }
  }

  @Test func installingFromAFolderWithoutToolSaysSo() throws {
    let script = Self.package.appending(path: ".ci/install.sh").path
    let result = try Tool.run(script: "\"$0\" . prefix", [script], in: TemporaryFolder())
    #expect(result.status == 2)
    #expect(result.errors == "there is no built tool in .\n")
  }
}
