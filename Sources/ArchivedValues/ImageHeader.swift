public import Foundation

/// What the header of an image's data tells.
public struct ImageHeader {
  private let bytes: [UInt8]

  public init(_ data: Data) { bytes = Array(data.prefix(1 << 20)) }

  /// Width and height in pixels as the image is seen, of PNG, GIF and JPEG; nil for other data.
  public var pixels: CGSize? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return size(number(16, 4), number(20, 4)) }
    if bytes.starts(with: Array("GIF8".utf8)) {
      return size(number(6, 2, isLittle: true), number(8, 2, isLittle: true))
    }
    return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? jpegPixels : nil
  }

  private func size(_ width: Int?, _ height: Int?) -> CGSize? {
    guard let width, let height else { return nil }
    return CGSize(width: width, height: height)
  }

  private var jpegPixels: CGSize? {
    var isTurned = false
    var place = 2
    while let kind = number(place, 2), kind >> 8 == 0xFF, let length = number(place + 2, 2) {
      switch kind & 0xFF {
      case 0xE1: isTurned = isTurned || (orientation(place + 4) ?? 1) > 4
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        let sides = [number(place + 7, 2), number(place + 5, 2)]
        return isTurned ? size(sides[1], sides[0]) : size(sides[0], sides[1])
      default: break
      }
      place += 2 + length
    }
    return nil
  }

  /// The Exif value of 1 to 8; from 5 on the sides change places.
  private func orientation(_ start: Int) -> Int? {
    guard bytes.dropFirst(start).starts(with: Array("Exif".utf8)) else { return nil }
    let tiff = start + 6
    let isLittle = number(tiff, 2) == 0x4949
    guard let list = number(tiff + 4, 4, isLittle: isLittle),
      let count = number(tiff + list, 2, isLittle: isLittle)
    else { return nil }
    let entry = (0..<count).map { tiff + list + 2 + 12 * $0 }
      .first { number($0, 2, isLittle: isLittle) == 0x0112 }
    return entry.flatMap { number($0 + 8, 2, isLittle: isLittle) }
  }

  private func number(_ place: Int, _ count: Int, isLittle: Bool = false) -> Int? {
    guard place >= 0, place + count <= bytes.count else { return nil }
    let part = bytes[place..<(place + count)]
    return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
  }
}
