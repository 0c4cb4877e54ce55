/// Recognises Foundation's own classes in a keyed archive by class and fields.
struct FoundationObject {
  private let content: KeyedArchive.ObjectContent

  init(_ content: KeyedArchive.ObjectContent) { self.content = content }

  /// Whether the object is of one of Foundation's classes, and lacks a field that its decoder needs.
  func isDamaged(in archive: KeyedArchive) -> Bool {
    if !Self.classes.isDisjoint(with: content.classNames) { return entry == nil }
    if content.classNames.contains("NSUUID") {
      return scalar("NS.uuidbytes")?.dataValue?.count != 16
    }
    if content.classNames.contains("NSURL") {
      let text = content.fields["NS.relative"].flatMap { archive.value(of: $0).stringValue }
      return text.flatMap { URL(string: $0) } == nil || content.fields["NS.base"] == nil
    }
    return false
  }

  private static let classes: Set = [
    "NSString", "NSData", "NSDate", "NSNull", "NSArray", "NSSet", "NSOrderedSet", "NSDictionary",
  ]

  /// The object as a value; nil when it is of another class, or lacks a field.
  var entry: KeyedArchive.Entry? {
    // Nearest first, so that an app's own subclass of NSArray is an array too.
    for name in content.classNames {
      if let entry = entry(ofClass: name) { return entry }
    }
    return nil
  }

  private func entry(ofClass name: String) -> KeyedArchive.Entry? {
    switch name {
    case "NSString": string
    case "NSData": scalar("NS.data").flatMap { $0.dataValue }.map { .value(.data($0)) }
    case "NSDate":
      scalar("NS.time").flatMap { $0.doubleValue }
        .map { .value(.date(Date(timeIntervalSinceReferenceDate: $0))) }
    case "NSNull": .value(.null)
    case "NSArray", "NSSet": list("NS.objects").map { .array($0) }
    case "NSOrderedSet": .array(numbered)
    case "NSDictionary": dictionary
    default: nil
    }
  }

  private var string: KeyedArchive.Entry? {
    if let text = scalar("NS.string")?.stringValue { return .value(.string(text)) }
    guard let bytes = scalar("NS.bytes")?.dataValue else { return nil }
    return .value(.string(String(decoding: bytes, as: UTF8.self)))
  }

  private var dictionary: KeyedArchive.Entry? {
    guard let keys = list("NS.keys"), let values = list("NS.objects"), keys.count == values.count
    else { return nil }
    return .dictionary(keys: keys, values: values)
  }

  /// The members of an ordered set: fields `NS.object.0`, `NS.object.1` …
  private var numbered: [KeyedArchive.Field] {
    var members: [KeyedArchive.Field] = []
    while let member = content.fields["NS.object.\(members.count)"] { members.append(member) }
    return members
  }

  private func scalar(_ key: String) -> ArchivedValue? {
    if case .value(let value)? = content.fields[key] { value } else { nil }
  }

  /// Members are always objects of the archive.
  private func list(_ key: String) -> [KeyedArchive.Field]? {
    guard case .list(let fields)? = content.fields[key],
      fields.allSatisfy({ if case .reference = $0 { true } else { false } })
    else { return nil }
    return fields
  }
}
