import Foundation
import TestSupport
import Testing

/// Every command that runs an app's code confines it, and what it answers is looked at as what it is: anybody's.
@Suite(
  .enabled(if: SandboxPresence.isThere, "this system has no Landlock or no seccomp"),
  .tags(.process, .compiles), .tiered)
struct SandboxCommandsTests {
  /// An app whose policy lies beside its model, and a customer's store.
  private struct App {
    let root: TemporaryFolder
    var folder: URL { root.url.appending(path: "app") }
    static let store = "kept/Make.Beside.run/store.sqlite"

    init(policy: (_ outside: String) -> String) throws {
      root = try TemporaryFolder()
      let shipped = URL(fileURLWithPath: #filePath).appending(
        path: "../../../Scenarios/BesideTheModel"
      ).standardized
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["Beside.xcdatamodeld", "Songs.xcmappingmodel", "FilesFound.scenario.yaml"] {
        try FileManager.default.copyItem(
          at: shipped.appending(path: name), to: folder.appending(path: name))
      }
      for name in ["secret", "victim"] { try root.write("customer", to: name) }
      try root.write(policy(root.url.path), to: "app/TitlePolicy.swift")
      try root.write(
        """
        scenario: The store
        models: { xcode: Beside.xcdatamodeld, versions: [Beside] }
        seed: { Song: [{ id: waltz, name: Waltz }] }
        expect: [{ count: { Song: 1 } }]
        """, to: "app/Make.scenario.yaml")
      try root.write(
        """
        scenario: Fails
        models: Beside.xcdatamodeld
        seed: { Song: [{ id: waltz, name: Waltz }, { id: polka, name: Polka }] }
        chain: [Beside -> Beside 2]
        expect: [{ count: { Song: 7 } }]
        """, to: "app/Failing.scenario.yaml")
      let made = try run(["run", "Make.scenario.yaml", "--backend", "sqlite", "--keep", "kept"])
      try #require(made.status == 0, "\(made)")
    }

    func run(_ arguments: [String]) throws -> Tool.Result {
      try Tool.run(
        script: "export SECRET_TOKEN=x; cd app; \"$0\" \"$@\"",
        [try Tool.executable().path] + arguments, in: root)
    }

    /// Whatever isn't the app's own.
    var outside: [String] {
      get throws {
        try root.names().filter { $0 != "app" }.map {
          try "\($0) \(String(contentsOf: root.url.appending(path: $0), encoding: .utf8))"
        }
      }
    }
  }

  private static let made = """
      override func createDestinationInstances(
        forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
        manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
          .first?.setValue("made", forKey: "title")
      }
    """

  private static func policy(_ outside: String, isGentle: Bool) -> String {
    HostilePolicy.source(
      outside: outside, name: "TitlePolicy", isGentle: isGentle, members: made)
  }

  private static let commands: [[String]] = [
    ["run", "FilesFound.scenario.yaml", "--no-cache"],
    ["migrate", App.store, "--models", "Beside.xcdatamodeld", "-o", "new.sqlite"],
    ["init", "Beside.xcdatamodeld", "out"],
    ["init", "Beside.xcdatamodeld", "all", "--all"],
    ["smoke", "Beside.xcdatamodeld"],
    ["capture", "--models", "Beside.xcdatamodeld", "-o", "Report", App.store],
    ["compare", "--old", ".", "--new", ".", "--models", "Beside.xcdatamodeld", App.store],
    // Those of the policy's own text would have it say what isn't so.
    ["mutate", "FilesFound.scenario.yaml", "--state", "state", "--filter", "Songs.xcmappingmodel"],
    ["crash", "FilesFound.scenario.yaml", "--at", "1", "--faults", "kill"],
    [
      "bench", "FilesFound.scenario.yaml", "--objects", "3", "--samples", "1", "--warmup", "0",
      "--backend", "sqlite",
    ],
    ["reduce", "Failing.scenario.yaml"],
  ]

