/// An ordered list of entity mappings that leads from one model to another.
open class MappingModel: NSObject {
  /// The entity mappings, in the order in which they run in each pass.
  open var entityMappings: [EntityMapping]!
  /// Whether the mapping was inferred, and nobody added to it by hand.
  final var isInferred: Bool {
    !entityMappings.isEmpty
      && entityMappings.allSatisfy {
        $0.name?.hasPrefix("IEM_") == true && $0.entityMigrationPolicyClassName == nil
      }
  }

  /// Whether Core Data's own policy does everything.
  final var hasNoPolicies: Bool {
    entityMappings.allSatisfy { $0.entityMigrationPolicyClassName?.isEmpty != false }
  }

  public override init() {
    entityMappings = []
    super.init()
  }

  public init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
    super.init()
  }

  /// The entity mappings by name; of several with one name the first.
  open var entityMappingsByName: [String: EntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  open override var description: String {
    "mapping model of " + entityMappings.map(\.description).joined(separator: ", ")
  }
}
