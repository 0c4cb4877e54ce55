/// The program that a unit of `.debug_line` has in place of a table: run, it gives the rows.
/// The form is that of the DWARF standard, version 4, section 6.2.
struct LineProgram {
  private var reader: ByteReader
  private let end: Int
  private let header: Header
  /// The address whose line is looked for.
  private let wanted: UInt64
  private var place: LineTable.Place?
  private var row = Row()
  /// The first row of the sequence, and the one before: up to this one, instructions belong to its line.
  private var first: Row?
  private var previous: Row?

  private struct Row {
    var address: UInt64 = 0
    var file = 1
    var line = 1
  }

  private struct Header {
    let instructionLength: UInt64
    let lineBase: Int
    let lineRange: Int
    let opcodeBase: Int
    /// How many arguments each opcode below the base has.
    let argumentCounts: [Int]
    let files: [String]
  }

  /// The line of an instruction by any of the units; one in another form, or cut off, has none.
  static func place(of address: UInt64, in section: Data) -> LineTable.Place? {
    var reader = ByteReader(section)
    while !reader.isAtEnd {
      // A length of all ones announces the form for files of more than 4 GB.
      // What can't be read of it has no lines: reports say less.
      guard let length = try? reader.integer(UInt32.self), length < 0xFFFF_FFF0 else { break }
      let end = reader.position + Int(length)
      if var program = try? LineProgram(reader, end: end, wanted: address),
        (try? program.run()) != nil, let place = program.place
      {
        return place
      }
      reader.position = end
    }
    return nil
  }

  private init?(_ start: ByteReader, end: Int, wanted: UInt64) throws {
    reader = start
    self.end = end
    self.wanted = wanted
    guard try reader.integer(UInt16.self) == 4 else { return nil }
    let headerLength = Int(try reader.integer(UInt32.self))
    let program = reader.position + headerLength
    header = try Self.header(&reader)
    reader.position = program
  }

  private static func header(_ reader: inout ByteReader) throws -> Header {
    let instructionLength = UInt64(try reader.integer(UInt8.self))
    // How many operations an instruction may have, and whether a row begins a statement.
    _ = try reader.bytes(2)
    let lineBase = Int(Int8(bitPattern: try reader.integer(UInt8.self)))
    let lineRange = max(1, Int(try reader.integer(UInt8.self)))
    let opcodeBase = Int(try reader.integer(UInt8.self))
    let counts = try reader.bytes(max(0, opcodeBase - 1)).map { Int($0) }
    let folders = try folders(&reader)
    return Header(
      instructionLength: instructionLength, lineBase: lineBase, lineRange: lineRange,
      opcodeBase: opcodeBase, argumentCounts: counts, files: try files(&reader, in: folders))
  }

  private static func folders(_ reader: inout ByteReader) throws -> [String] {
    var folders: [String] = []
    while true {
      let folder = try reader.text()
      if folder.isEmpty { return folders }
      folders.append(folder)
    }
  }

  private static func files(_ reader: inout ByteReader, in folders: [String]) throws -> [String] {
    var files: [String] = []
    while true {
      let name = try reader.text()
      if name.isEmpty { return files }
      // 0 is the folder of the compilation; time and size are of no use.
      let folder = Int(truncatingIfNeeded: try reader.unsigned()) - 1
      for _ in 0..<2 { _ = try reader.unsigned() }
      let isRelative = !name.hasPrefix("/") && folders.indices.contains(folder)
      files.append(isRelative ? "\(folders[folder])/\(name)" : name)
    }
  }

  // MARK: Running

  private mutating func run() throws {
    while reader.position < end {
      let opcode = Int(try reader.integer(UInt8.self))
      if opcode >= header.opcodeBase {
        let adjusted = opcode - header.opcodeBase
        advance(by: UInt64(adjusted / header.lineRange))
        row.line += header.lineBase + adjusted % header.lineRange
        addRow()
      } else if opcode == 0 {
        try runExtended()
      } else {
        try runStandard(opcode)
      }
    }
  }

  private mutating func runStandard(_ opcode: Int) throws {
    switch opcode {
    case 1: addRow()
    case 2: advance(by: try reader.unsigned())
    case 3: row.line += Int(truncatingIfNeeded: try reader.signed())
    case 4: row.file = Int(truncatingIfNeeded: try reader.unsigned())
    case 8: advance(by: UInt64((255 - header.opcodeBase) / header.lineRange))
    case 9: row.address &+= UInt64(try reader.integer(UInt16.self))
    default:
      // Columns, blocks, prologues, and what later versions may add.
      let count =
        header.argumentCounts.indices.contains(opcode - 1) ? header.argumentCounts[opcode - 1] : 0
      for _ in 0..<count { _ = try reader.unsigned() }
    }
  }

  private mutating func runExtended() throws {
    let length = Int(truncatingIfNeeded: try reader.unsigned())
    let next = reader.position + length
    switch try reader.integer(UInt8.self) {
    case 1:
      addRow()
      (row, first, previous) = (Row(), nil, nil)
    case 2: row.address = try reader.integer(UInt64.self)
    default: break
    }
    reader.position = next
  }

  private mutating func advance(by instructions: UInt64) {
    row.address &+= instructions &* header.instructionLength
  }

  private mutating func addRow() {
    // What the linker left out stays at the beginning of the file, where no code is.
    if let first, first.address > 0, let previous, previous.line > 0,
      previous.address <= wanted, wanted < row.address
    {
      let index = previous.file - 1
      let name = header.files.indices.contains(index) ? header.files[index] : ""
      place = LineTable.Place(file: name, line: previous.line)
    }
    (first, previous) = (first ?? row, row)
  }
}