  /// The policy says what it reaches and fails its run; `mutate` says of such a scenario only that it fails.
  private func reachesSomething(_ result: Tool.Result) -> Bool {
    ["REACHED", "fails without any mutant"].contains {
      (result.output + result.errors).contains($0)
    }
  }

  @Test func noCommandLetsAPolicyReachAnything() throws {
    let app = try App { Self.policy($0, isGentle: false) }
    let harmless = try App { _ in Self.reading }
    let before = try app.outside
    for arguments in Self.commands {
      let result = try app.run(arguments + ["--sandbox"])
      // It does its work as one that tries nothing.
      let other = try harmless.run(arguments)
      #expect(result.status == other.status, "\(arguments): \(result) \(other)")
      #expect(!reachesSomething(result), "\(arguments): \(result)")
      #expect(try app.outside == before, "\(arguments)")
    }
  }

  /// Without the sandbox the same policy reaches what it reads: what the test above sees is the sandbox's doing.
  @Test func withoutASandboxEveryCommandLetsItReadWhatItLikes() throws {
    let app = try App { Self.policy($0, isGentle: true) }
    for arguments in Self.commands {
      let result = try app.run(arguments)
      #expect(reachesSomething(result), "\(arguments): \(result)")
    }
  }

  // MARK: Links

  private static let reading = """
    import CoreData
    class TitlePolicy: NSEntityMigrationPolicy {
    \(made)
    }

    """

