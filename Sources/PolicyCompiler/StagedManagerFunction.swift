// The functions of an app that make a staged migration manager: of references to models, which they take themselves or
// their type is made of, or of nothing.

extension SymbolGraph {
  var stagedManagers: [PolicyGlue.Registration] {
    symbols.compactMap(stagedManager).sorted { $0.code < $1.code }
  }

  private func stagedManager(_ symbol: Symbol) -> PolicyGlue.Registration? {
    guard ["swift.func", "swift.type.method", "swift.method"].contains(symbol.kind.identifier),
      symbol.accessLevel != "private", symbol.swiftGenerics == nil,
      symbol.keywords.isDisjoint(with: ["async", "inout"]), let file = symbol.file,
      let title = symbol.pathComponents.last, let labels = symbol.referenceLabels,
      ["NSStagedMigrationManager", "StagedMigrationManager"].contains(
        symbol.functionSignature?.returns?.typeNames.first)
    else { return nil }
    let name = title.prefix { $0 != "(" }
    let owner = symbol.pathComponents.dropLast()
    var made: [String] = []
    if symbol.kind.identifier == "swift.method" { made = initializerLabels(of: Array(owner)) }
    let type = owner.joined(separator: ".")
    let instance =
      symbol.kind.identifier == "swift.method"
      ? "\(type)(\(Self.references(made, from: 0)))" : type
    let call =
      (owner.isEmpty ? "" : instance + ".")
      + "`\(name)`(\(Self.references(labels, from: made.count)))"
    return PolicyGlue.Registration(
      file: file,
      code: "table.addStagedManager(\"\((owner + [String(name)]).joined(separator: "."))\", "
        + "models: \(made.count + labels.count)) { models in try \(call) }")
  }

  /// What a type is made of: the initializer that takes nothing but references, else the stored references of a structure.
  private func initializerLabels(of owner: [String]) -> [String] {
    let members = symbols.filter { Array($0.pathComponents.dropLast()) == owner }
    let written = members.lazy.filter { $0.kind.identifier == "swift.init" && $0.file != nil }
      .compactMap(\.referenceLabels).first
    return written
      ?? members.filter { $0.kind.identifier == "swift.property" && $0.isReference }
      .sorted { $0.line < $1.line }.compactMap(\.pathComponents.last)
  }

  private static func references(_ labels: [String], from first: Int) -> String {
    labels.enumerated().map { index, label in
      let model = "models[\(first + index)]"
      return (label == "_" ? "" : "\(label): ")
        + "NSManagedObjectModelReference(model: \(model), versionChecksum: \(model).versionChecksum)"
    }.joined(separator: ", ")
  }
}

extension SymbolGraph.Symbol {
  private static let names = ["NSManagedObjectModelReference", "ManagedObjectModelReference"]

  fileprivate var line: Int { location?.position.line ?? 0 }

  /// Whether it is a property with a reference to a model.
  fileprivate var isReference: Bool {
    declarationFragments.typeNames.contains(where: Self.names.contains)
  }

  /// The labels of a function that takes nothing but references; nil for any other.
  fileprivate var referenceLabels: [String]? {
    let parameters = functionSignature?.parameters ?? []
    let areReferences = parameters.allSatisfy { parameter in
      parameter.declarationFragments.typeNames.contains(where: Self.names.contains)
    }
    guard areReferences, let title = pathComponents.last else { return nil }
    let labels = title.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ":").map(
      String.init)
    return labels.count == parameters.count ? labels : nil
  }
}
