/// Replaces what a store's objects say about somebody, and keeps how they hang together: links, nil, duplicates, order,
/// lengths and kinds of characters.
struct Anonymizer {
  private let kept: Set<String>
  private let vocabulary: AppVocabulary
  private let words: WordAnonymizer
  private var numbers: NumberAnonymizer
  private var dates = DateAnonymizer()
  private var uuids: [UUID: UUID] = [:]
  private var blobs: [Data: Data] = [:]
  /// Attributes whose archived values keep numbers that would be replaced anywhere else.
  private var numberedAttributes: Set<String> = []
  /// The names in JSON and property lists, which stay, by attribute.
  private var names: [String: Set<String>] = [:]

  /// - Parameters:
  ///   - kept: Properties that stay, as `Entity.property`, for subentities too.
  ///   - vocabulary: What the app's own code says: values that it looks at must stay what they are.
  init(keeping kept: [String], vocabulary: AppVocabulary) {
    self.kept = Set(kept)
    self.vocabulary = vocabulary
    words = WordAnonymizer(keeping: vocabulary.words)
    numbers = NumberAnonymizer(keeping: vocabulary.numbers)
  }

  /// - Throws: ``Diagnostics`` for a property that the model doesn't have.
  static func check(_ kept: [String], in model: ManagedObjectModel) throws {
    for name in kept {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      let entity = parts.first.flatMap { model.entity(named: $0) }
      if parts.count == 2, entity?.attribute(named: parts[1]) != nil { continue }
      let known = model.entities.flatMap { entity in
        entity.attributes.map { "\(entity.name).\($0.name)" }
      }
      throw Diagnostics(
        file: "--unchanged",
        "'\(name)' isn't an attribute of \(model.shownName)"
          + Spelling.hint(for: name, among: known, called: "attributes"))
    }
  }

  func keeps(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    sequence(first: entity, next: \.superentity).contains {
      kept.contains("\($0.name).\(attribute.name)")
    }
  }

  // MARK: Replacing

  /// The content with other values.
  /// - Throws: ``Diagnostics`` for an object that is archived and can't be replaced.
  mutating func replacement(of content: ContentSnapshot) throws -> ContentSnapshot {
    for object in content.objects {
      for (attribute, value) in zip(object.entity.attributes, object.values)
      where !keeps(attribute, of: object.entity) {
        value.enumerate(as: attribute) { learn($1, $0) }
      }
    }
    words.choose()
    numbers.choose()
    dates.choose()
    let objects = try content.objects.map { object in
      let values = try zip(object.entity.attributes, object.values).map { attribute, value in
        keeps(attribute, of: object.entity) ? value : try replacement(of: value, attribute)
      }
      return ContentSnapshot.Object(
        entity: object.entity, values: values, links: object.links, origins: [],
        label: object.label)
    }
    return ContentSnapshot(objects: objects)
  }

  /// Every value that isn't kept.
  func enumerate(
    _ content: ContentSnapshot, _ body: (AttributeDescription, Value) throws -> Void
  ) rethrows {
    for object in content.objects {
      for (attribute, value) in zip(object.entity.attributes, object.values)
      where !keeps(attribute, of: object.entity) {
        try value.enumerate(as: attribute, body)
      }
    }
  }

  /// What becomes of a number or a date.
  enum Fate {
    case stays
    case goes
    /// It is replaced, and may stand for another one.
    case isCrowded
  }

  /// - Returns: Nil for a value of another kind.
  func fate(of value: Value, _ attribute: AttributeDescription) -> Fate? {
    switch value {
    case .integer where attribute.attributeType == .boolean: nil
    case .date(let date):
      DateAnonymizer.replaces(date) ? dates.crowded.contains(date) ? .isCrowded : .goes : .stays
    default: value.doubleValue.map { fate(of: $0) }
    }
  }

  private func fate(of number: Double) -> Fate {
    numbers.replaces(number) ? numbers.crowded.contains(number) ? .isCrowded : .goes : .stays
  }

  private mutating func learn(_ value: Value, _ attribute: AttributeDescription) {
    switch value {
    case .string(let text): learn(text)
    case .uri(let url): words.learn(url.absoluteString)
    case .date(let date): dates.learn(date)
    case .transformable(let value): learn(object: value.object)
    case .data(let data): learn(data)
    default:
      if attribute.attributeType != .boolean, let number = value.doubleValue {
        numbers.learn(number)
      }
    }
  }

