/// Where a migration manager finds the policy classes that entity mappings name.
public protocol PolicyProvider {
  /// A new policy of the class `name`, with its
  /// ``EntityMigrationPolicy/functionDispatcher`` set; nil when there is no such class.
  func makePolicy(named name: String) throws -> EntityMigrationPolicy?

  /// The names under which policies can be found, sorted, for messages; nil where nobody knows them.
  var policyNames: [String]? { get }

  /// The function `name` (`Module.function`, or `Module.Type.function` for a static one) as a handler
  /// for stages; nil when there is none that could be one.
  func stageHandler(named name: String) -> CustomMigrationStage.Handler?

  /// What makes the app's own staged migration managers, by `Module.function` or `Module.Type.function`.
  var stagedManagers: [String: StagedManagerMaker] { get }

  /// The app's own migration managers, by `Module.Class` or the name that `@objc(Name)` gives.
  var managers: [String: MigrationManagerClass] { get }

  /// All names that ``stageHandler(named:)`` knows.
  var stageHandlerNames: [String] { get }
}

extension PolicyProvider {
  public var policyNames: [String]? { nil }
  public func stageHandler(named name: String) -> CustomMigrationStage.Handler? { nil }
  public var stageHandlerNames: [String] { [] }
  public var stagedManagers: [String: StagedManagerMaker] { [:] }
  public var managers: [String: MigrationManagerClass] { [:] }
}

/// Policies made by closures: for policies that are part of the program.
public struct PolicyRegistry: PolicyProvider {
  public typealias Make = () throws -> EntityMigrationPolicy
  private var makers: [String: Make] = [:]

  public init(_ makers: [String: Make] = [:]) { self.makers = makers }

  /// Makes `name` (usually `Module.Class`) stand for the policies that `make` gives.
  public mutating func register(_ name: String, _ make: @escaping Make) { makers[name] = make }

  public func makePolicy(named name: String) throws -> EntityMigrationPolicy? {
    try makers[name]?()
  }
}
