import Persistence

/// One step of a generated case. Contexts and objects go by numbers; an object's number is given to
/// it when it is inserted.
enum Edit: Equatable {
  case insert(Int, String, object: Int)
  case set(Int, object: Int, String, Int?)
  case link(Int, object: Int, String, to: Int?)
  case add(Int, object: Int, String, Int)
  case remove(Int, object: Int, String, Int)
  case rotate(Int, object: Int, String)
  /// Sets a relationship to many as a whole.
  case replace(Int, object: Int, String, [Int])
  case delete(Int, object: Int)
  case save(Int)
  case rollback(Int)
  case reset(Int)
  case refresh(Int, object: Int, merging: Bool)
  case refreshAll(Int)
  case process(Int)
  case fetch(Int, String)
  /// Asks one of ``EditModel/questions``.
  case find(Int, question: Int)
  /// Looks at all properties of an object.
  case read(Int, object: Int)
  /// Merges what another context saved last.
  case merge(Int, from: Int)
  case obtainIDs(Int)
  /// Sets an attribute of the stored objects that answer one of ``EditModel/questions``.
  case updateAll(Int, question: Int, String, Int?, merging: Bool)
  /// Sets a relationship to one of them.
  case linkAll(Int, question: Int, String, to: Int?, merging: Bool)
  /// Inserts one object into the store, with values by key, and an object's number for whom it belongs to.
  case store(Int, String, object: Int, [String: Int], merging: Bool)
  case deleteAll(Int, question: Int, merging: Bool)

  var context: Int {
    switch self {
    case .insert(let context, _, _), .set(let context, _, _, _), .link(let context, _, _, _),
      .add(let context, _, _, _), .remove(let context, _, _, _), .rotate(let context, _, _),
      .delete(let context, _), .save(let context), .rollback(let context), .reset(let context),
      .refresh(let context, _, _), .refreshAll(let context), .process(let context),
      .fetch(let context, _), .obtainIDs(let context), .replace(let context, _, _, _),
      .find(let context, _), .read(let context, _), .merge(let context, _),
      .updateAll(let context, _, _, _, _), .linkAll(let context, _, _, _, _),
      .store(let context, _, _, _, _), .deleteAll(let context, _, _):
      context
    }
  }
}

extension Edit {
  /// Whether it changes what is stored without a save.
  var isBatch: Bool {
    switch self {
    case .updateAll, .linkAll, .store, .deleteAll: true
    default: false
    }
  }
}

extension Edit: CustomStringConvertible {
  var description: String {
    switch self {
    case .insert(let context, let entity, let object): "\(context): insert \(entity) \(object)"
    case .set(let context, let object, let key, let value):
      "\(context): \(object).\(key) = \(value.map(String.init) ?? "nil")"
    case .link(let context, let object, let key, let target):
      "\(context): \(object).\(key) -> \(target.map(String.init) ?? "nil")"
    case .add(let context, let object, let key, let member):
      "\(context): \(object).\(key) + \(member)"
    case .remove(let context, let object, let key, let member):
      "\(context): \(object).\(key) - \(member)"
    case .rotate(let context, let object, let key): "\(context): rotate \(object).\(key)"
    case .replace(let context, let object, let key, let members):
      "\(context): \(object).\(key) = \(members)"
    case .delete(let context, let object): "\(context): delete \(object)"
    case .save(let context): "\(context): save"
    case .rollback(let context): "\(context): rollback"
    case .reset(let context): "\(context): reset"
    case .refresh(let context, let object, let merging):
      "\(context): refresh \(object)\(merging ? ", merging" : "")"
    case .refreshAll(let context): "\(context): refresh all"
    case .process(let context): "\(context): process"
    case .fetch(let context, let entity): "\(context): fetch \(entity)"
    case .find(let context, let question):
      "\(context): find \(EditModel.questions[question].entity) "
        + EditModel.questions[question].format
    case .read(let context, let object): "\(context): read \(object)"
    case .merge(let context, let other): "\(context): merge from \(other)"
    case .obtainIDs(let context): "\(context): obtain identifiers"
    case .updateAll(let context, let question, let key, let value, let merging):
      "\(context): batch \(Self.asked(question)): \(key) = "
        + "\(value.map(String.init) ?? "nil")\(Self.suffix(merging))"
    case .linkAll(let context, let question, let key, let target, let merging):
      "\(context): batch \(Self.asked(question)): \(key) -> "
        + "\(target.map(String.init) ?? "nil")\(Self.suffix(merging))"
    case .store(let context, let entity, let object, let values, let merging):
      "\(context): batch insert \(entity) \(object) \(values)\(Self.suffix(merging))"
    case .deleteAll(let context, let question, let merging):
      "\(context): batch delete \(Self.asked(question))\(Self.suffix(merging))"
    }
  }

  private static func asked(_ question: Int) -> String {
    "\(EditModel.questions[question].entity) \(EditModel.questions[question].format)"
  }

  private static func suffix(_ merging: Bool) -> String { merging ? ", merging" : "" }
}

/// Contexts and what happens in them.
struct EditCase {
  struct Context: Equatable {
    /// The context it is a child of; nil for one on the coordinator.
    var parent: Int?
    var policy: MergePolicyType
    var mergesByItself: Bool
  }
  var variant: EditModel.Variant
  var contexts: [Context]
  var edits: [Edit]
}

extension EditCase: CustomStringConvertible {
  var description: String {
    var lines = ["model: \(variant)"]
    for (number, context) in contexts.enumerated() {
      let place = context.parent.map { "child of \($0)" } ?? "root"
      lines.append(
        "context \(number): \(place), \(context.policy)"
          + (context.mergesByItself ? ", merges by itself" : ""))
    }
    return (lines + edits.map { "  \($0)" }).joined(separator: "\n")
  }

  /// Smaller cases, the much smaller ones first.
  var smaller: [EditCase] {
    var cases: [EditCase] = []
    for size in [edits.count / 2, edits.count / 4, 3, 1] where size > 0 && size < edits.count {
      for start in stride(from: 0, to: edits.count, by: size).reversed() {
        var copy = self
        copy.edits.removeSubrange(start..<min(start + size, edits.count))
        cases.append(copy)
      }
    }
    for number in contexts.indices where contexts[number].mergesByItself {
      var copy = self
      copy.contexts[number].mergesByItself = false
      cases.append(copy)
    }
    return cases
  }
}
