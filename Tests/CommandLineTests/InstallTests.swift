import Foundation
import TestSupport
import Testing

/// An installed tool needs nothing of the package it was built from.
@Suite(.tags(.process), .tiered)
struct InstallTests {
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

  /// Help may name pages and schemas: they are installed too, and each command has a man page.
  @Test func documentationAndManPagesAreInstalled() throws {
    let folder = try TemporaryFolder()
    let prefix = try install(into: folder)
    let doc = prefix.appending(path: "share/doc/heavyweight")
    let files = FileManager.default
    let help = try Tool.run(["--help"], in: TemporaryFolder()).output
    let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
    let commands = list.matches(of: #/(?m)^  ([a-z][a-z-]*) /#).map { String($0.output.1) }
    #expect(commands.count > 10)
    var named = ["Scenarios/scenario.schema.json", "docs/report.schema.json", "LICENSE"]
    for command in commands {
      let text = try Tool.run([command, "--help"], in: TemporaryFolder()).output
      named += text.matches(of: #/\b(?:docs|Scenarios)\/[\w-]+\.(?:md|schema\.json)/#).map {
        String($0.output)
      }
      let page = try String(
        contentsOf: prefix.appending(path: "share/man/man1/heavyweight-\(command).1"),
        encoding: .utf8)
      #expect(page.hasPrefix(".TH \"HEAVYWEIGHT-\(command.uppercased())\" 1 "))
      for heading in ["NAME", "DESCRIPTION", "SYNOPSIS", "\"OPTIONS\""] {
        #expect(page.contains(".SH \(heading)\n"), "\(heading) of \(command)")
      }
    }
    #expect(named.contains("docs/check.md"))
    for path in named {
      #expect(files.fileExists(atPath: doc.appending(path: path).path), "\(path)")
    }
  }

  /// Nearly all arguments are files: no shell may be kept from offering them.
  @Test func completionsOfferFiles() throws {
    let scripts = try ["bash", "zsh", "fish"].map {
      let result = try Tool.run(["--generate-completion-script", $0], in: TemporaryFolder())
      #expect(result.status == 0)
      return result.output
    }
    #expect(scripts[0].contains("complete -o filenames -o default -F _heavyweight heavyweight"))
    #expect(scripts[1].contains("'*:path:_files'"))
    #expect(scripts[1].firstMatch(of: #/:[a-z]+:'\n/#) == nil)
    #expect(!scripts[2].contains("-rfka ''") && scripts[2].contains(" -rF\n"))
    let folder = try TemporaryFolder()
    try folder.write(scripts[0], to: "script")
    try folder.write("", to: "Model.xcdatamodeld/contents")
    // As the Tab key does it.
    let offered = try Tool.run(
      script: """
        source ./script
        COMP_WORDS=(heavyweight check M) COMP_CWORD=2 COMP_LINE='heavyweight check M' COMP_POINT=19
        _heavyweight heavyweight M check; echo "${#COMPREPLY[@]}"; complete -p heavyweight
        """, [], in: folder)
    #expect(offered.output.hasPrefix("0\n") && offered.output.contains("-o default"), "\(offered)")
  }

  private static let canMakeRelease =
    getuid() == 0
    && ["patchelf", "strip", "objdump"].allSatisfy { program in
      ["/usr/bin", "/usr/local/bin", "/opt/swift/usr/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
      }
    }

  /// What a release holds, made of this build, in a root that has the C library alone.
  @Test(.enabled(if: canMakeRelease, "needs root, patchelf and binutils"))
  func aReleaseNeedsTheCLibraryAlone() throws {
    let folder = try TemporaryFolder()
    let build = try Tool.executable().deletingLastPathComponent().path
    let package = Self.package.path
    let made = try Tool.run(
      script: "\"$0/.ci/release.sh\" \"$1\" out --unpacked && "
        + "\"$0/.ci/try-release.sh\" out/heavyweight-* --without-compiler",
      [package, build], in: folder)
    try #require(made.status == 0, "\(made.output)\(made.errors)")
    #expect(made.output.contains("run /work/AddAttributes.scenario.yaml: 0, as expected"))
    let checked = try Tool.run(
      script: """
        cd out/heavyweight-* && sha256sum --check --quiet SHA256SUMS && cat share/doc/heavyweight/sbom.cdx.json
        """, [], in: folder)
    #expect(checked.status == 0, "\(checked.errors)")
    let bill = try #require(
      JSONSerialization.jsonObject(with: Data(checked.output.utf8)) as? [String: Any])
    let components = try #require(bill["components"] as? [[String: Any]])
    func scope(_ name: String) -> String? {
      components.first { $0["name"] as? String == name }?["scope"] as? String
    }
    #expect(bill["bomFormat"] as? String == "CycloneDX")
    #expect(scope("yams") == "required" && scope("libsqlite3.so.0") == "required")
    #expect(scope("benchmark") == "excluded")
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
