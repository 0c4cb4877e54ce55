extension IndexPath {
  /// The path of a row of a section, as table views count.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The path of an item of a section, as collection views count.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The section; 0 for an empty path.
  public var section: Int { first ?? 0 }

  /// The place in the section; 0 for a path without one.
  public var row: Int { count > 1 ? self[1] : 0 }

  /// The place in the section; 0 for a path without one.
  public var item: Int { row }
}
