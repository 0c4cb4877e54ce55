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
      "export HEAVYWEIGHT_PATHS=Migrations HEAVYWEIGHT_SHARD=1/2 HEAVYWEIGHT_ARGUMENTS='--timeout 1m' HEAVYWEIGHT_CACHE=kept",
      in: folder)
    #expect(first.status == 0, "\(first)")
    #expect(first.output.contains("1 scenario, 2 runs: 2 passed"))
    #expect(try folder.names(in: "kept").contains("last-failed") == false)
    let all = try run(
      ".ci/action.sh", ["run"],
      """
      mv Migrations "My Migrations"; mkdir Other; echo >Other/readme
      export HEAVYWEIGHT_PATHS="'My Migrations/A.scenario.yaml' Other
      My Migrations" HEAVYWEIGHT_ARGUMENTS='--filter "another"' HEAVYWEIGHT_CACHE=kept
      export GITHUB_STEP_SUMMARY="$PWD/page.md"
      """, in: folder)
    #expect(all.status == 1)
    #expect(all.output.contains("::error file=My Migrations/B.scenario.yaml,line="), "\(all)")
    #expect(all.output.contains("left out 1: by --filter another"), "\(all)")
    #expect(try folder.names(in: "kept").contains("last-failed"))
    for name in ["page.md", "report/summary.md"] {
      let text = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
      #expect(text.hasPrefix("## ❌ 2 of 2 runs failed\n"), "\(name)")
    }
    let open = try run(".ci/action.sh", ["run"], "export HEAVYWEIGHT_PATHS=\"it's\"", in: folder)
    #expect(open.status == 2)
    #expect(open.errors == "::error::a quote in this line isn't closed: it's\n")
    for name in ["index.html", "junit.xml", "report.json", "summary.md"] {
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
    #expect(judged.output.contains("\n::error file=Model/Bookshop.xcdatamodeld/"), "\(judged)")
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

  /// One job joins what the others did, and says which is missing.
  @Test func theActionJoinsShards() throws {
    let folder = try app()
    let environment = """
      for n in 1 2; do heavyweight run Migrations --shard $n/2 --json "my shards/$n.json" >/dev/null || true; done
      export HEAVYWEIGHT_JOIN='my shards'
      """
    let joined = try run(".ci/action.sh", ["join"], environment, in: folder)
    #expect(joined.status == 1)
    #expect(joined.output.contains("2 scenarios, 4 runs: 2 passed, 2 failed"), "\(joined)")
    let missing = try run(
      ".ci/action.sh", ["join"], environment + "\nrm 'my shards/2.json'", in: folder)
    #expect(missing.status == 2)
    #expect(missing.output.contains("✗ shard 2/2 can't be run"))
  }

  /// The tool is kept by what it is built of, not by the name of a branch.
  @Test func theToolIsKeptByItsCommit() throws {
    let folder = try TemporaryFolder()
    func key(_ version: String) throws -> String {
      let copy = """
        mkdir -p copy/Sources && cp -r \(Self.package.appending(path: ".ci").path) copy/
        touch copy/Package.swift copy/ci.sh
        export HEAVYWEIGHT_PREFIX="$PWD/prefix" HEAVYWEIGHT_VERSION=\(version) GIT_CEILING_DIRECTORIES="$PWD"
        copy/.ci/action.sh key | head -1
        """
      return try Tool.run(script: copy, [], in: folder).output
    }
    #expect(try key("0.4.0") == "key=0.4.0\n")
    let first = try key("source")
    #expect(first.wholeMatch(of: #/key=[0-9a-f]{40}\n/#) != nil, "\(first)")
    #expect(try key("source") == first)
    try folder.write("let x = 1\n", to: "copy/Sources/x.swift")
    #expect(try key("source") != first)
    let commit = try Tool.run(
      script:
        "cd copy && git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm x; git rev-parse HEAD",
      [], in: folder)
    #expect(try key("source") == "key=\(commit.output)")
  }

  /// The second run of a job rewrites what the first said; somebody else's comment stays, and so does a green job that may
  /// not write.
  @Test func theSummaryIsOneComment() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      const comment = require(process.argv[2]);
      (async () => {
        const store = [{ id: 1, body: 'hello' }], warned = [];
        const issues = {
          listComments: async () => store,
          updateComment: async ({ comment_id, body }) => { store.find((one) => one.id === comment_id).body = body; },
          createComment: async ({ body }) => { store.push({ id: 2, body }); },
        };
        const github = { paginate: async (list, wanted) => list(wanted), rest: { issues } };
        const repo = { owner: 'o', repo: 'r' };
        const context = { payload: { pull_request: { number: 7 } }, repo, serverUrl: 'https://h', runId: 3 };
        const core = { warning: (text) => warned.push(text) };
        const say = (summary, context) => comment({ github, context, core, summary, name: 'n' });
        await say('## red', context);
        await say('## green', context);
        await say('## elsewhere', { ...context, payload: {} });
        issues.listComments = async () => { throw new Error('not accessible'); };
        await say('## later', context);
        console.log(JSON.stringify([store.map((one) => one.body), warned]));
      })();
      """, to: "try.js")
    let result = try Tool.run(
      script: "exec node try.js \"$0\"", [Self.package.appending(path: ".ci/comment.js").path],
      in: folder)
    if result.status == 127 { try Test.cancel("needs node") }
    #expect(
      result.output == """
        [["hello","<!-- heavyweight n -->\\n## green\\n[The job's page and reports](https://h/o/r/actions/runs/3)"],\
        ["no comment on the pull request: not accessible"]]

        """, "\(result)")
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
    #expect(
      inputs == [
        "version", "paths", "shards", "models", "arguments", "join", "comment", "token", "name",
      ])
    for input in inputs where input != "comment" {
      #expect(text.contains("${{ inputs.\(input) }}"), "\(input)")
    }
    let calls = text.matches(of: #/(?m)^ +run: (.+)$/#).map { $0.output.1 }
    #expect(calls.count == 5)
    // Scenarios run also where a model isn't as it should be.
    #expect(
      text.contains("if: inputs.join == '' && (success() || steps.judge.outcome == 'failure')"))
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
    // The page's own commands install each of them.
    let page = try String(
      contentsOf: Self.package.appending(path: "docs/pre-commit.md"), encoding: .utf8)
    let stages = Set(text.matches(of: #/stages: \[(.+)\]/#).map { String($0.output.1) })
    #expect(stages == ["pre-commit", "pre-push"])
    #expect(page.contains("\ndefault_install_hook_types: [pre-commit, pre-push]\n"))
    let script = try String(
      contentsOf: Self.package.appending(path: ".ci/pre-commit.sh"), encoding: .utf8)
    for hook in hooks {
      for key in ["name", "entry", "language", "files"] {
        #expect(hook.contains("\n  \(key): "), "\(hook)")
      }
      let action = try #require(hook.firstMatch(of: #/entry: \.ci\/pre-commit\.sh (\w+)\n/#))
      #expect(script.contains(try Regex("\n  [a-z |]*\\b\(action.output.1)\\b[a-z |]*\\) ")))
      #expect(hook.contains("\n  stages: ["), "else it is called at every stage")
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