  private mutating func learn(_ data: Data) {
    for value in StructuredBytes(data)?.values ?? [] {
      if let number = value as? NSNumber {
        numbers.learn(number.doubleValue)
      } else {
        learn(object: value)
      }
    }
  }

  private mutating func learn(_ text: String) {
    if let date = Self.date(in: text) { dates.learn(date) } else { words.learn(text) }
  }

  private mutating func learn(object: Any) {
    switch object {
    case let text as String: learn(text)
    case let list as [Any]: for item in list { learn(object: item) }
    case let map as [String: Any]:
      for (key, value) in map {
        learn(key)
        learn(object: value)
      }
    case let date as Date: dates.learn(date)
    case let url as URL: words.learn(url.absoluteString)
    case let data as Data: learn(data)
    default: break
    }
  }

  private mutating func replacement(
    of value: Value, _ attribute: AttributeDescription
  ) throws -> Value {
    switch value {
    case .null: return value
    case .string(let text): return .string(replacement(of: text))
    case .uri(let url):
      return .uri(URL(string: replacement(ofURL: url.absoluteString)) ?? url)
    case .integer(let number) where attribute.attributeType == .boolean: return .integer(number)
    case .integer(let number):
      // What a Double can't hold exactly stays in its class by the number that is nearest.
      let new = numbers.replacement(of: Double(number))
      return new == Double(number) ? value : .integer(Int64(exactly: new) ?? number)
    case .double(let number) where attribute.attributeType == .float:
      return .double(Double(Float(numbers.replacement(of: number))))
    case .double(let number): return .double(numbers.replacement(of: number))
    case .decimal(let number):
      let old = NSDecimalNumber(decimal: number).doubleValue
      let new = numbers.replacement(of: old)
      return new == old ? value : .decimal(Decimal(string: "\(new)") ?? Decimal(new))
    case .date(let date): return .date(dates.replacement(of: date))
    case .uuid(let uuid): return .uuid(replacement(of: uuid))
    case .data(let data):
      let name = "\(attribute.entity.name).\(attribute.path)"
      if holdsNumbers(data) { numberedAttributes.insert(name) }
      names[name, default: []].formUnion(StructuredBytes(data)?.names ?? [])
      return .data(replacement(of: data))
    case .transformable(let transformable):
      guard let object = replacement(ofObject: transformable.object) else {
        throw Self.problem(attribute, "an archived object")
      }
      if holdsNumbers(object) {
        numberedAttributes.insert("\(attribute.entity.name).\(attribute.path)")
      }
      return .transformable(TransformableValue(object: object))
    case .object(let composite as CompositeValue):
      return CompositeValue.value(
        of: composite.elements,
        try zip(composite.elements, composite.values).map { try replacement(of: $1, $0) })
    case .object, .collection: throw Self.problem(attribute, "a value")
    }
  }

  /// What stayed although it may be private.
  var remarks: [String] {
    let numbered = numberedAttributes.sorted().joined(separator: ", ")
    let names = names.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { "\($0.key) (\($0.value.sorted().joined(separator: ", ")))" }
    return
      (numbered.isEmpty
      ? []
      : [
        "numbers within archived values aren't replaced: \(numbered); empty these attributes first if the numbers are "
          + "private"
      ])
      + (names.isEmpty
        ? [] : ["names within JSON and property lists stay: \(names.joined(separator: ", "))"])
  }

  private func holdsNumbers(_ object: Any) -> Bool {
    switch object {
    case let list as [Any]: list.contains(where: holdsNumbers)
    case let map as [String: Any]: map.values.contains(where: holdsNumbers)
    case let data as Data:
      if let bytes = StructuredBytes(data), case .archive = bytes.form {
        holdsNumbers(bytes.content)
      } else {
        false
      }
    case let number as Int: numbers.replaces(Double(number))
    case let number as Double: numbers.replaces(number)
    case let number as NSNumber: numbers.replaces(number.doubleValue)
    default: false
    }
  }

  private static func problem(_ attribute: AttributeDescription, _ what: String) -> Diagnostics {
    let name = "\(attribute.entity.name).\(attribute.name)"
    return Diagnostics(
      file: name,
      "there is \(what) here that can't be replaced; use --unchanged \(name) if it isn't private, or "
        + "empty it first")
  }

