/// What `UNION`, `INTERSECT` and `MINUS` do with two collections.
///
/// The words are no reserved words: they mean this only between two expressions, where no key can
/// stand.
enum SetOperation: String, Hashable, Sendable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"

  /// The operation that a word writes, in either case.
  init?(word: String) { self.init(rawValue: word.uppercased()) }

  /// A set of the elements that are in one of the collections, in both, or in the left one only.
  ///
  /// Apple asks for a set on the left and a set, array or dictionary on the right; arrays on the
  /// left and nil, as the empty collection, are accepted here.
  /// - Throws: ``PredicateEvaluationError`` when an operand is no collection.
  func value(_ left: Value, _ right: Value) throws -> Value {
    let left = try elements(of: left)
    let right = try elements(of: right)
    let result: [Value]
    switch self {
    case .union: result = left + right
    case .intersect, .minus:
      let known = Set(right.map(\.membershipKey))
      result = left.filter { known.contains($0.membershipKey) == (self == .intersect) }
    }
    return .collection(ValueCollection(.set, result.distinctMembers()))
  }

  private func elements(of operand: Value) throws -> [Value] {
    switch operand.withKeys {
    case .null: return []
    case .collection(let collection): return collection.elements
    case .object(let dictionary as KeyedValues): return Array(dictionary.values.values)
    default:
      throw PredicateEvaluationError(
        .notACollection,
        "Can't use \(rawValue) with \(FormatConstant.text(of: operand)) (not a collection).")
    }
  }
}
