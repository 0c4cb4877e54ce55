import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Real models and mapping models with random damage: whatever comes of it, it is a report or an error
/// that names a file, and never a crash.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage), .tags(.corpus), .tiered)
struct DamagedFilesTests {
  /// How often each file is damaged; more in a run of `HEAVYWEIGHT_DAMAGE_ROUNDS`.
  private static let rounds =
    ProcessInfo.processInfo.environment["HEAVYWEIGHT_DAMAGE_ROUNDS"].flatMap { Int($0) } ?? 25
  private static let firstSeed =
    ProcessInfo.processInfo.environment["HEAVYWEIGHT_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1_000_000_000)

  private static let models = [
    "bookmigration/Model.xcdatamodeld/Model3.xcdatamodel",
    "posts/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example 4.xcdatamodel",
    "wire/ZMEventModel.xcdatamodeld/ZMEventModel3.0.xcdatamodel",
    "wire/zmessaging.xcdatamodeld/zmessaging2.3.xcdatamodel",
    "woocommerce/WooCommerce.xcdatamodeld/Model 9.xcdatamodel",
  ]

  private static var seeds: [UInt64] { (0..<UInt64(rounds)).map { firstSeed + $0 } }

  /// Does something that may fail with an error that names the file.
  private func attempt(_ what: String, _ body: () throws -> Void) {
    do { try body() } catch let error as ModelFileError {
      #expect(!error.file.isEmpty, "\(what)")
    } catch let error as MappingFileError {
      #expect(!error.file.isEmpty, "\(what)")
    } catch is Diagnostics {
    } catch { Issue.record("\(what): an error without a file: \(error)") }
  }

  // MARK: Models

  @Test(arguments: models)
  func aDamagedModelFileIsReadOrRefused(_ path: String) throws {
    let whole = try String(
      contentsOf: Corpus.url(path).appending(path: "contents"), encoding: .utf8)
    let folder = try TemporaryFolder()
    try folder.write(whole, to: "App.xcdatamodeld/App.xcdatamodel/contents")
    try folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>",
      to: "App.xcdatamodeld/.xccurrentversion")
    for seed in Self.seeds {
      var damage = TextDamage(seed: seed)
      try folder.write(
        damage.damaged(whole), to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
      attempt("\(path), seed \(seed)") {
        let url = folder.url.appending(path: "App.xcdatamodeld")
        _ = try check(url).json.machineReport()
        try use(VersionedModel.load(contentsOf: url), in: folder, "\(path), seed \(seed)")
      }
    }
  }

  private func check(_ model: URL, mappings: URL? = nil) throws -> ModelCheckReport {
    try CheckCommand.parse([model.path] + (mappings.map { ["--mappings", $0.path] } ?? []))
      .report(on: [model.path])
  }

  /// What else is done with a model that could be read: archives and stores are made of it.
  private func use(_ model: VersionedModel, in folder: TemporaryFolder, _ what: String) throws {
    for version in model.versions {
      let cache = try ModelArchive.encode(version, predicates: PredicateArchiver())
      let copy = try ModelArchive.decode(cache)
      #expect(copy.entityVersionHashesByName == version.entityVersionHashesByName, "\(what)")
      let store = folder.url.appending(path: "\(UUID().uuidString).sqlite")
      // A model may ask for more than a store can hold: that is an error of Core Data's.
      do { try SQLiteStore.create(at: store, model: version).close() } catch is CoreDataError {}
      try PersistentStoreFiles(store).remove()
    }
    _ = try ModelLock(model).data()
  }

  @Test(arguments: models)
  func aDamagedCompiledModelIsReadOrRefused(_ path: String) throws {
    let model = try VersionedModel.load(contentsOf: Corpus.url(path)).versions[0]
    let whole = ModelArchive.encodeCompiledModel(model, predicates: PredicateArchiver())
    let folder = try TemporaryFolder()
    for seed in Self.seeds {
      var damage = ByteDamage(seed: seed)
      let url = try folder.write(damage.damaged(whole), to: "App.mom")
      attempt("\(path), seed \(seed)") {
        let model = try VersionedModel.load(contentsOf: url)
        _ = try check(url).json.machineReport()
        try use(model, in: folder, "\(path), seed \(seed)")
      }
    }
  }

  // MARK: Mapping models

  @Test(arguments: [
    ("bookmigration", "Model", "Model2_to_Model3"),
    ("posts", "CoreDataMigration_Example", "Migration2to3ModelMapping"),
  ])
  func aDamagedMappingModelIsReadOrRefused(app: String, model: String, file: String) throws {
    let whole = try String(
      contentsOf: Corpus.url("\(app)/\(file).xcmappingmodel/xcmapping.xml"), encoding: .utf8)
    let folder = try TemporaryFolder()
    for seed in Self.seeds {
      var damage = TextDamage(seed: seed)
      try folder.write(damage.damaged(whole), to: "Map.xcmappingmodel/xcmapping.xml")
      attempt("\(file), seed \(seed)") {
        let url = folder.url.appending(path: "Map.xcmappingmodel")
        _ = try check(Corpus.url("\(app)/\(model).xcdatamodeld"), mappings: url).json
          .machineReport()
        _ = try XcodeMappingFile.load(contentsOf: url).modelSnapshots()
      }
    }
  }
}

/// Damages text: an element gone or twice, values swapped or made absurd, bits flipped, the end cut off.
private struct TextDamage {
  private var random: RandomSource

