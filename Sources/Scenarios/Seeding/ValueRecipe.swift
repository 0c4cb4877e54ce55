/// How the values of one attribute are made.
struct ValueRecipe: Sendable {
  var maker: any ValueMaker
  var absence = Probability.never
  /// Whether nobody said what the values are.
  var isDefault = false

  /// The value of a row.
  func value(_ chance: inout Chance, row: Int) -> Value {
    chance.happens(absence) ? .null : maker.value(&chance, row: row)
  }

  /// The recipe with a maker that gives each row a value of its own; nil where there is none.
  func madeDistinct(_ column: Chance.Column) -> ValueRecipe? {
    guard let distinct = maker.madeDistinct(column) else { return nil }
    var recipe = self
    recipe.maker = distinct
    return recipe
  }

  /// Whether the value is the same for all, or follows from the row.
  var isFixed: Bool { maker is SameValue ? !isDefault : maker.followsRow }
}

/// A value that is written as it is: the same for all.
struct SameValue: ValueMaker {
  let value: Value

  func value(_ chance: inout Chance, row: Int) -> Value { value }

  let isDistinct = false
  let followsRow = false
  var edges: [Value] { [value] }

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}

/// Texts and URIs with the row's number after them.
struct WithNumber: ValueMaker {
  let text: any ValueMaker

  func value(_ chance: inout Chance, row: Int) -> Value {
    text.value(&chance, row: row).distinct(row + 1) ?? .null
  }

  let isDistinct = true
  let followsRow = false
  let edges: [Value] = []

  func madeDistinct(_ column: Chance.Column) -> (any ValueMaker)? { nil }
}

extension Chance {
  /// A number of a range.
  mutating func count(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + index(below: range.upperBound - range.lowerBound + 1)
  }

  mutating func bytes(_ count: Int) -> Data {
    var data = Data(capacity: count)
    while data.count < count {
      let number = next()
      for shift in 0..<min(8, count - data.count) {
        data.append(UInt8(truncatingIfNeeded: number >> (8 * shift)))
      }
    }
    return data
  }
}
