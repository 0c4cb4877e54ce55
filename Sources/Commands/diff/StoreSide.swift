/// Which of two stores that are compared.
enum StoreSide: String, CaseIterable, Sendable {
  case a = "A"
  case b = "B"

  var other: StoreSide { self == .a ? .b : .a }
}

/// Something that both sides have.
struct Both<Element> {
  var a: Element
  var b: Element

  init(_ a: Element, _ b: Element) {
    self.a = a
    self.b = b
  }

  subscript(side: StoreSide) -> Element {
    get { side == .a ? a : b }
    set { if side == .a { a = newValue } else { b = newValue } }
  }

  func map<Result>(_ transform: (Element) throws -> Result) rethrows -> Both<Result> {
    Both<Result>(try transform(a), try transform(b))
  }
}

extension Both: Sendable where Element: Sendable {}
extension Both: Codable where Element: Codable {}
extension Both: Equatable where Element: Equatable {}
