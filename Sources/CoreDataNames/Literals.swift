// Foundation's types lack here what they have on Apple's systems.
// swift-format-ignore-file: AvoidRetroactiveConformances

// Literals that Foundation has on Apple's systems only: `value as? NSSet ?? []`.

extension NSSet: @retroactive ExpressibleByArrayLiteral {}

extension ExpressibleByArrayLiteral where Self: NSSet {
  public init(arrayLiteral elements: Any...) {
    let set =
      Self.self is NSMutableSet.Type ? NSMutableSet(array: elements) : NSSet(array: elements)
    guard let literal = set as? Self else { fatalError("\(Self.self) has no literals") }
    self = literal
  }
}
