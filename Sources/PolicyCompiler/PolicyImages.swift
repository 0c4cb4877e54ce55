import Synchronization

/// The libraries of policies in this process's memory, by which an address is known as one of an app's
/// code.
package enum PolicyImages {
  struct Image {
    let file: URL
    let addresses: Range<UInt>
  }

  private static let images = Mutex<[Image]>([])

  /// Takes note of a library that was just loaded.
  /// - Parameter symbol: Any of its symbols.
  static func add(_ file: URL, containing symbol: UnsafeMutableRawPointer) {
    guard let addresses = MemoryMap.addresses(around: UInt(bitPattern: symbol)) else { return }
    images.withLock { images in
      if images.contains(where: { $0.addresses == addresses }) { return }
      images.append(Image(file: file, addresses: addresses))
    }
  }

  /// Those of some addresses that are in policies, in their order.
  package static func filter(_ addresses: some Sequence<UInt>) -> [UInt] {
    images.withLock { images in
      addresses.filter { address in images.contains { $0.addresses.contains(address) } }
    }
  }

  /// The line of an app's code that an instruction belongs to; nil where it belongs to none.
  package static func place(of address: UInt) -> LineTable.Place? {
    guard let image = images.withLock({ $0.first { $0.addresses.contains(address) } }) else {
      return nil
    }
    return LineTable.place(of: UInt64(address - image.addresses.lowerBound), in: image.file)
  }
}

/// What is where in this process's memory, as Linux tells it.
private enum MemoryMap {
  /// All that is mapped of the file that an address belongs to.
  static func addresses(around address: UInt) -> Range<UInt>? {
    // Reading a file as a whole asks for its size first, and this one has none.
    // Without it places in policies aren't found, and reports say less.
    guard let file = FileHandle(forReadingAtPath: "/proc/self/maps"),
      let data = try? file.readToEnd()
    else { return nil }
    let parts = String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap(part)
    guard let file = parts.first(where: { $0.addresses.contains(address) })?.file else {
      return nil
    }
    let ranges = parts.filter { $0.file == file }.map(\.addresses)
    guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max()
    else { return nil }
    return low..<high
  }

  /// `7f34-7f38 r-xp 00001000 fe:00 1234 /path`, of which the number is the file's.
  private static func part(_ line: Substring) -> (addresses: Range<UInt>, file: Substring)? {
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    let bounds = (fields.first ?? "").split(separator: "-").compactMap { UInt($0, radix: 16) }
    guard bounds.count == 2, bounds[0] < bounds[1], fields.count == 6 else { return nil }
    return (bounds[0]..<bounds[1], fields[5])
  }
}