  private mutating func replacement(of text: String) -> String {
    if vocabulary.texts.contains(text) { return text }
    if let uuid = UUID(uuidString: text) {
      let new = replacement(of: uuid).uuidString
      return text == text.lowercased() ? new.lowercased() : new
    }
    if let date = Self.date(in: text) {
      return String(dates.replacement(of: date).notation.prefix(10)) + text.dropFirst(10)
    }
    return words.replacement(of: text)
  }

  /// The day with which a text begins that is a date as a whole.
  private static func date(in text: String) -> Date? {
    guard text.count >= 10, case .date? = NotatedValue.parse(text, as: .date),
      case .date(let day)? = NotatedValue.parse(String(text.prefix(10)), as: .date)
    else { return nil }
    return day
  }

  /// The scheme stays, and so does what is written with a percent sign.
  private func replacement(ofURL text: String) -> String {
    let scheme = text.prefix { $0 != ":" }
    var result = String(scheme)
    var rest = text.dropFirst(scheme.count)
    while let percent = rest.firstIndex(of: "%") {
      result += words.replacement(of: String(rest[..<percent]))
      let end = rest.index(percent, offsetBy: 3, limitedBy: rest.endIndex) ?? rest.endIndex
      result += rest[percent..<end]
      rest = rest[end...]
    }
    return result + words.replacement(of: String(rest))
  }

  private mutating func replacement(of uuid: UUID) -> UUID {
    if let known = uuids[uuid] { return known }
    let new = uuid.isNil ? uuid : UUID()
    uuids[uuid] = new
    return new
  }

  private mutating func replacement(of data: Data) -> Data {
    if let known = blobs[data] { return known }
    var new = StructuredBytes(data).flatMap { replacement(of: $0) } ?? data
    while new == data && !data.isEmpty && StructuredBytes(data) == nil {
      new = Data((0..<data.count).map { _ in UInt8.random(in: .min ... .max) })
    }
    blobs[data] = new
    return new
  }

  private mutating func replacement(of bytes: StructuredBytes) -> Data? {
    switch bytes.form {
    case .json:
      bytes.json(
        replacingTexts: { replacement(of: $0) }, numbers: { numbers.replacement(of: $0) })
    case .archive:
      // Plain objects can be archived again.
      replacement(ofObject: bytes.content).flatMap {
        try? TransformableValue(object: $0).archived()
      }
    case .propertyList(let format):
      try? PropertyListSerialization.data(
        fromPropertyList: replacement(ofList: bytes.content), format: format, options: 0)
    }
  }

  /// What a property list holds, by the names that it had.
  private mutating func replacement(ofList object: Any) -> Any {
    switch object {
    case let list as [Any]: return list.map { replacement(ofList: $0) }
    case let map as [String: Any]:
      var new: [String: Any] = [:]
      for (key, value) in map {
        new[StructuredBytes.isName(key) ? key : replacement(of: key)] = replacement(ofList: value)
      }
      return new
    case let number as NSNumber:
      let new = numbers.replacement(of: number.doubleValue)
      if new == number.doubleValue { return number }
      return Int64(exactly: new).map { NSNumber(value: $0) } ?? NSNumber(value: new)
    default: return replacement(ofObject: object) ?? object
    }
  }

  /// - Returns: Nil for an object of a class that isn't one of Foundation's plain ones.
  private mutating func replacement(ofObject object: Any) -> Any? {
    switch object {
    case let text as String: return replacement(of: text)
    case let date as Date: return dates.replacement(of: date)
    case let uuid as UUID: return replacement(of: uuid)
    case let url as URL: return URL(string: replacement(ofURL: url.absoluteString)) ?? url
    case let data as Data: return replacement(of: data)
    case let list as [Any]:
      var new: [Any] = []
      for item in list {
        guard let item = replacement(ofObject: item) else { return nil }
        new.append(item)
      }
      return new
    case let map as [String: Any]:
      var new: [String: Any] = [:]
      for (key, value) in map {
        guard let value = replacement(ofObject: value) else { return nil }
        new[replacement(of: key)] = value
      }
      return new
    case is NSNumber, is Bool, is Int, is Double: return object
    default: return nil
    }
  }
}

extension Value {
  /// The value, or those of a composite's elements; none for nil.
  func enumerate(
    as attribute: AttributeDescription, _ body: (AttributeDescription, Value) throws -> Void
  ) rethrows {
    if let composite {
      for (element, value) in zip(composite.elements, composite.values) {
        try value.enumerate(as: element, body)
      }
    } else if !isNull {
      try body(attribute, self)
    }
  }
}
