/// The versions of a scenario's model, by the names the scenario gives them.
package struct VersionedModels: Sendable {
  /// In the order of the scenario.
  package let names: [String]
  private let models: [String: ManagedObjectModel]
  /// The models in files, one for each path that the scenario gives; nil for one that can't be read.
  var files: [VersionedModel?] = []
  /// Versions that can't be read, and why.
  var unreadable: [String: ModelFileError] = [:]
  /// The version that the model's own file says is current; nil where it doesn't, or several models are meant.
  var currentName: String?
  /// Whether it is taken for want of better knowledge.
  var currentIsAssumed: Bool { files.contains { $0?.currentVersionIsAssumed == true } }
  /// Why that may not be the order in which the versions came about.
  var orderProblems: [String] = []

  package init(_ versions: [(name: String, model: ManagedObjectModel)]) {
    names = versions.map(\.name)
    models = Dictionary(firstOf: versions.map { ($0.name, $0.model) })
  }

  /// The same versions in the order of their model.
  func inOrder(of model: VersionedModel) -> VersionedModels {
    var result = VersionedModels(model.versions.map { ($0.name ?? "", $0) })
    (result.files, result.unreadable) = ([model], unreadable)
    (result.currentName, result.orderProblems) = (model.currentVersionName, model.order.problems)
    return result
  }

  package subscript(name: String) -> ManagedObjectModel? { models[name] }

  /// The version that a model object is.
  package func name(of model: ManagedObjectModel) -> String? {
    names.first { models[$0] === model }
  }

  /// The versions whose entities have just these hashes.
  package func names(fitting metadata: [String: Any]) -> [String] {
    names.filter {
      models[$0]?.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) == true
    }
  }
}