  @Test(arguments: [
    "Leak.swift", "Leak.xcmappingmodel", "Beside.xcdatamodeld/Beside 2.xcdatamodel/more",
  ])
  func aLinkThatLeadsOutIsAnError(_ name: String) throws {
    let app = try App { _ in Self.reading }
    symlink(app.root.url.path + "/secret", app.folder.appending(path: name).path)
    let secret = try #require(
      realpath(app.root.url.path + "/secret", nil).map { String(cString: $0) })
    for arguments in Self.commands where arguments[0] != "compare" {
      let result = try app.run(arguments + ["--sandbox"])
      #expect(result.status == 2, "\(arguments): \(result)")
      let told = result.output + result.errors
      #expect(
        told.contains("\(name): error: a link leads to \(secret), outside of "),
        "\(arguments): \(result)")
      #expect(told.contains("--allow \(secret)"), "\(arguments): \(result)")
    }
  }

  @Test func aLinkIsFollowedToWhatIsAllowed() throws {
    let app = try App { _ in Self.reading }
    try FileManager.default.moveItem(
      at: app.folder.appending(path: "TitlePolicy.swift"),
      to: app.root.url.appending(path: "Shared.swift"))
    symlink("../Shared.swift", app.folder.appending(path: "TitlePolicy.swift").path)
    let run = ["run", "FilesFound.scenario.yaml", "--no-cache", "--sandbox"]
    #expect(try app.run(run).status == 2)
    let allowed = try app.run(run + ["--allow", "../Shared.swift"])
    #expect(allowed.status == 0, "\(allowed)")
    let missing = try app.run(run + ["--allow", "nothing"])
    #expect(missing.status == 2 && missing.errors.contains("--allow: there is no 'nothing'."))
    let alone = try app.run(["run", "FilesFound.scenario.yaml", "--allow", "."])
    #expect(alone.status == 2 && alone.errors.contains("add --sandbox"), "\(alone)")
  }

  /// Whoever sends a pull request writes the project file, too.
  @Test func aProjectFileAllowsNothing() throws {
    let app = try App { _ in Self.reading }
    try app.root.write("defaults: { run: { allow: [/] } }\n", to: "app/heavyweight.yaml")
    let run = try app.run(["run", "FilesFound.scenario.yaml", "--sandbox"])
    #expect(run.status == 2 && run.errors.contains("'run' has no option '--allow'"), "\(run)")
    try app.root.write("models: ../secret.xcdatamodeld\n", to: "app/heavyweight.yaml")
    try FileManager.default.moveItem(
      at: app.folder.appending(path: "Beside.xcdatamodeld"),
      to: app.root.url.appending(path: "secret.xcdatamodeld"))
    let smoke = try app.run(["smoke", "--sandbox"])
    #expect(smoke.status == 2 && smoke.errors.contains("this is outside of"), "\(smoke)")
  }

  @Test(arguments: [
    ["run", "FilesFound.scenario.yaml", "json: ../new.json"],
    ["run", "FilesFound.scenario.yaml", "cache: up/cache"],
    ["migrate", App.store, "-o", "new.sqlite", "scenario: ../secret"],
    ["smoke", "order: /etc/passwd"], ["smoke", "stubs: [Health=../secret]"],
  ])
  func aProjectFilesOptionsNameNothingOutside(_ call: [String]) throws {
    let app = try App { _ in Self.reading }
    symlink("..", app.folder.appending(path: "up").path)
    let (arguments, option) = (Array(call.dropLast()), call.last ?? "")
    try app.root.write(
      "models: Beside.xcdatamodeld\ndefaults: { \(call[0]): { \(option) } }\n",
      to: "app/heavyweight.yaml")
    let before = try app.outside
    let result = try app.run(arguments + ["--sandbox"])
    #expect(result.status == 2 && result.errors.contains(", outside of "), "\(result)")
    #expect(result.errors.contains("heavyweight.yaml:2:"), "\(result)")
    #expect(try app.outside == before)
  }

  @Test(arguments: ["up/new.json", "new.json"])
  func noLinkLeadsAReportOut(_ path: String) throws {
    let app = try App { _ in Self.reading }
    symlink("..", app.folder.appending(path: "up").path)
    symlink("../new.json", app.folder.appending(path: "new.json").path)
    let before = try app.outside
    for (option, file) in [("--json", path), ("--junit", path), ("--html", "up/page")] {
      let result = try app.run(["run", "FilesFound.scenario.yaml", "--sandbox", option, file])
      #expect(result.status == 2, "\(result)")
      #expect(result.errors.contains(": error: a link leads to "), "\(result)")
    }
    #expect(try app.outside == before)
    let typed = try app.run([
      "run", "FilesFound.scenario.yaml", "--sandbox", "--json", "../new.json",
    ])
    #expect(typed.status == 0, "\(typed)")
    #expect(try app.outside != before)
  }

  @Test func filesBesideAStoreAreNoWayOut() throws {
    let app = try App { _ in Self.reading }
    for name in [".store_SUPPORT", "store.sqlite-wal", "store.sqlite-journal"] {
      let link = app.folder.appending(path: "kept/Make.Beside.run/" + name).path
      symlink("/etc", link)
      defer { unlink(link) }
      for arguments in [
        ["migrate", App.store, "--models", "Beside.xcdatamodeld", "-o", "new.sqlite"],
        ["capture", "--models", "Beside.xcdatamodeld", "-o", "Report", App.store],
      ] {
        let result = try app.run(arguments + ["--sandbox"])
        #expect(result.status == 2, "\(name): \(result)")
        #expect(
          result.errors.contains("\(name): error: a link leads to /etc, outside of"), "\(result)")
      }
    }
  }

  @Test func sourcesThroughALinkInTheProjectAreRead() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Through a link
      models:
        v1: { A: { t: string } }
        v2: { A: { t: string, n: int32 = 0 } }
      policies: { module: M, sources: ../link/P.swift }
      seed: { A: [{ id: a, t: x }] }
      chain:
        - v1 -> v2:
            AToA: { source: A, destination: A, policy: M.P, attributes: { t: 'FUNCTION($entityPolicy, "up:", $source.t)' } }
      expect: [{ object: A a, has: { t: X } }]
      """, to: "s/L.scenario.yaml")
    try folder.write(
      """
      import CoreData
      class P: NSEntityMigrationPolicy { @objc func up(_ s: NSString) -> NSString { s.uppercased as NSString } }

      """, to: "real/P.swift")
    symlink("real", folder.url.appending(path: "link").path)
    let run = try Tool.run(["run", "s", "--sandbox", "--no-cache"], in: folder)
    #expect(run.status == 0, "\(run)")
  }

  // MARK: Answers

  /// A policy that ends the run by an answer of its own.
  private static func answering(_ answer: String) -> String {
    """
    import CoreData
    import Glibc
    class TitlePolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        let own = (NSHomeDirectory() as NSString).deletingLastPathComponent
        let file = own + "/answer"
        \(answer)
        for descriptor in Int32(3)..<64 {
          var facts = stat()
          guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else { continue }
          write(descriptor, [UInt8(1)], 1)
        }
        while true { sleep(1) }
      }
    }

    """
  }

  @Test(arguments: [
    "../victim.scenario.yaml", "/tmp/x.scenario.yaml", "sub/x.scenario.yaml", ".x", "x.sh",
  ])
  func aFileNameInAnAnswerIsAName(_ name: String) throws {
    let text =
      #"{"drafts":{"_0":{"all":[{"fileName":"NAME","text":"evil","remarks":[],"summary":"fine"}],"leftOut":[]}}}"#
    let app = try App { _ in
      Self.answering(
        "try Data(#\"\"\"\n    \(text.replacing("NAME", with: name))\n    \"\"\"#.utf8).write(to: URL(fileURLWithPath: file))"
      )
    }
    let before = try app.outside
    let result = try app.run(["init", "Beside.xcdatamodeld", "out", "--sandbox"])
    #expect(result.status == 2, "\(result)")
    #expect(
      result.errors.contains("the file name '\(name)', which is none of a scenario"), "\(result)")
    #expect(try app.outside == before)
    #expect(!FileManager.default.fileExists(atPath: app.folder.path + "/out"))
  }

  /// They play many runs, each of which answers like that.
  private static let longWithHostileAnswers: Set = [
    "mutate", "bench", "reduce", "crash", "compare",
  ]

  @Test(arguments: [
    "let made = open(file, O_RDWR | O_CREAT, 0o600); ftruncate(made, 3 << 30)",
    "try Data(String(repeating: \"[\", count: 100_000).utf8).write(to: URL(fileURLWithPath: file))",
    "mkdir(file, 0o700)",
    "try Data(#\"{\"result\":{\"checkCount\":9e18}}\"#.utf8).write(to: URL(fileURLWithPath: file))",
  ])
  func noAnswerHarmsTheTool(_ answer: String) throws {
    let app = try App { _ in Self.answering(answer) }
    for arguments in Self.commands where !Self.longWithHostileAnswers.contains(arguments[0]) {
      let result = try Tool.run(
        script: "cd app; ulimit -v 8000000; \"$0\" \"$@\"",
        [try Tool.executable().path] + arguments + ["--sandbox"]
          + ["--memory", "300M"], in: app.root)
      #expect([1, 2].contains(result.status), "\(arguments): \(result)")
      #expect(
        (result.output + result.errors).contains("no answer of this tool's"),
        "\(arguments): \(result)")
    }
  }

  // MARK: The compiler

  @Test func whatTheCompilerSaysIsToldAsWithoutASandbox() throws {
    let app = try App { _ in
      Self.reading.replacing("\"made\"", with: "Missing.make()")
    }
    for arguments in Self.commands {
      let plain = try app.run(arguments)
      let confined = try app.run(arguments + ["--sandbox"])
      #expect(confined.status == plain.status, "\(arguments): \(confined)")
      #expect(
        (confined.output + confined.errors).contains("cannot find 'Missing' in scope")
          == (plain.output + plain.errors).contains("cannot find 'Missing' in scope"),
        "\(arguments): \(confined)")
    }
  }
}
