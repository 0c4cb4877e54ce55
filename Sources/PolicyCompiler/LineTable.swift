/// The lines of source that a compiled library's instructions were made from, out of its debug
/// information: the section `.debug_line` in the form of DWARF 4, which `swiftc` writes on Linux.
///
/// Not the toolchain's `Runtime.Backtrace`, which finds callers by frame pointers: optimized code, as the engine between a
/// policy and its error is, keeps none. Of 8 callers it found 2 there (Swift 6.3.1), and it reads no addresses that
/// something else has found.
package enum LineTable {
  package struct Place: Equatable {
    /// As the compiler was told it.
    package let file: String
    package let line: Int
  }

  /// The line of an instruction; nil for one that was made by the compiler or is none of the library's, or where
  /// the file has no such section, or one in another form.
  /// - Parameter address: Counted from where the library was loaded.
  static func place(of address: UInt64, in image: URL) -> Place? {
    // Without it reports don't say lines.
    guard let data = try? Data(contentsOf: image, options: .mappedIfSafe),
      let section = try? ELFSection.content(named: ".debug_line", of: data)
    else { return nil }
    return LineProgram.place(of: address, in: section)
  }
}

/// A section of a file in the Executable and Linkable Format, of 64 bits.
private enum ELFSection {
  static func content(named name: String, of file: Data) throws -> Data? {
    var header = ByteReader(file)
    guard try header.bytes(5) == Data([0x7F, 0x45, 0x4C, 0x46, 2]) else { return nil }
    header.position = 0x28
    let table = Int(truncatingIfNeeded: try header.integer(UInt64.self))
    header.position = 0x3A
    let size = Int(try header.integer(UInt16.self))
    let count = Int(try header.integer(UInt16.self))
    let names = Int(try header.integer(UInt16.self))
    let text = try range(of: table + names * size, in: file)
    for index in 0..<count {
      var entry = ByteReader(file, at: table + index * size)
      let nameStart = text.lowerBound + Int(try entry.integer(UInt32.self))
      var found = ByteReader(file, at: nameStart)
      if try found.text() == name {
        let range = try range(of: table + index * size, in: file)
        return try isCompressed(table + index * size, file) ? nil : ByteReader(file).part(range)
      }
    }
    return nil
  }

  private static func range(of entry: Int, in file: Data) throws -> Range<Int> {
    var reader = ByteReader(file, at: entry + 24)
    let start = Int(truncatingIfNeeded: try reader.integer(UInt64.self))
    let length = Int(truncatingIfNeeded: try reader.integer(UInt64.self))
    guard start >= 0, length >= 0, start <= file.count, length <= file.count - start else {
      throw ByteReader.Overrun()
    }
    return start..<(start + length)
  }

  private static func isCompressed(_ entry: Int, _ file: Data) throws -> Bool {
    var reader = ByteReader(file, at: entry + 8)
    return try reader.integer(UInt64.self) & 0x800 != 0
  }
}
