// The functions of a compiled module that a custom stage of a staged migration can call.

extension SymbolGraph {
  /// The functions, global or static, that take a staged migration manager and a custom stage.
  var stageHandlers: [PolicyGlue.Registration] {
    symbols.compactMap(PolicyGlue.Registration.init(stageHandler:)).sorted { $0.code < $1.code }
  }
}

extension PolicyGlue.Registration {
  private static let parameterTypes = [
    ["NSStagedMigrationManager", "StagedMigrationManager"],
    ["NSCustomMigrationStage", "CustomMigrationStage"],
  ]

  fileprivate init?(stageHandler symbol: SymbolGraph.Symbol) {
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
    let call =
      (owner + ["`\(name)`"]).joined(separator: ".") + "(\(labels[0])manager, \(labels[1])stage)"
    self.init(
      file: file,
      code: "table.addStageHandler(\"\((owner + [String(name)]).joined(separator: "."))\") "
        + "{ manager, stage in try \(call) }")
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
    let types = declarationFragments.typeNames
    return types.count == 1 && names.contains(types[0])
  }
}
