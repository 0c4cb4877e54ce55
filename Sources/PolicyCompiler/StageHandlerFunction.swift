/// A function of a compiled module that a custom stage of a staged migration can call.
struct StageHandlerFunction: Equatable {
  /// The name in Swift code, as `splitNames` or `Stages.splitNames`.
  var swiftName: String
  /// The Swift expression that calls it, of the variables `manager` and `stage`.
  var call: String
  /// The path of the file that declares it.
  var file: String
}

extension SymbolGraph {
  /// The functions, global or static, that take a staged migration manager and a custom stage.
  var stageHandlers: [StageHandlerFunction] {
    symbols.compactMap(StageHandlerFunction.init).sorted { $0.swiftName < $1.swiftName }
  }
}

extension StageHandlerFunction {
  private static let parameterTypes = [
    ["NSStagedMigrationManager", "StagedMigrationManager"],
    ["NSCustomMigrationStage", "CustomMigrationStage"],
  ]

  fileprivate init?(_ symbol: SymbolGraph.Symbol) {
    guard Self.isCallable(symbol), let title = symbol.pathComponents.last, let file = symbol.file,
      let parameters = symbol.functionSignature?.parameters,
      parameters.count == Self.parameterTypes.count,
      zip(parameters, Self.parameterTypes).allSatisfy({ $0.isOf($1) })
    else { return nil }
    let owner = symbol.pathComponents.dropLast()
    let parts = title.dropLast().split(separator: "(", maxSplits: 1)
    guard let name = parts.first, parts.count == 2 else { return nil }
    let labels = parts[1].split(separator: ":").map { $0 == "_" ? "" : "\($0): " }
    guard labels.count == 2 else { return nil }
    swiftName = (owner + [String(name)]).joined(separator: ".")
    call =
      (owner + ["`\(name)`"]).joined(separator: ".")
      + "(\(labels[0])manager, \(labels[1])stage)"
    self.file = file
  }

  private static func isCallable(_ symbol: SymbolGraph.Symbol) -> Bool {
    let isInside = symbol.pathComponents.count > 1
    guard ["swift.func", "swift.type.method"].contains(symbol.kind.identifier),
      !(isInside && symbol.accessLevel == "private")
    else { return false }
    return symbol.swiftGenerics == nil && symbol.keywords.isDisjoint(with: ["async", "inout"])
  }
}

extension SymbolGraph.Symbol.Signature.Parameter {
  fileprivate func isOf(_ names: [String]) -> Bool {
    let types = declarationFragments.filter { $0.kind == "typeIdentifier" }.map(\.spelling)
    return types.count == 1 && names.contains(types[0])
  }
}
