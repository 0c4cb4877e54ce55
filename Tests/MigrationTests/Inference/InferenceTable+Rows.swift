import Foundation
import Migration

/// Attributes and entities.
extension InferenceRow {
  private static let one = ["A | x = string?"]
  private static let types = "Source and destination attribute types are incompatible"

  static let attributes: [InferenceRow] = [
    .init(
      "add attribute, optional", from: one, to: ["A | x = string?; y = string?"],
      .gives(["A(x: 1, y: nil)"])),
    .init(
      "add attribute, optional, with default", from: one,
      to: ["A | x = string?; y = string? = draft"], .gives(["A(x: 1, y: draft)"])),
    .init(
      "add attribute, required, with default", from: one, to: ["A | x = string?; y = int16 = 7"],
      .gives(["A(x: 1, y: 7)"])),
    .init(
      "add attribute, required, no default, rows", from: one, to: ["A | x = string?; y = int16"],
      .missing("attribute")),
    .init(
      "add attribute, required, no default, no rows", from: one,
      to: ["A | x = string?; y = int16"], .gives([]), seed: { _ in }),
    .init("remove attribute", from: ["A | x = string?; y = int16?"], to: one, .gives(["A(x: 1)"])),
    .init(
      "rename attribute, with identifier", from: one, to: ["A | y = string? was x"],
      .gives(["A(y: 1)"])),
    .init(
      "rename attribute, without identifier", from: one, to: ["A | y = string?"],
      .gives(["A(y: nil)"])),
    .init(
      "required to optional", from: ["A | x = string"], to: one, .gives(["A(x: 1)"])),
    .init(
      "optional to required with default", from: ["A | x = string?; y = int16?"],
      to: ["A | x = string?; y = int16 = 3"], .gives(["A(x: 1, y: 3)"])),
    .init(
      "optional to required without default, nil row", from: ["A | x = string?; y = int16?"],
      to: ["A | x = string?; y = int16"], .missing("attribute")),
    .init(
      "optional to required without default, filled", from: one, to: ["A | x = string"],
      .gives(["A(x: 1)"])),
    .init(
      "default value changed", from: ["A | x = string = a"], to: ["A | x = string = b"],
      .isNoChange),
    .init(
      "validation rule changed", from: one, to: ["A | x = string?(1...80, /[a-z]+/)"], .isNoChange),
    .init(
      "number to other number", from: ["A | x = int16?"], to: ["A | x = double?"],
      .gives(["A(x: 7.0)"]), seed: { $0.insert("A", ["x": 7]) }),
    .init(
      "persistent to transient", from: ["A | x = string?; y = string?"],
      to: ["A | x = string?; y = string? transient"], .gives(["A(x: 1, y: nil)"]),
      seed: { $0.insert("A", ["x": "1", "y": "2"]) }),
    .init(
      "transient to persistent", from: ["A | x = string?; y = string? transient"],
      to: ["A | x = string?; y = string?"], .gives(["A(x: 1, y: nil)"])),
    .init(
      "transformer changed, without hash modifier", from: ["A | x = transformable(One)?"],
      to: ["A | x = transformable(Two)?"], .isNoChange),
    .init(
      "meaning of bytes changed, with hash modifier", from: ["A | x = data?"],
      to: ["A | x = data? modifier \"2\""], .gives(["A(x: 2 bytes)"]),
      seed: { $0.insert("A", ["x": Data([1, 2])]) }),
    .init("index changed", from: one, to: ["A index x | x = string?"], .isNoChange),
    .init("class name changed", from: one, to: ["A class App.Song | x = string?"], .isNoChange),
    .init("user info changed", from: one, to: ["A sync never | x = string?"], .isNoChange),
    .init(
      "uniqueness constraint added", from: one, to: ["A unique x | x = string?"],
      .gives(["A(x: 1)"])),
    .init(
      "uniqueness constraint added, duplicates", from: one, to: ["A unique x | x = string?"],
      .fails(
        134110, "Cannot migrate store in-place: constraint violation during attempted migration",
        cause: 134111),
      seed: { context in for _ in 1...2 { context.insert("A", ["x": "1"]) } }),
    .refused("String to number", from: one, to: ["A | x = int16?"], types),
    .refused("number to String", from: ["A | x = int16?"], to: one, types),
    .refused("Date to number", from: ["A | x = date?"], to: ["A | x = double?"], types),
    .refused("Boolean to String", from: ["A | x = bool?"], to: one, types),
    .refused(
      "Binary to Transformable", from: ["A | x = data?"], to: ["A | x = transformable?"],
      types),
    .refused("UUID to String", from: ["A | x = uuid?"], to: one, types),
    .refused("URI to String", from: ["A | x = uri?"], to: one, types),
  ]

