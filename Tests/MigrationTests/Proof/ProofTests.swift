import Migration
import TestSupport
import Testing

/// Random models, random data and random steps: memory and SQLite, in place and by a manager, step by
/// step and direct must come to the same, and each store must be as Core Data would have written it.
///
/// `HEAVYWEIGHT_PROOF_CASES` sets how many cases are played, `HEAVYWEIGHT_PROOF_SEED` the first seed.
@Suite(.tags(.random), .tiered) struct ProofTests {
  private static let batchCount = 8
  private static let caseCount = number("HEAVYWEIGHT_PROOF_CASES") ?? 2000
  private static let firstSeed = number("HEAVYWEIGHT_PROOF_SEED") ?? 1

  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  @Test(arguments: 0..<batchCount)
  func randomChainsComeToTheSameByAllWays(batch: Int) throws {
    let folder = try ProofFolder()
    let count = Self.caseCount / Self.batchCount
    let first = Self.firstSeed + batch * count
    for seed in first..<first + count {
      var generator = ProofGenerator(seed: UInt64(seed))
      let example = generator.makeCase()
      guard let problem = folder.problem(of: example, named: "\(seed)") else { continue }
      let (smallest, reason) = folder.shrink(example, problem)
      Issue.record("seed \(seed): \(reason)\n\(smallest)")
      return
    }
    for finding in try folder.checkStores() { Issue.record("seed \(finding)") }
  }

  /// The checker finds what is wrong in such stores.
  @Test func theLayoutOfStoresIsChecked() throws {
    let folder = try ProofFolder()
    for seed in 1...3 {
      var generator = ProofGenerator(seed: UInt64(seed))
      #expect(folder.problem(of: generator.makeCase(), named: "\(seed)") == nil)
    }
    #expect(try folder.checkStores() == [])
    try folder.damageStores()
    #expect(try !folder.checkStores().isEmpty)
  }

  @Test func generatedCasesReachWhatTheyShould() throws {
    var kinds: Set<String> = []
    for seed in 1...300 {
      var generator = ProofGenerator(seed: UInt64(seed))
      for change in generator.makeCase().steps.joined() {
        kinds.insert("\(change)".prefix { $0 != "(" }.description)
      }
    }
    #expect(
      kinds.sorted() == [
        "addAttribute", "addEntity", "addRelationship", "allowDuplicates", "move", "moveAttribute",
        "relax", "removeAttribute", "removeEntity", "removeRelationship", "renameAttribute",
        "renameEntity", "renameRelationship", "require", "retarget", "retype", "setAbstract",
        "setDefault", "setOrdered", "setRequired", "swapAttributes", "unique", "widen",
      ])
  }
}

/// The folder of many cases' stores.
private final class ProofFolder {
  private let url: URL
  private var stores: [URL] = []

  /// In memory where there is such a place: most of a small store's time goes to the disk.
  init() throws {
    let memory = URL(filePath: "/dev/shm")
    let isMemory = FileManager.default.isWritableFile(atPath: memory.path)
    url = (isMemory ? memory : FileManager.default.temporaryDirectory)
      .appending(path: "heavyweight-proof-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Plays a case in a folder of its own; what it wrote stays for ``checkStores()``.
  func problem(of example: ProofCase, named name: String) -> String? {
    let folder = url.appending(path: name)
    do {
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let problem = try ExceptionTrap.catching { try ProofRun(example, in: folder).problem() }
      for kind in ["in-place", "manager", "direct"] {
        let store = folder.appending(path: "\(kind).sqlite")
        if FileManager.default.fileExists(atPath: store.path) { stores.append(store) }
      }
      return problem
    } catch {
      return "the case can't be played: \(error)"
    }
  }

  /// Leaves out what isn't needed for the case to fail in the same way.
  func shrink(_ example: ProofCase, _ problem: String) -> (ProofCase, String) {
    var (smallest, reason) = (example, problem)
    let kind = problem.prefix { $0 != ":" }
    var budget = 400
    var hasShrunk = true
    while hasShrunk, budget > 0 {
      hasShrunk = false
      for candidate in smallest.smaller where budget > 0 {
        budget -= 1
        guard let found = self.problem(of: candidate, named: "shrinking"),
          found.prefix(while: { $0 != ":" }) == kind
        else { continue }
        (smallest, reason, hasShrunk) = (candidate, found, true)
        break
      }
    }
    return (smallest, reason)
  }

  /// What the independent checker finds in the stores, many at a time.
  func checkStores() throws -> [String] {
    var findings: [String] = []
    for start in stride(from: 0, to: stores.count, by: 300) {
      let batch = stores[start..<min(start + 300, stores.count)].map(linked)
      findings += try Self.check(batch)
    }
    return findings
  }

  /// Gives entities other numbers than their rows have.
  func damageStores() throws {
    for store in stores {
      try FormatChecker.damage(store, by: "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 100")
    }
  }

  /// The store under a name that says where it comes from.
  private func linked(_ store: URL) -> URL {
    let seed = store.deletingLastPathComponent().lastPathComponent
    let place = url.appending(path: "\(seed)-\(store.lastPathComponent)")
    try? FileManager.default.linkItem(at: store, to: place)
    return place
  }

  private static func check(_ stores: [URL]) throws -> [String] {
    let output = try FormatChecker.output(
      ["--strict", "--rows", "--quiet", "--cache"] + stores.map(\.path))
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.last?.hasSuffix("\(stores.count) stores pass") == true, "\(output)")
    return Array(lines.dropLast().prefix(10))
  }
}
