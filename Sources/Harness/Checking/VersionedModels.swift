/// The versions of a scenario's model, by the names the scenario gives them.
public struct VersionedModels: Sendable {
  /// In the order of the scenario.
  public let names: [String]
  private let models: [String: ManagedObjectModel]
  /// Versions that can't be read, and why.
  var unreadable: [String: ModelFileError] = [:]
  /// Why that may not be the order in which the versions came about.
  var orderProblems: [String] = []

  public init(_ versions: [(name: String, model: ManagedObjectModel)]) {
    names = versions.map(\.name)
    models = Dictionary(versions.map { ($0.name, $0.model) }) { first, _ in first }
  }

  public subscript(name: String) -> ManagedObjectModel? { models[name] }

  /// The version that a model object is.
  func name(of model: ManagedObjectModel) -> String? {
    names.first { models[$0] === model }
  }

  /// The versions whose entities have just these hashes.
  public func names(fitting metadata: [String: Any]) -> [String] {
    names.filter {
      models[$0]?.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) == true
    }
  }
}