  static let entities: [InferenceRow] = [
    .init("add entity", from: one, to: one + ["B | y = string?"], .gives(["A(x: 1)"])),
    .init(
      "remove entity and the relationship to it",
      from: ["A | x = string?; b = B?", "B | y = string?"], to: one, .gives(["A(x: 1)"]),
      seed: { $0.insert("A", ["x": "1", "b": $0.insert("B")]) }),
    .init(
      "rename entity, with identifier", from: one, to: ["C was A | x = string?"],
      .gives(["C(x: 1)"])),
    .init("rename entity, without identifier", from: one, to: ["C | x = string?"], .gives([])),
    .init(
      "new parent inserted", from: one, to: ["P | z = string?", "A : P | x = string?"],
      .gives(["A(x: 1, z: nil)"])),
    .init(
      "new abstract parent inserted", from: one,
      to: ["abstract P | z = string?", "A : P | x = string?"], .gives(["A(x: 1, z: nil)"])),
    .init(
      "new child inserted", from: one, to: one + ["B : A | y = string?"], .gives(["A(x: 1)"])),
    .init(
      "new entity between parent and child", from: one + ["B : A | y = string?"],
      to: one + ["M : A | m = string?", "B : M | y = string?"],
      .gives(["A(x: 1)", "B(m: nil, x: 2, y: 3)"]),
      seed: {
        $0.insert("A", ["x": "1"])
        $0.insert("B", ["x": "2", "y": "3"])
      }),
    .init(
      "property moved up the hierarchy", from: ["P", "A : P | x = string?"],
      to: ["P | x = string?", "A : P"], .gives(["A(x: 1)", "P(x: nil)"]),
      seed: {
        $0.insert("A", ["x": "1"])
        $0.insert("P")
      }),
    .init(
      "property moved down the hierarchy", from: ["P | x = string?", "A : P", "B : P"],
      to: ["P", "A : P | x = string?", "B : P"], .gives(["A(x: 1)", "B()"]),
      seed: {
        $0.insert("A", ["x": "1"])
        $0.insert("B", ["x": "2"])
      }),
    .init(
      "entity moved into a hierarchy", from: one + ["P | z = string?"],
      to: ["P | z = string?", "A : P | x = string?"], .gives(["A(x: 1, z: nil)", "P(z: 2)"]),
      seed: {
        $0.insert("A", ["x": "1"])
        $0.insert("P", ["z": "2"])
      }),
    .init(
      "entity moved out of a hierarchy", from: ["P | z = string?", "A : P | x = string?"],
      to: one + ["P | z = string?"], .gives(["A(x: 1)"])),
    .refused(
      "two hierarchies merged", from: one + ["B | y = string?"],
      to: ["P", "A : P | x = string?", "B : P | y = string?"],
      "Cannot merge multiple root entity source tables into one destination entity root table"),
    .init(
      "abstract to concrete", from: ["abstract P", "A : P | x = string?"],
      to: ["P", "A : P | x = string?"], .gives(["A(x: 1)"])),
    .init(
      "concrete to abstract, no instances", from: ["P", "A : P | x = string?"],
      to: ["abstract P", "A : P | x = string?"], .gives(["A(x: 1)"])),
    .init(
      "entity split without a mapping model", from: one,
      to: ["Swede | x = string?", "Finn | x = string?"], .gives([])),
    .init(
      "two attributes claim one source", from: one,
      to: ["A | y = string? was x; z = string? was x"], .gives(["A(y: 1, z: 1)"])),
    .refused(
      "two entities claim one source", from: one,
      to: ["B was A | x = string?", "C was A | x = string?"],
      "ambiguous renaming: 'B' was 'A' in the source too"),
  ]
}