  init(seed: UInt64) { random = RandomSource(seed: seed) }

  private static let absurd = [
    "", "99999999999999999999", "-1", "NaN", "1e400", "YES", "Composite", "..", "\u{1F980}", " ",
    "SELF", "$x", "a.b.c", "now()", "@count", "((((", "Object ID", "A,B", "'", "\\",
  ]

  mutating func damaged(_ text: String) -> Data {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: lines.remove(at: line(in: lines))
      case 1: lines.insert(lines[line(in: lines)], at: line(in: lines))
      case 2: lines.swapAt(line(in: lines), line(in: lines))
      case 3...5: spoilValue(in: &lines)
      default: swapValues(in: &lines)
      }
      if lines.isEmpty { lines = [""] }
    }
    let data = Data(lines.joined(separator: "\n").utf8)
    guard Int.random(in: 0..<5, using: &random) == 0 else { return data }
    var bytes = ByteDamage(random)
    return bytes.damaged(data)
  }

  private mutating func line(in lines: [String]) -> Int {
    Int.random(in: lines.indices, using: &random)
  }

  /// The places between quotation marks or tags of a line.
  private static func values(in line: String) -> [Range<String.Index>] {
    line.matches(of: /"([^"]*)"|>([^<]+)</).map { match in
      let text = match.1 ?? match.2 ?? ""
      return text.startIndex..<text.endIndex
    }
  }

  private mutating func spoilValue(in lines: inout [String]) {
    let index = line(in: lines)
    guard let range = Self.values(in: lines[index]).randomElement(using: &random),
      let value = Self.absurd.randomElement(using: &random)
    else { return }
    lines[index].replaceSubrange(range, with: value)
  }

  private mutating func swapValues(in lines: inout [String]) {
    let (one, two) = (line(in: lines), line(in: lines))
    guard one != two, let first = Self.values(in: lines[one]).randomElement(using: &random),
      let second = Self.values(in: lines[two]).randomElement(using: &random)
    else { return }
    let (a, b) = (String(lines[one][first]), String(lines[two][second]))
    lines[one].replaceSubrange(first, with: b)
    lines[two].replaceSubrange(second, with: a)
  }
}

/// Damages bytes: some changed, or the end cut off.
private struct ByteDamage {
  private var random: RandomSource

  init(seed: UInt64) { self.init(RandomSource(seed: seed)) }
  init(_ random: RandomSource) { self.random = random }

  mutating func damaged(_ data: Data) -> Data {
    var bytes = Array(data)
    if bytes.isEmpty { return data }
    if Int.random(in: 0..<8, using: &random) == 0 {
      return Data(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
    }
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let index = Int.random(in: bytes.indices, using: &random)
      if Bool.random(using: &random) {
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      } else {
        // Another byte of the file: in an archive often the number of another object.
        bytes[index] = bytes[Int.random(in: bytes.indices, using: &random)]
      }
    }
    return Data(bytes)
  }
}
