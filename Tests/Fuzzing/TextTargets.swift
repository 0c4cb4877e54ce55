import Commands
import Foundation
import Migration
import TestSupport

/// Scenario files, read and checked against their models.
struct ScenarioTarget: FuzzTarget {
  static let name = "scenarios"
  private let file: URL

  init(folder: URL) throws { file = folder.appending(path: "fuzzed.scenario.yaml") }

  let seeds = Samples.files(endingWith: ".scenario.yaml", upTo: 3_000)
  let words = [
    "{", "}", "[", "]", ": ", "- ", "? ", "&a ", "*a", "<<: *a", "!!binary ", "!!float ", "|\n",
    ">-\n", "---\n", "...\n", "%YAML 9.9\n", "# ", "~", "~~",
    "models:", "seed:", "chain:", "expect:", "policies:", "then:", "has:", "count:", "any",
    "present", "within:", ".stages:", ".class:", ".unique:",
    "string?", "int64 = 5", "\"[Tag] <-> events\"", "date?", "$source.x", "store:", "xcode:",
    "generate:", "2025-02-30T25:61:00Z",
  ]

  func input(_ random: inout RandomSource) -> Data? {
    guard Int.random(in: 0..<10, using: &random) == 0 else { return nil }
    let count = [50, 1_000, 20_000].randomElement(using: &random)!
    let text = [
      String(repeating: "[", count: count), String(repeating: "{a: ", count: count),
      String(repeating: "- ", count: count),
      (0..<count).map { String(repeating: " ", count: min($0, 300)) + "a:\n" }.joined(),
      aliases(levels: min(count, 40)) + aliasUses.randomElement(using: &random)!,
      "scenario: " + String(repeating: "x", count: count),
      "scenario: s\nmodels: { v1: { E: { " + String(repeating: "a: string, ", count: count)
        + "} } }",
      "scenario: s\nseed: { E: [" + String(repeating: "{ id: a },", count: count) + "] }",
      String(repeating: "&a ", count: count),
      "scenario: s\nchain: [" + (0..<count).map { "v\($0) -> v\($0 + 1)" }.joined(separator: ", ")
        + "]", String(repeating: "? ", count: count),
    ].randomElement(using: &random)!
    return Data(text.utf8)
  }

  /// Few lines that stand for very many values.
  private func aliases(levels: Int) -> String {
    "a0: &a0 [x, x]\nb0: &b0 { k: x }\n"
      + (1...max(1, levels)).map {
        "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1), *a\($0 - 1)]\n"
          + "b\($0): &b\($0) { k: *b\($0 - 1), l: *b\($0 - 1), m: *a\($0 - 1) }\n"
      }
      .joined()
  }

  /// What may be made of them.
  private let aliasUses = [
    "", "? *a9\n: x\n", "? *b9\n: x\n", "<<: *b9\n", "models: *b9\n", "seed: { E: *a9 }\n",
    "expect: *a9\n", "chain: [*b9]\n", "c: { ? [*a9, *b9] : x }\n",
  ]

  func play(_ input: Data) throws {
    try input.write(to: file)
    let address = ScenarioAddress(path: file.path, number: nil)
    do { _ = try CheckedScenario.loadAll(at: address) } catch let error as Diagnostics {
      if error.all.isEmpty { throw Finding("an error without a word") }
      let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
      for diagnostic in error.all {
        // A lone carriage return and Unicode's own separators end a line in YAML, too.
        if let place = diagnostic.place, place.line > lines + input.count {
          throw Finding("\(diagnostic)")
        }
        if "\(diagnostic)".isEmpty { throw Finding("an error without a word") }
      }
    }
  }
}

/// Xcode's model files: read, hashed, archived and read again, and used for a store.
struct ModelTarget: FuzzTarget {
  static let name = "models"
  private let model: URL
  private let store: URL

  init(folder: URL) throws {
    model = folder.appending(path: "Fuzzed.xcdatamodel")
    store = folder.appending(path: "models.sqlite")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
  }

