// Prints what a release is made of, in CycloneDX's JSON.
//
//   sbom VERSION SWIFT GRAPH RESOLVED LIBRARIES
//
// VERSION is the tool's and SWIFT the compiler's. GRAPH is what `swift package show-dependencies --format json`
// prints, RESOLVED SwiftPM's Package.resolved. LIBRARIES has a line for each library in the archive, cut by tabs:
// its file's name, SHA-256, the system's package that it is of (empty for Swift's own), and that package's version.
import Foundation

struct Graph: Decodable {
  var identity: String
  var dependencies: [Graph]

  var all: Set<String> { dependencies.reduce(into: [identity]) { $0.formUnion($1.all) } }
}

struct Resolved: Decodable {
  struct Pin: Decodable {
    struct State: Decodable {
      var version: String?
      var revision: String
    }
    var identity: String
    var location: String
    var state: State
  }
  var pins: [Pin]
}

struct Component: Encodable {
  struct Hash: Encodable {
    var alg = "SHA-256"
    var content: String
  }
  struct Property: Encodable {
    var name: String
    var value: String
  }
  var type: String
  var name: String
  var version: String
  /// `excluded` is what benchmarks and tests need, and the tool doesn't.
  var scope: String?
  var purl: String?
  var hashes: [Hash]?
  var properties: [Property]?
}

struct BillOfMaterials: Encodable {
  struct Metadata: Encodable {
    var component: Component
  }
  var bomFormat = "CycloneDX"
  var specVersion = "1.5"
  var version = 1
  var metadata: Metadata
  var components: [Component]
}

func read<T: Decodable>(_ type: T.Type, _ path: String) throws -> T {
  try JSONDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Packages of the tool's own build: those that only measuring needs come with `benchmark`.
func packages(_ graph: Graph, _ resolved: Resolved) -> [Component] {
  let used = graph.dependencies.filter { $0.identity != "benchmark" }
    .reduce(into: Set<String>()) { $0.formUnion($1.all) }
  return resolved.pins.map { pin in
    let place = pin.location.replacingOccurrences(of: "https://", with: "")
      .replacingOccurrences(of: ".git", with: "")
    let version = pin.state.version ?? pin.state.revision
    return Component(
      type: "library", name: pin.identity, version: version,
      scope: used.contains(pin.identity) ? "required" : "excluded",
      purl: "pkg:swift/\(place)@\(version)",
      properties: [.init(name: "git:revision", value: pin.state.revision)])
  }
}

/// The libraries that come with the tool in the archive.
func libraries(_ lines: String, swift: String) -> [Component] {
  lines.split(separator: "\n").map { line in
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let isSwift = fields[2].isEmpty
    return Component(
      type: "library", name: fields[0], version: isSwift ? swift : fields[3], scope: "required",
      purl: isSwift
        ? "pkg:github/swiftlang/swift@swift-\(swift)-RELEASE"
        : "pkg:deb/debian/\(fields[2])@\(fields[3])",
      hashes: [.init(content: fields[1])])
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 6 else {
  FileHandle.standardError.write(Data("usage: sbom VERSION SWIFT GRAPH RESOLVED LIBRARIES\n".utf8))
  exit(2)
}
let bill = BillOfMaterials(
  metadata: .init(
    component: Component(type: "application", name: "heavyweight", version: arguments[1])),
  components: try packages(read(Graph.self, arguments[3]), read(Resolved.self, arguments[4]))
    + libraries(String(contentsOfFile: arguments[5], encoding: .utf8), swift: arguments[2]))
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
print(String(decoding: try encoder.encode(bill), as: UTF8.self))
