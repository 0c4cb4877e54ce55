/// Bytes whose form stays while what they say is replaced: JSON, as SwiftData stores many a `Codable` value, an archive
/// of plain objects, or another property list.
struct StructuredBytes {
  enum Form {
    case json
    case archive
    case propertyList(PropertyListSerialization.PropertyListFormat)
  }

  let form: Form
  /// What the bytes say, as plain objects.
  let content: Any
  private let data: Data

  /// Nil for other bytes.
  init?(_ data: Data) {
    self.data = data
    let object = TransformableValue(archived: data).object
    if data.json != nil, let content = try? JSONSerialization.jsonObject(with: data) {
      (form, self.content) = (.json, content)
    } else if !(object is Data), Self.isPlain(object) {
      (form, content) = (.archive, object)
    } else if let format = Self.format(of: data), let list = try? data.propertyList(),
      (list as? [String: Any])?["$archiver"] == nil
    {
      (form, content) = (.propertyList(format), list)
    } else {
      return nil
    }
  }

  private static func isPlain(_ object: Any) -> Bool {
    switch object {
    case let list as [Any]: list.allSatisfy(isPlain)
    case let map as [String: Any]: map.values.allSatisfy(isPlain)
    default:
      object is String || object is NSNumber || object is Date || object is UUID || object is URL
        || object is Data
    }
  }

  /// Any text is a property list in the oldest form, which is none of these.
  private static func format(of data: Data) -> PropertyListSerialization.PropertyListFormat? {
    if data.starts(with: Data("bplist".utf8)) { return .binary }
    return ["<?xml", "<!DOCTYPE plist", "<plist"].contains { data.starts(with: Data($0.utf8)) }
      ? .xml : nil
  }

  // MARK: What they say

  /// Keys that are names, as of a type's properties, which stay. In archives all are replaced, as in transformables.
  var names: Set<String> {
    if case .archive = form { return [] }
    return Self.names(in: content)
  }

  /// All else.
  var values: [Any] {
    if case .archive = form { return [content] }
    return Self.values(in: content)
  }

  static func isName(_ key: String) -> Bool {
    key.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil
  }

  private static func names(in object: Any) -> Set<String> {
    switch object {
    case let list as [Any]: Set(list.flatMap(names))
    case let map as [String: Any]:
      Set(map.keys.filter(isName)).union(map.values.flatMap(names))
    default: []
    }
  }

  private static func values(in object: Any) -> [Any] {
    switch object {
    case let list as [Any]: list.flatMap(values)
    case let map as [String: Any]: map.keys.filter { !isName($0) } + map.values.flatMap(values)
    default: [object]
    }
  }

  // MARK: JSON

  /// JSON with other texts and numbers: all else stays byte by byte, the order of keys, too.
  func json(
    replacingTexts text: (String) -> String, numbers number: (Double) -> Double
  ) -> Data {
    var (new, place) = (Data(), data.startIndex)
    while place < data.endIndex {
      let end = end(ofTokenAt: place)
      let token = data[place..<end]
      if token.first == UInt8(ascii: "\"") {
        new += Self.replaced(token, isKey: isKey(endingAt: end), text)
      } else {
        new += Self.replaced(token, number)
      }
      place = end
    }
    return new
  }

  /// Of texts and numbers the whole, of all else one byte.
  private func end(ofTokenAt start: Data.Index) -> Data.Index {
    var place = start + 1
    if data[start] == UInt8(ascii: "\"") {
      while data[place] != UInt8(ascii: "\"") { place += data[place] == UInt8(ascii: "\\") ? 2 : 1 }
      return place + 1
    }
    let digits = Set("-+.eE0123456789".utf8)
    guard "-0123456789".utf8.contains(data[start]) else { return place }
    while place < data.endIndex, digits.contains(data[place]) { place += 1 }
    return place
  }

  private func isKey(endingAt end: Data.Index) -> Bool {
    data[end...].first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
  }

  private static func replaced(
    _ token: Data, isKey: Bool, _ replacement: (String) -> String
  ) -> Data {
    guard let text = try? JSONDecoder().decode(String.self, from: token), !(isKey && isName(text))
    else { return token }
    let encoder = JSONEncoder()
    if token.firstRange(of: Data(#"\/"#.utf8)) == nil {
      encoder.outputFormatting = .withoutEscapingSlashes
    }
    // A text is always one in JSON.
    return (try? encoder.encode(replacement(text))) ?? token
  }

  private static func replaced(_ token: Data, _ replacement: (Double) -> Double) -> Data {
    guard let old = Double(String(decoding: token, as: UTF8.self)) else { return token }
    let new = replacement(old)
    if new == old { return token }
    return Data((Int64(exactly: new).map { "\($0)" } ?? "\(new)").utf8)
  }
}
