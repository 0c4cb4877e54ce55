/// The values of Transformable attributes: lists, maps, texts and numbers, which are archived as the
/// attribute's transformer does it (`NSSecureUnarchiveFromData` unless it names another).
///
///     palette: [red, { name: green, share: 0.5, isDark: false }]
///
/// Without quotes, numbers, dates, `true`, `false`, `null` and bytes (`0x00ff`) are what they look like, for no
/// type says so; in quotes they are texts. The archive itself may be written, too: as `0x62706c…`, or in base64.
enum TransformableNotation {
  /// - Throws: ``Diagnostic`` for digits that aren't whole bytes.
  static func value(_ node: SourceNode, for attribute: AttributeDescription) throws -> Value {
    if let text = node.text, let archive = archive(text) {
      return .transformable(TransformableValue(archived: archive))
    }
    return .transformable(
      TransformableValue(
        object: try object(node), transformerName: attribute.valueTransformerName))
  }

  /// Bytes that are to be in the store as they are. Of base64 only that of a property list is taken for
  /// it, which archives are: many a word is base64, too.
  private static func archive(_ text: String) -> Data? {
    guard text.hasPrefix("0x") || text.hasPrefix("YnBsaXN0"),
      case .data(let data)? = NotatedValue.parse(text, as: .binaryData)
    else { return nil }
    return data
  }

  static func object(_ node: SourceNode) throws -> NSObject {
    switch node.content {
    case .list(let items): return try items.map(object) as NSArray
    case .map(let entries):
      let pairs = try entries.map { ($0.key.value as NSString, try object($0.value)) }
      return NSDictionary(objects: pairs.map(\.1), forKeys: pairs.map(\.0))
    case .scalar(let text, isPlain: false): return text as NSString
    case .scalar(let text, isPlain: true):
      if node.isNull { return NSNull() }
      if text.hasPrefix("0x"), plain(text) == nil {
        throw Diagnostic("'\(text)' must be whole bytes, two digits each", at: node.place)
      }
      return plain(text) ?? text as NSString
    }
  }

  /// What a scalar without quotes looks like; nil for a text.
  private static func plain(_ text: String) -> NSObject? {
    if text == "true" || text == "false" { return NSNumber(value: text == "true") }
    if let number = Int(text) { return NSNumber(value: number) }
    if case .double(let number)? = NotatedValue.parse(text, as: .double) {
      return NSNumber(value: number)
    }
    if case .date(let date)? = NotatedValue.parse(text, as: .date) { return date as NSDate }
    if text.hasPrefix("0x"), case .data(let data)? = NotatedValue.parse(text, as: .binaryData) {
      return data as NSData
    }
    return nil
  }

  // MARK: Writing

  /// The value as a scenario file would have it; nil for what has no such form.
  static func notation(of value: TransformableValue) -> Notation? { notation(value.object) }

  /// The content in one line, for reports. What no file could say is told by its bytes, and the class of
  /// what they are an archive of.
  static func shown(_ value: TransformableValue) -> String {
    let object = value.object
    let isOpened = !(object is Data) || value.givenObject != nil
    if isOpened, let text = shown(object) { return text }
    // What can't be archived is shown as it describes itself.
    guard let bytes = try? value.archived() else { return "\(object)" }
    let shown = Value.bytes(bytes)
    guard case .object(let root)? = (try? KeyedArchive(bytes))?.root else { return shown }
    return "\(root.className) \(shown)"
  }

  /// The content of bytes that are an archive or another property list; nil for what can't be shown.
  static func content(of data: Data) -> String? {
    let object = TransformableValue(archived: data).object
    // Of what is no property list nothing but its bytes can be told.
    return object is Data ? (try? data.propertyList()).flatMap(shown) : shown(object)
  }

  private static func notation(_ object: Any) -> Notation? {
    switch object {
    case let text as String: return self.object(ofPlain: text) ? .text(text) : nil
    case let items as [Any]:
      let notations = items.compactMap(notation)
      return notations.count == items.count ? .list(notations) : nil
    case let map as [String: Any]:
      let fields = map.sorted { $0.key < $1.key }.compactMap { key, value in
        notation(value).map { Notation.Field(key: key, value: $0) }
      }
      return fields.count == map.count ? .map(fields) : nil
    case is NSNull: return .null
    case let number as NSNumber: return .text(text(of: number))
    case let date as Date: return Value.date(date).notationText(.date).map { .text($0) }
    default: return nil
    }
  }

  /// Whether a text means itself, with quotes and without.
  private static func object(ofPlain text: String) -> Bool {
    plain(text) == nil && archive(text) == nil && !["null", "~", ""].contains(text)
  }

  private static func shown(_ object: Any) -> String? {
    switch object {
    case let text as String: return Value.string(text).shown
    case let items as [Any]: return shown(items, open: "[", close: "]")
    case let items as NSSet:
      return shown(items.allObjects, open: "set of [", close: "]", isOrdered: false)
    case let items as NSOrderedSet: return shown(items.array, open: "ordered set of [", close: "]")
    case let map as [AnyHashable: Any]:
      let fields = map.compactMap { key, value in shown(value).map { "\(key): \($0)" } }
      return fields.count == map.count ? "{\(fields.sorted().joined(separator: ", "))}" : nil
    case is NSNull: return "null"
    case let number as NSNumber: return text(of: number)
    case let date as Date: return Value.date(date).shown
    // A property list within isn't looked into: there may be another in it, and so on.
    case let data as Data: return data.json ?? Value.bytes(data)
    case let uuid as UUID: return uuid.uuidString
    case let url as URL: return url.absoluteString
    default: return nil
    }
  }

  private static func shown(
    _ items: [Any], open: String, close: String, isOrdered: Bool = true
  ) -> String? {
    let texts = items.compactMap(shown)
    guard texts.count == items.count else { return nil }
    return open + (isOrdered ? texts : texts.sorted()).joined(separator: ", ") + close
  }

  private static func text(of number: NSNumber) -> String {
    // Booleans are the only numbers of this kind in archives.
    String(cString: number.objCType) == "c" ? (number.boolValue ? "true" : "false") : "\(number)"
  }
}
