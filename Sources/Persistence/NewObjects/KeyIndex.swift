/// The keys of written rows by the hash of one attribute's value: about 16 bytes for each value that a
/// row has had.
///
/// It names all rows that may have a value, and perhaps others: whoever asks looks at them. It is for
/// values that few rows have; an index in the file serves for others, and for the default value, which
/// every new object has for a while.
final class KeyIndex {
  /// The store index of the hierarchy's root.
  let hierarchy: Int
  let column: String
  let slot: Int
  /// The attribute, while its model is there.
  let attribute: AttributeDescription?
  /// Whether there are too many rows for it.
  private(set) var isGivenUp = false

  /// A free place has the key 0. The size is a power of two.
  private var places: ContiguousArray<Place> = []
  private var used = 0

  private struct Place {
    var hash: UInt32 = 0
    var key: UInt32 = 0
  }

  /// With this many rows it takes 16 MB; for more of them an index in the file serves.
  static let most = 1 << 20 + 1 << 19
  /// So many rows of one value at most, for all of them are passed by whenever one is added.
  static let mostOfOneValue = 500

  /// The hash of the default value, which isn't indexed.
  private let defaultHash: UInt32?

  init(
    hierarchy: Int, column: String, slot: Int, defaultValue: Value = .null,
    attribute: AttributeDescription? = nil
  ) {
    self.attribute = attribute
    self.hierarchy = hierarchy
    self.column = column
    self.slot = slot
    defaultHash = Self.hash(defaultValue)
  }

  func giveUp() {
    isGivenUp = true
    places = []
  }

  // MARK: Adding

  /// Makes room for so many rows.
  func reserve(_ count: Int) {
    var size = 64
    while size * 3 < count * 4 { size *= 2 }
    if size > places.count { grow(to: size) }
  }

  func add(_ key: Int64, hash: UInt32) {
    if isGivenUp || hash == defaultHash { return }
    guard used < Self.most, let key = UInt32(exactly: key) else { return giveUp() }
    if (used + 1) * 4 > places.count * 3 { grow(to: max(64, places.count * 2)) }
    if !isGivenUp { place(Place(hash: hash, key: key)) }
  }

  private func place(_ new: Place) {
    let mask = places.count - 1
    var place = Int(new.hash) & mask
    var equalCount = 0
    while places[place].key != 0 {
      if places[place].hash == new.hash {
        if places[place].key == new.key { return }
        equalCount += 1
        if equalCount == Self.mostOfOneValue { return giveUp() }
      }
      place = (place + 1) & mask
    }
    places[place] = new
    used += 1
  }

  private func grow(to size: Int) {
    assert(size & (size - 1) == 0, "the size isn't a power of two")
    let old = places
    places = ContiguousArray(repeating: Place(), count: size)
    used = 0
    for entry in old where entry.key != 0 && !isGivenUp { place(entry) }
  }

  // MARK: Looking up

  /// The keys of the rows that may have a value, in order; nil where it takes somebody else to tell.
  func keys(hash: UInt32) -> [Int64]? {
    if isGivenUp || hash == defaultHash { return nil }
    var keys: [Int64] = []
    if places.isEmpty { return keys }
    let mask = places.count - 1
    var place = Int(hash) & mask
    while places[place].key != 0 {
      if places[place].hash == hash { keys.append(Int64(places[place].key)) }
      place = (place + 1) & mask
    }
    if keys.count > 1 { keys.sort() }
    return keys
  }

  // MARK: Hashing

  /// - Returns: Nil for values of which equal ones may look different.
  static func hash(_ value: Value) -> UInt32? {
    switch value {
    case .string(var text): text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    case .integer(let number): hash(number)
    default: nil
    }
  }

  static func hash(_ number: Int64) -> UInt32 { folded(mixed(0, UInt64(bitPattern: number))) }

  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = UInt64(bytes.count)
    var start = 0
    while start + 8 <= bytes.count {
      state = mixed(state, bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      start += 8
    }
    var rest: UInt64 = 0
    while start < bytes.count {
      rest = rest << 8 | UInt64(bytes[start])
      start += 1
    }
    return folded(mixed(state, rest))
  }

  @inline(__always)
  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 29)
  }

  @inline(__always)
  private static func folded(_ state: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: (state &* 0xC2B2_AE3D_27D4_EB4F) >> 32)
  }
}

// MARK: - Of a context's new objects

extension SpilledNewObjects {
  /// More attributes than this are hardly ever asked for, and each takes memory.
  private static var mostIndexes: Int { 2 }

  /// The keys of new objects that may have a value, in order; nil where the store has to be asked.
  func keys(
    of attribute: AttributeDescription, equalTo value: Value, in context: any NewObjectsContext
  ) throws -> [Int64]? {
    guard attribute.hasHashes, let hash = KeyIndex.hash(value),
      let column = store.columnName(of: attribute)
    else { return nil }
    let hierarchy = attribute.entity.hierarchyIndex
    let known = keyIndexes.first { $0.hierarchy == hierarchy && $0.column == column }
    return try (known ?? makeIndex(of: attribute, column, in: context)).keys(hash: hash)
  }

  private func makeIndex(
    of attribute: AttributeDescription, _ column: String, in context: any NewObjectsContext
  ) throws -> KeyIndex {
    let hierarchy = attribute.entity.hierarchyIndex
    let index = KeyIndex(
      hierarchy: hierarchy, column: column, slot: attribute.slot,
      defaultValue: attribute.typedDefaultValue, attribute: attribute)
    keyIndexes.append(index)
    let count = hierarchies[hierarchy].lastWrittenKey
    if keyIndexes.count > Self.mostIndexes || count > KeyIndex.most {
      index.giveUp()
    } else {
      index.reserve(Int(count))
      try store.forEachHash(in: column, of: attribute) { index.add($0, hash: $1) }
    }
    context.noteIndex(ofSlot: attribute.slot)
    for object in context.inserted + rewritten { index.note(object) }
    return index
  }
}

extension KeyIndex {
  func note(_ object: ManagedObject) {
    if slot < object.values.count { note(object.values[slot], of: object, slot: slot) }
  }

  /// Of another branch of the hierarchy the slot may be another attribute's: then this is too much.
  @inline(__always)
  func note(_ value: Value, of object: ManagedObject, slot: Int) {
    guard slot == self.slot, object.entity.hierarchyIndex == hierarchy, !isGivenUp else { return }
    if let hash = KeyIndex.hash(value) { add(object.objectID.primaryKey, hash: hash) }
  }
}

extension AttributeDescription {
  /// Whether values are equal in a column if they are equal here, and have a hash.
  fileprivate var hasHashes: Bool {
    switch attributeType {
    case .string, .integer16, .integer32, .integer64: true
    default: false
    }
  }
}
