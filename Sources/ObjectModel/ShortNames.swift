/// A few names, found faster by comparing than by hashing: most entities have a handful of properties
/// with names of a few bytes, which are asked for with every value.
struct ShortNames {
  private let names: ContiguousArray<String>

  init(_ names: [String] = []) {
    self.names = names.count > Self.most ? [] : ContiguousArray(names)
  }

  /// From this many on, hashing is faster.
  private static let most = 16

  /// The place of a name; nil where it isn't found here, which doesn't say that there is none.
  @inline(__always)
  func place(of name: String) -> Int? {
    let length = name.utf8.count
    for index in names.indices where names[index].utf8.count == length {
      if names[index] == name { return index }
    }
    return nil
  }
}
