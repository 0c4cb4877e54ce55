/// What the compiler says about the declarations of a module, as far as policies need it.
struct SymbolGraph: Decodable {
  var symbols: [Symbol]
  var relationships: [Relationship]

  struct Symbol: Decodable {
    var kind: Kind
    var identifier: Identifier
    /// The names from the outermost type inwards, as `["BookPolicy", "price(for:manager:)"]`.
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var accessLevel: String
    var location: Location?
    var functionSignature: Signature?
    var swiftGenerics: Generics?

    struct Kind: Decodable { var identifier: String }
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable {
      var kind: String
      var spelling: String
    }
    struct Location: Decodable {
      var uri: String
      var position: SourcePosition
    }
    struct Signature: Decodable {
      var returns: [Fragment]?
      var parameters: [Parameter]?
      struct Parameter: Decodable { var declarationFragments: [Fragment] }
    }
    struct Generics: Decodable {}
  }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
  }
}

extension [SymbolGraph.Symbol.Fragment] {
  /// The types that are named.
  var typeNames: [String] { filter { $0.kind == "typeIdentifier" }.map(\.spelling) }
}

extension SymbolGraph.Symbol {
  /// The declaration as written, without attributes' arguments and bodies.
  var declaration: String { declarationFragments.map(\.spelling).joined() }

  /// The words of the declaration that are keywords: `override`, `async`, `throws`, `inout` ….
  var keywords: Set<String> {
    Set(declarationFragments.filter { $0.kind == "keyword" }.map(\.spelling))
  }

  /// The path of the file, as the compiler was told it.
  var file: String? {
    location.map { $0.uri.replacing("file://", with: "", maxReplacements: 1) }
      .map { $0.removingPercentEncoding ?? $0 }
  }
}

extension SymbolGraph {
  /// The requirements of protocols by the types of the module that conform.
  func requirements(of symbols: [String: Symbol]) -> [String: [Symbol]] {
    let kinds: Set = ["requirementOf", "optionalRequirementOf"]
    let byProtocol = Dictionary(
      grouping: relationships.filter { kinds.contains($0.kind) }, by: \.target)
    var result: [String: [Symbol]] = [:]
    for conformance in relationships where conformance.kind == "conformsTo" {
      let required = (byProtocol[conformance.target] ?? []).compactMap { symbols[$0.source] }
      result[conformance.source, default: []] += required
    }
    return result
  }

  /// The graph of a module and of what it adds to others, read from the directory in which the
  /// compiler put `Module.symbols.json` and `Module@Other.symbols.json`.
  init(contentsOf directory: URL) throws {
    self.init(symbols: [], relationships: [])
    let files = try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil)
    for file in files.sorted(by: { $0.path < $1.path })
    where file.lastPathComponent.hasSuffix(".symbols.json") {
      let part = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
      symbols += part.symbols
      relationships += part.relationships
    }
  }
}
