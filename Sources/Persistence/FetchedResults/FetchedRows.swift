/// The objects of a fetched results controller in order, and their sections.
struct FetchedRows {
  private(set) var rows: [FetchedRow] = []
  /// The places where sections begin; each goes on to the next.
  private(set) var starts: [Int] = []
  /// By object, its place among all.
  private let places: [ObjectIdentifier: Int]

  init() { places = [:] }

  /// - Parameter isGrouped: Whether the rows have section names; else all are in one section, which
  ///   is there even without rows.
  /// - Throws: `CoreDataError` for a section name that returns after another one.
  init(_ rows: [FetchedRow], isGrouped: Bool) throws {
    self.rows = rows
    starts = isGrouped ? try Self.starts(of: rows) : [0]
    places = Dictionary(
      rows.enumerated().map { (ObjectIdentifier($0.element.object), $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func starts(of rows: [FetchedRow]) throws -> [Int] {
    var starts: [Int] = []
    var seen = Set<String>()
    for (index, row) in rows.enumerated() where index == 0 || row.section != rows[index - 1].section
    {
      guard seen.insert(row.section).inserted else {
        throw CoreDataError.sectionOutOfOrder(row.section, at: index)
      }
      starts.append(index)
    }
    return starts
  }

  // MARK: Looking up

  var sectionCount: Int { starts.count }

  /// The rows of a section, which must exist.
  func members(ofSection section: Int) -> ArraySlice<FetchedRow> {
    let end = section + 1 < starts.count ? starts[section + 1] : rows.count
    return rows[starts[section]..<end]
  }

  /// The name of a section, which must exist.
  func name(ofSection section: Int) -> String { members(ofSection: section).first?.section ?? "" }

  var sectionNames: [String] { starts.indices.map(name) }

  func contains(_ object: ManagedObject) -> Bool { places[ObjectIdentifier(object)] != nil }

  func row(of object: ManagedObject) -> FetchedRow? {
    places[ObjectIdentifier(object)].map { rows[$0] }
  }

  func indexPath(of object: ManagedObject) -> IndexPath? {
    places[ObjectIdentifier(object)].map(indexPath)
  }

  /// The path of a place among all rows.
  func indexPath(atPlace place: Int) -> IndexPath {
    let section = (starts.firstIndex { $0 > place } ?? starts.count) - 1
    return IndexPath(row: place - starts[section], section: section)
  }

  /// The object at a path; nil when there is none.
  func object(at path: IndexPath) -> ManagedObject? {
    guard path.count == 2, starts.indices.contains(path.section) else { return nil }
    let members = members(ofSection: path.section)
    let place = members.startIndex + path.row
    return members.indices.contains(place) ? members[place].object : nil
  }
}
