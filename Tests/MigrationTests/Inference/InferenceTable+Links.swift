import Foundation
import Migration

/// Relationships.
extension InferenceRow {
  private static let b = "B | y = string?"
  /// A with a link `r` to the first of two Bs.
  private static let linked: Seed = { context in
    let target = context.insert("B", ["y": "2"])
    context.insert("A", ["x": "1", "r": target])
    context.insert("B", ["y": "3"])
  }
  /// A with links `r` to two Bs.
  private static let linkedToTwo: Seed = { context in
    let targets = ["2", "3"].map { context.insert("B", ["y": $0]) }
    context.insert("A", ["x": "1", "r": NSOrderedSet(array: targets)])
  }

  static let relationships: [InferenceRow] = [
    .init(
      "add relationship, optional", from: ["A | x = string?", b],
      to: ["A | x = string?; r = B?", b], .gives(["A(r: nil, x: 1)"])),
    .init(
      "add relationship, required, rows", from: ["A | x = string?", b],
      to: ["A | x = string?; r = B", b], .missing("relationship")),
    .init(
      "add relationship, required, no rows", from: ["A | x = string?", b],
      to: ["A | x = string?; r = B", b], .gives([]), seed: { _ in }),
    .init(
      "remove relationship", from: ["A | x = string?; r = B?", b], to: ["A | x = string?", b],
      .gives(["A(x: 1)", "B(y: 2)", "B(y: 3)"]), seed: linked),
    .init(
      "rename relationship, with identifier", from: ["A | x = string?; r = B?", b],
      to: ["A | x = string?; s = B? was r", b], .gives(["A(s: 2, x: 1)", "B(y: 2)", "B(y: 3)"]),
      seed: linked),
    .init(
      "rename relationship, without identifier", from: ["A | x = string?; r = B?", b],
      to: ["A | x = string?; s = B?", b], .gives(["A(s: nil, x: 1)", "B(y: 2)", "B(y: 3)"]),
      seed: linked),
    .init(
      "to-one to to-many", from: ["A | x = string?; r = B? <-> a", b + "; a = A? <-> r"],
      to: ["A | x = string?; r = [B] <-> a", b + "; a = A? <-> r"],
      .gives(["A(r: [2], x: 1)", "B(a: 1, y: 2)", "B(a: nil, y: 3)"]), seed: linked),
    .init(
      "to-many to to-one", from: ["A | x = string?; r = [B]", b],
      to: ["A | x = string?; r = B?", b], .gives(["A(r: 2, x: 1)", "B(y: 2)", "B(y: 3)"]),
      isSetBased: false,
      seed: { context in
        let targets = ["2", "3"].map { context.insert("B", ["y": $0]) }
        context.insert("A", ["x": "1", "r": NSSet(array: targets)])
      }),
    .init(
      "ordered to-many to to-one", from: ["A | x = string?; r = [B] ordered", b],
      to: ["A | x = string?; r = B?", b], .gives(["A(r: 3, x: 1)", "B(y: 2)", "B(y: 3)"]),
      isSetBased: false,
      seed: { context in
        let targets = ["2", "3"].map { context.insert("B", ["y": $0]) }
        context.insert("A", ["x": "1", "r": NSOrderedSet(array: targets.reversed())])
      }),
    .init(
      "ordered to unordered", from: ["A | x = string?; r = [B] ordered", b],
      to: ["A | x = string?; r = [B]", b], .gives(["A(r: [2, 3], x: 1)", "B(y: 2)", "B(y: 3)"]),
      seed: linkedToTwo),
    .init(
      "unordered to ordered", from: ["A | x = string?; r = [B]", b],
      to: ["A | x = string?; r = [B] ordered", b],
      .gives(["A(r: [2, 3], x: 1)", "B(y: 2)", "B(y: 3)"]),
      seed: { context in
        let targets = ["2", "3"].map { context.insert("B", ["y": $0]) }
        context.insert("A", ["x": "1", "r": NSSet(array: targets)])
      }),
    .init(
      "destination to its parent", from: ["A | x = string?; r = C?", b, "C : B"],
      to: ["A | x = string?; r = B?", b, "C : B"], .gives(["A(r: 4, x: 1)", "C(y: 4)"]),
      seed: { $0.insert("A", ["x": "1", "r": $0.insert("C", ["y": "4"])]) }),
    .init(
      "destination to its child, all instances of it",
      from: ["A | x = string?; r = B?", b, "C : B"], to: ["A | x = string?; r = C?", b, "C : B"],
      .gives(["A(r: 4, x: 1)", "C(y: 4)"]),
      seed: { $0.insert("A", ["x": "1", "r": $0.insert("C", ["y": "4"])]) }),
    .init(
      "destination to its child, another instance", from: ["A | x = string?; r = B?", b, "C : B"],
      to: ["A | x = string?; r = C?", b, "C : B"],
      .gives(["A(r: nil, x: 1)", "B(y: 2)", "B(y: 3)"]), seed: linked),
    .init(
      "destination to its child, required, another instance",
      from: ["A | x = string?; r = B", b, "C : B"], to: ["A | x = string?; r = C", b, "C : B"],
      .missing("relationship"), seed: linked),
    .init(
      "destination to an unrelated entity",
      from: ["A | x = string?; r = B?", b, "C | y = string?"],
      to: ["A | x = string?; r = C?", b, "C | y = string?"],
      .gives(["A(r: nil, x: 1)", "B(y: 2)", "B(y: 3)"]), seed: linked),
    .init(
      "destination to an unrelated entity, of several",
      from: ["A | x = string?; r = [B] ordered", b, "C | y = string?"],
      to: ["A | x = string?; r = [C] ordered", b, "C | y = string?"],
      .gives(["A(r: [], x: 1)", "B(y: 2)", "B(y: 3)"]), seed: linkedToTwo),
    .init(
      "destination gets a parent", from: ["A | x = string?; r = B?", b],
      to: ["A | x = string?; r = B?", "P", "B : P | y = string?"],
      .gives(["A(r: 2, x: 1)", "B(y: 2)", "B(y: 3)"]), seed: linked),
    .init(
      "destination gets sub-entities", from: ["A | x = string?; r = B?", b],
      to: ["A | x = string?; r = B?", b, "C : B"],
      .gives(["A(r: 2, x: 1)", "B(y: 2)", "B(y: 3)"]), seed: linked),
    .init(
      "inverse added", from: ["A | x = string?; r = B?", b],
      to: ["A | x = string?; r = B? <-> as", b + "; as = [A] <-> r"],
      .gives(["A(r: 2, x: 1)", "B(as: [1], y: 2)", "B(as: [], y: 3)"]), seed: linked),
    .init(
      "inverse removed", from: ["A | x = string?; r = B? <-> as", b + "; as = [A] <-> r"],
      to: ["A | x = string?; r = B?", b], .gives(["A(r: 2, x: 1)", "B(y: 2)", "B(y: 3)"]),
      seed: linked),
    .init(
      "delete rule changed", from: ["A | x = string?; r = B?", b],
      to: ["A | x = string?; r = B? cascade", b], .isNoChange),
    .init(
      "attribute becomes a relationship of its name", from: ["A | x = string?; r = string?", b],
      to: ["A | x = string?; r = [B]", b], .gives(["A(r: [], x: 1)"]),
      seed: { $0.insert("A", ["x": "1", "r": "food"]) }),
  ]
}
