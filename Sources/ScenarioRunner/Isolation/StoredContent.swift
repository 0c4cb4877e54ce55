/// What a store held at one version, as it travels between processes.
struct StoredContent: Codable {
  struct Object: Codable {
    let entity: String
    let values: [StoredValue]
    let links: [[Int]]
    let origins: [Int]
    let label: String
  }
  let stage: String
  let objects: [Object]

  init(stage: String, _ content: ContentSnapshot) throws {
    self.stage = stage
    objects = try content.objects.map { object in
      Object(
        entity: object.entity.name, values: try object.values.map(StoredValue.init),
        links: object.links, origins: object.origins, label: object.label)
    }
  }

  /// The content again.
  /// - Parameter model: The model of the version.
  func snapshot(model: ManagedObjectModel) throws -> ContentSnapshot {
    ContentSnapshot(
      objects: try objects.map { object in
        guard let entity = model.entity(named: object.entity) else {
          throw CocoaError(.coderInvalidValue)
        }
        return ContentSnapshot.Object(
          entity: entity, values: object.values.map(\.value), links: object.links,
          origins: object.origins, label: object.label)
      })
  }
}

/// A value that a row can hold, bit for bit.
enum StoredValue: Codable {
  case null
  case integer(Int64)
  /// The bits, since not every number survives being text.
  case double(UInt64)
  case date(UInt64)
  case string(String)
  case data(Data)
  case uuid(UUID)
  case uri(String)
  case decimal(String)
  case transformable(Data)

  /// - Throws: For a transformable value that can't be archived.
  init(_ value: Value) throws {
    self =
      switch value {
      case .null, .object, .collection: .null
      case .integer(let number): .integer(number)
      case .double(let number): .double(number.bitPattern)
      case .date(let date): .date(date.timeIntervalSinceReferenceDate.bitPattern)
      case .string(let text): .string(text)
      case .data(let data): .data(data)
      case .uuid(let uuid): .uuid(uuid)
      case .uri(let url): .uri(url.absoluteString)
      case .decimal(let number): .decimal("\(number)")
      case .transformable(let value): .transformable(try value.archived())
      }
  }

  var value: Value {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .double(let bits): .double(Double(bitPattern: bits))
    case .date(let bits): .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
    case .string(let text): .string(text)
    case .data(let data): .data(data)
    case .uuid(let uuid): .uuid(uuid)
    case .uri(let text): URL(string: text).map(Value.uri) ?? .null
    case .decimal(let text): Decimal(string: text, locale: nil).map { .decimal($0) } ?? .null
    case .transformable(let data): .transformable(TransformableValue(archived: data))
    }
  }
}