  let seeds = Samples.files(endingWith: ".xcdatamodel/contents")
  let words = [
    "<entity name=\"A\">", "</entity>",
    "<attribute name=\"a\" attributeType=\"Integer 64\" usesScalarValueType=\"YES\"/>",
    " optional=\"YES\"",
    " parentEntity=\"A\"",
    "<relationship name=\"r\" destinationEntity=\"A\" inverseName=\"r\" inverseEntity=\"A\" toMany=\"YES\"/>",
    " defaultValueString=\"1\"",
    "<fetchIndex name=\"i\">", "<uniquenessConstraint>", "<constraint value=\"a\"/>",
    "<fetchRequest name=\"f\" entity=\"A\" predicateString=\"a == 1\"/>",
    "<composite name=\"C\">", "&amp;", "<!--", "-->", "<![CDATA[", "]]>", "<?xml version=\"1.0\"?>",
    "&#0;", "&#x10FFFF;", " elementID=\"a\"",
    "<!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y \"&x;&x;&x;&x;&x;&x;\">]>", "&y;",
    "<!ENTITY z SYSTEM \"file:///etc/passwd\">", "&z;",
    " maxCount=\"-1\"", " derivationExpression=\"b.@count\"", " attributeType=\"Transformable\"",
    " isAbstract=\"YES\"", " versionHashModifier=\"x\"",
  ]

  func input(_ random: inout RandomSource) -> Data? {
    guard Int.random(in: 0..<20, using: &random) == 0 else { return nil }
    let count = [50, 1_000, 5_000].randomElement(using: &random)!
    let entities = (0..<count).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 + 1)\"/>" }
      .joined()
    let attributes = (0..<count).map {
      "<attribute name=\"a\($0)\" attributeType=\"String\" optional=\"YES\"/>"
    }.joined()
    let inside = [
      entities, "<entity name=\"E\">\(attributes)</entity>", String(repeating: "<a>", count: count),
      entities + "<entity name=\"E\(count)\"/>",
      entities + "<entity name=\"E\(count)\" parentEntity=\"E0\"/>",
      "<entity name=\"" + String(repeating: "é", count: count) + "\"/>",
      String(repeating: "<entity name=\"&x;\"/>", count: count),
    ].randomElement(using: &random)!
    let entity = "<!DOCTYPE model [<!ENTITY x \"\(String(repeating: "x", count: 10_000))\">]>"
    return Data(
      "\(inside.contains("&x;") ? entity : "")<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(inside)</model>"
        .utf8)
  }

  func play(_ input: Data) throws {
    try input.write(to: model.appending(path: "contents"))
    guard let loaded = try? VersionedModel.load(contentsOf: model).versions.first else { return }
    let hashes = loaded.entityVersionHashesByName
    let archived = try ModelArchive.decodeCompiledModel(ModelArchive.encodeCompiledModel(loaded))
    if archived.entityVersionHashesByName != hashes {
      throw Finding("its archive has other version hashes")
    }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: store.path + suffix)
    }
    guard let made = try? SQLiteStore.create(at: store, model: loaded) else { return }
    try? made.close()
  }
}

/// Xcode's mapping files: read and fitted to two versions.
struct MappingTarget: FuzzTarget {
  static let name = "mappings"
  private let file: URL
  private let models: [ManagedObjectModel]

  init(folder: URL) throws {
    file = folder.appending(path: "Fuzzed.xcmappingmodel")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    models = try VersionedModel.load(
      contentsOf: Samples.package.appending(path: "Scenarios/Migrators/Cookbook.xcdatamodeld")
    ).versions
  }

  let seeds = Samples.files(endingWith: "xcmapping.xml", upTo: 40_000)
  let words = [
    "<object type=\"XDDEVENTITYMAPPING\" id=\"z9\">", "</object>",
    "<attribute name=\"sourcename\" type=\"string\">Recipe</attribute>", "idrefs=\"z1 z1 z100\"",
    "<attribute name=\"valueexpression\" type=\"string\">$source.title</attribute>",
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\" , \"a\")",
    "<relationship name=\"entitymappings\" type=\"0/0\" idrefs=\"z1\"></relationship>", "&amp;",
    "<!--", "]]>", "&#0;", "type=\"binary\"", "(((((", "$source.a.b.c.",
  ]

  func play(_ input: Data) throws {
    try input.write(to: file.appending(path: "xcmapping.xml"))
    guard let loaded = try? MappingFile.load(contentsOf: file) else { return }
    for index in 1..<models.count {
      _ = try? loaded.mappingModel(source: models[index - 1], destination: models[index])
    }
  }
}
