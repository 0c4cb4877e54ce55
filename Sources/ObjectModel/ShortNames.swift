/// A few names, found faster by comparing than by hashing: most entities have a handful of properties
/// with names of a few bytes, which are asked for with every value.
struct ShortNames {
  private let names: ContiguousArray<String>
  /// What the names look like in memory. A text of up to 15 bytes has them in itself, so that equal
  /// ones look alike, which takes no look at what a text refers to.
  private let looks: ContiguousArray<Look>

  private struct Look {
    var first: UInt64
    var second: UInt64

    @inline(__always)
    init(_ name: String) { self = unsafeBitCast(name, to: Look.self) }
  }

  init(_ names: [String] = []) {
    let few = names.count > Self.most ? [] : names
    self.names = ContiguousArray(few.map { String(decoding: Array($0.utf8), as: UTF8.self) })
    looks = ContiguousArray(self.names.map { Look($0) })
  }

  /// From this many on, hashing is faster.
  private static let most = 16

  /// The place of a name; nil where it isn't found here, which doesn't say that there is none.
  @inline(__always)
  func place(of name: String) -> Int? {
    let look = Look(name)
    for index in looks.indices
    where looks[index].first == look.first && looks[index].second == look.second {
      return index
    }
    return placeOfLong(name)
  }

  private func placeOfLong(_ name: String) -> Int? {
    let length = name.utf8.count
    for index in names.indices where names[index].utf8.count == length {
      if names[index] == name { return index }
    }
    return nil
  }
}
