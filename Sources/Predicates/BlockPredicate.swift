/// A condition in code.
/// Sendable unchecked: a block that an app hands over for any thread, as on a device.
final class BlockPredicate: Predicate, @unchecked Sendable {
  typealias Block = @Sendable (Any?, [String: Any]?) -> Bool
  private let block: Block

  init(_ block: @escaping Block) {
    self.block = block
    super.init(value: false)
  }

  override func evaluate(in scope: inout EvaluationScope) throws -> Bool {
    block(scope.object.boxed, scope.variables.compactMapValues(\.boxed))
  }

  override var predicateFormat: String { "BLOCKPREDICATE" }

  override func hasSameContent(as other: Predicate) -> Bool { self === other }
}
