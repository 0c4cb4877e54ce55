import Foundation
import TestSupport
import Testing

/// What is there for services, hooks and containers: the shell in it is run, as they would run it.
@Suite(.tags(.process), .tiered) struct ShippedScriptsTests {
  private static let package = URL(filePath: #filePath).appending(path: "../../..")
    .standardizedFileURL

  /// An app with a model, and the tool where a script looks for it: on PATH, and in a prefix.
  private func app() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.copyItem(
      at: Self.package.appending(path: "Scenarios/Bookshop/Model"),
      to: folder.url.appending(path: "Model"))
    try files.createDirectory(
      at: folder.url.appending(path: "prefix/bin"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      at: folder.url.appending(path: "prefix/bin/heavyweight"),
      withDestinationURL: Tool.executable())
    try folder.write(LibraryScenario.passing, to: "Migrations/A.scenario.yaml")
    try folder.write(
      LibraryScenario.failing.replacing("A library grows", with: "Another"),
      to: "Migrations/B.scenario.yaml")
    return folder
  }

  /// Runs a script of the package with these variables.
  private func run(
    _ script: String, _ arguments: [String] = [], _ environment: String = "",
    in folder: TemporaryFolder
  ) throws -> Tool.Result {
    try Tool.run(
      script: """
        export HEAVYWEIGHT_PREFIX="$PWD/prefix" PATH="$PWD/fake:$PWD/prefix/bin:$PATH"
        export HEAVYWEIGHT_REPORT="$PWD/report" XDG_CACHE_HOME="$PWD/cache"
        \(environment)
        exec "$0" "$@"
        """, [Self.package.appending(path: script).path] + arguments, in: folder)
  }

  /// A program by this name, in front of the real one.
  private func replace(_ program: String, by script: String, in folder: TemporaryFolder) throws {
    let file = try folder.write("#!/bin/bash\n" + script, to: "fake/\(program)")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
  }

  // MARK: The action

  @Test func theActionRunsAPartAnnotatesAndReports() throws {
    let folder = try app()
    let first = try run(
      ".ci/action.sh", ["run"],
      "export HEAVYWEIGHT_PATHS=Migrations HEAVYWEIGHT_SHARD=1/2 HEAVYWEIGHT_ARGUMENTS='--timeout 1m'",
      in: folder)
    #expect(first.status == 0, "\(first)")
    #expect(first.output.contains("1 scenario, 2 runs: 2 passed"))
    let all = try run(
      ".ci/action.sh", ["run"], "export HEAVYWEIGHT_PATHS='Migrations/A.scenario.yaml Migrations'",
      in: folder)
    #expect(all.status == 1)
    #expect(all.output.contains("::error file=Migrations/B.scenario.yaml,line="), "\(all)")
    for name in ["index.html", "junit.xml", "report.json"] {
      let path = folder.url.appending(path: "report/\(name)").path
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
    }
  }

  @Test func theActionJudgesEveryModel() throws {
    let folder = try app()
    let judged = try run(
      ".ci/action.sh", ["judge"], "export HEAVYWEIGHT_MODELS='Model/Bookshop.xcdatamodeld'",
      in: folder)
    #expect(judged.status == 1)
    #expect(judged.output.contains("[destination-changed]"))
    #expect(!judged.output.contains("versions locked"))
    // What is accepted passes; with a manifest, released versions are compared too.
    let accepted = try run(
      ".ci/action.sh", ["judge"],
      """
      heavyweight lock Model/Bookshop.xcdatamodeld >&2
      heavyweight check Model/Bookshop.xcdatamodeld --strict --accept 'it never shipped' >&2
      heavyweight lock Model/Bookshop.xcdatamodeld --accept 'it never shipped' >&2
      export HEAVYWEIGHT_MODELS='Model/Bookshop.xcdatamodeld'
      """, in: folder)
    #expect(accepted.status == 0, "\(accepted)")
    #expect(accepted.output.contains("4 versions locked"))
  }

  /// A release is taken from where releases are, and nothing else than what its checksum says.
  @Test func theActionInstallsAReleaseAndNothingElse() throws {
    let folder = try app()
    // A release of one script, and `curl` that finds it beside itself.
    let made = try Tool.run(
      script: """
        name=heavyweight-9.9.9-linux-$(uname -m)
        mkdir -p "$name/bin" served && printf '#!/bin/sh\\necho heavyweight 9.9.9\\n' >"$name/bin/heavyweight"
        chmod +x "$name/bin/heavyweight" && tar czf "served/$name.tar.gz" "$name"
        cd served && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
        """, [], in: folder)
    #expect(made.status == 0, "\(made)")
    try replace(
      "curl",
      by: """
        address=${!#} output=
        while [ $# -gt 1 ]; do [ "$1" = --output ] && output=$2; shift; done
        echo "$address" >>addresses
        cp "served/${address##*/}" "$output"
        """, in: folder)
    let environment =
      "export HEAVYWEIGHT_VERSION=v9.9.9 HEAVYWEIGHT_REPOSITORY=https://example.org/a HEAVYWEIGHT_PREFIX=$PWD/new"
    let installed = try run(".ci/action.sh", ["install"], environment, in: folder)
    #expect(installed.status == 0, "\(installed)")
    #expect(installed.output == "heavyweight 9.9.9\n")
    let addresses = try String(
      contentsOf: folder.url.appending(path: "addresses"), encoding: .utf8)
    #expect(
      addresses.contains(
        #/^https:\/\/example.org\/a\/releases\/download\/v9\.9\.9\/heavyweight-9\.9\.9-linux-\w+\.tar\.gz\n/#
      ), "\(addresses)")
    let damaged = try run(
      ".ci/action.sh", ["install"], environment + "\necho x >>served/heavyweight*.tar.gz",
      in: folder)
    #expect(damaged.status == 2)
    #expect(damaged.errors.contains("isn't what its checksum says"))
    let missing = try run(
      ".ci/action.sh", ["install"], environment + "\nrm served/*", in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.contains("there is no release 9.9.9"))
  }

  /// No input gets into shell by being pasted, and each one is used.
  @Test func theActionPassesItsInputsInTheEnvironment() throws {
    let text = try String(contentsOf: Self.package.appending(path: "action.yml"), encoding: .utf8)
    let inputs = text.matches(of: #/(?m)^  (\w+):\n    description:/#).map { $0.output.1 }
    #expect(inputs == ["version", "paths", "shards", "models", "arguments", "name"])
    for input in inputs { #expect(text.contains("${{ inputs.\(input) }}"), "\(input)") }
    let calls = text.matches(of: #/(?m)^ +run: (.+)$/#).map { $0.output.1 }
    #expect(calls.count == 3)
    let script = try String(
      contentsOf: Self.package.appending(path: ".ci/action.sh"), encoding: .utf8)
    for call in calls {
      let action = try #require(
        call.wholeMatch(of: #/'"\$GITHUB_ACTION_PATH\/\.ci\/action\.sh" (\w+)'/#), "\(call)")
      #expect(script.contains("\n  \(action.output.1)) "))
    }
    for variable in script.matches(of: #/\$\{(HEAVYWEIGHT_\w+):\?/#) {
      #expect(text.contains("\(variable.output.1):"), "\(variable.output.1)")
    }
  }

  // MARK: Hooks

  @Test func hooksFindTheModelsOfWhatChanged() throws {
    let folder = try app()
    let files = [
      "Model/Bookshop.xcdatamodeld/Bookshop 4.xcdatamodel/contents",
      "Model/Bookshop 2 to 3.xcmappingmodel/xcmapping.xml",
    ]
    let check = try run(".ci/pre-commit.sh", ["check"] + files, in: folder)
    #expect(check.status == 1)
    #expect(check.output.matches(of: #/Bookshop\.xcdatamodeld: 4 versions/#).count == 1, "\(check)")
    // Mapping files lie anywhere; what they name tells the model.
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Maps"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: folder.url.appending(path: "Model/Bookshop 2 to 3.xcmappingmodel"),
      to: folder.url.appending(path: "Maps/Two.xcmappingmodel"))
    let elsewhere = try run(
      ".ci/pre-commit.sh", ["check", "Maps/Two.xcmappingmodel/xcmapping.xml"], in: folder)
    #expect(elsewhere.output.contains("Bookshop.xcdatamodeld: 4 versions"), "\(elsewhere)")
    try FileManager.default.removeItem(at: folder.url.appending(path: "Maps"))
    // Without a manifest there is nothing to compare with.
    #expect(try run(".ci/pre-commit.sh", ["lock"] + files, in: folder) == (0, "", ""))
    let lock = try run(
      ".ci/pre-commit.sh", ["lock", "Model/Bookshop.xcdatamodeld.lock.json"],
      "heavyweight lock Model/Bookshop.xcdatamodeld >/dev/null", in: folder)
    #expect(lock.status == 0, "the step without a way is older than the manifest")
    #expect(lock.output.contains("4 versions locked"))
    let run = try run(".ci/pre-commit.sh", ["run", "Migrations"], in: folder)
    #expect(run.status == 1)
    #expect(run.output.contains("✗ Another") && !run.output.contains("✓"))
    #expect(
      try self.run(".ci/pre-commit.sh", ["run", "Migrations/A.scenario.yaml"], in: folder).status
        == 0)
  }

  @Test func hooksSayWhereTheToolComesFrom() throws {
    let result = try Tool.run(
      script: "PATH=/usr/bin:/bin exec \"$0\" lock",
      [Self.package.appending(path: ".ci/pre-commit.sh").path], in: TemporaryFolder())
    #expect(result.status == 2)
    #expect(result.errors.contains("heavyweight isn't on PATH: './ci.sh install PREFIX'"))
  }

  @Test func eachHookIsAnActionOfTheScript() throws {
    let text = try String(
      contentsOf: Self.package.appending(path: ".pre-commit-hooks.yaml"), encoding: .utf8)
    let hooks = text.components(separatedBy: "- id: ").dropFirst()
    #expect(hooks.count == 3)
    let script = try String(
      contentsOf: Self.package.appending(path: ".ci/pre-commit.sh"), encoding: .utf8)
    for hook in hooks {
      for key in ["name", "entry", "language", "files"] {
        #expect(hook.contains("\n  \(key): "), "\(hook)")
      }
      let action = try #require(hook.firstMatch(of: #/entry: \.ci\/pre-commit\.sh (\w+)\n/#))
      #expect(script.contains(try Regex("\n  [a-z |]*\\b\(action.output.1)\\b[a-z |]*\\) ")))
      let pattern = try #require(hook.firstMatch(of: #/files: '(.+)'/#)).output.1
      let files = try Regex(String(pattern))
      #expect("App/A.xcdatamodeld/A 2.xcdatamodel/contents".contains(files))
      #expect(!"App/AppDelegate.m".contains(files))
    }
  }

  // MARK: Containers

  /// The shell of each step of each stage can be read; the last two run as a plain user.
  @Test(arguments: ["build", "slim", "policies"])
  func theStepsOfTheImageAreShell(_ stage: String) throws {
    let steps = try run(".ci/dockerfile-steps.sh", [stage], in: TemporaryFolder())
    #expect(steps.status == 0)
    #expect(steps.output.hasPrefix("set -e\n") && steps.output.contains(" \\\n && "))
    let parsed = try Tool.run(script: "sh -n <<<\"$0\"", [steps.output], in: TemporaryFolder())
    #expect(parsed.status == 0, "\(parsed.errors)")
    let file = try String(contentsOf: Self.package.appending(path: "Dockerfile"), encoding: .utf8)
    let part = try #require(file.components(separatedBy: " AS \(stage)\n").last)
      .components(separatedBy: "\nFROM ")[0]
    #expect(stage == "build" || part.contains("\nUSER heavyweight\n"))
    for script in steps.output.matches(of: #/\.ci\/[\w-]+\.sh/#) {
      let path = Self.package.appending(path: String(script.output)).path
      #expect(FileManager.default.isExecutableFile(atPath: path), "\(path)")
    }
  }

  /// The image's compiler must be the one that the engine's modules are of.
  @Test func theImageHasOneCompiler() throws {
    let file = try String(contentsOf: Self.package.appending(path: "Dockerfile"), encoding: .utf8)
    let images = Set(file.matches(of: #/(?m)^FROM (swift:\S+)/#).map { String($0.output.1) })
    #expect(images == ["swift:6.3.1-bookworm"])
  }

  /// A container sees the current folder under its own path, as its caller; the image is made once.
  @Test func theToolInAContainerTakesTheSameArguments() throws {
    let folder = try app()
    try replace(
      "docker",
      by: """
        printf '%s\\n' "$@" >>calls; echo -- >>calls
        if [ "$1 $2" = "image inspect" ]; then [ -e built ]; exit; fi
        if [ "$1" = build ]; then touch built; fi
        if [ "$1" = run ]; then exit 5; fi
        """, in: folder)
    for _ in 1...2 {
      let result = try run(
        "docs/in-container", ["run", "My Migrations", "--json", "-"], in: folder)
      #expect(result.status == 5 && result.errors == "")
    }
    let calls = try String(contentsOf: folder.url.appending(path: "calls"), encoding: .utf8)
      .components(separatedBy: "--\n")
    #expect(calls.count { $0.hasPrefix("build\n") } == 1)
    let last = try #require(calls.last { $0.hasPrefix("run\n") })
    #expect(last.hasSuffix("heavyweight\nrun\nMy Migrations\n--json\n-\n"), "\(last)")
    let place = folder.url.resolvingSymlinksInPath().path
    #expect(last.contains("--volume\n\(place):\(place)\n--workdir\n\(place)\n"), "\(last)")
    #expect(last.contains("--user\n\(getuid()):\(getgid())\n") && !last.contains("--tty"))
  }
}
