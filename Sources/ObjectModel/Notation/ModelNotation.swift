/// The short notation of scenario files for properties and entities.
///
/// **Attributes** are written as a type in small letters and what qualifies it:
///
///     string                        required
///     string?                       optional
///     int64 = 0                     with a default
///     string(1...80)                with bounds: of a text's length, of a number, of a date
///     string(/[A-Z].*/)             with a pattern that the whole text must match
///     data(external)                stored outside the database when large
///     transformable(Transformer)    with the name of a value transformer
///     composite(city: string?, zip: string?)? one value of several parts
///     string? = "none" indexed was title
///
/// Types are `int16`, `int32`, `int64`, `decimal`, `double`, `float`, `string`, `bool`, `date`,
/// `data`, `uuid`, `uri`, `transformable`, `composite` and `undefined`. Bounds are inclusive, either may be left
/// out: `1...`, `...80`. Conditions are separated by commas: `string(1...80, /[a-z]+/)`.
///
/// Defaults are written as the type asks for: a number; `true` or `false`; a text, in quotation
/// marks unless it is one word; `2012-12-25` or `2012-12-25T18:00:00Z`; a UUID; a URI; data as
/// Base64 or as `0x` and hexadecimal digits.
///
/// **Relationships** begin with the name of an entity, which is capitalised:
///
///     Album <-> songs               to-one, required; `songs` leads back
///     Album? <-> songs              to-one, optional
///     [Tag] <-> events              to-many
///     [Tag]! <-> events             to-many, required
///     [Tag](1...5) ordered          to-many, with counts, ordered
///
/// followed by a delete rule other than `nullify`: `cascade`, `deny`, `no action`.
///
/// **Words for all properties**, in any order at the end: `transient`, `was oldName` (renaming
/// identifier), `modifier "text"` (version hash modifier); for attributes also `indexed`,
/// `preserved` (kept in the history of deletions) and `derived(expression)`.
public enum ModelNotation {
  /// The property that `text` describes.
  /// - Throws: ``ModelNotationError`` with the place in the text.
  public static func property(named name: String, _ text: String) throws -> PropertyDescription {
    var parser = ModelNotationParser(text)
    return try parser.property(named: name)
  }

  /// An entity with properties in the short notation.
  ///
  /// - Parameters:
  ///   - heading: `Song`, `Song: Media` for one with a superentity, `Media abstract`.
  ///   - properties: Names and texts as ``property(named:_:)`` takes them.
  /// - Throws: ``ModelNotationError`` with the place in the text that has the mistake.
  public static func entity(
    _ heading: String, properties: KeyValuePairs<String, String> = [:]
  ) throws -> EntityDescription {
    var parser = ModelNotationParser(heading)
    let entity = try parser.entity()
    entity.ownProperties = try properties.map { try property(named: $0.key, $0.value) }
    return entity
  }

  /// The types by their names in the notation.
  package static let types: [String: AttributeType] = [
    "undefined": .undefined, "int16": .integer16, "int32": .integer32, "int64": .integer64,
    "decimal": .decimal, "double": .double, "float": .float, "string": .string, "bool": .boolean,
    "date": .date, "data": .binaryData, "uuid": .uuid, "uri": .uri,
    "transformable": .transformable, "composite": .composite,
  ]
}

/// A mistake in the short notation.
public struct ModelNotationError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    case unknownType(String, closest: String?)
    /// Something else stands where `expected` should; nil at the end of the text.
    case unexpected(String?, expected: String)
    case unfinishedText
    case badValue(String, type: AttributeType)
    /// A pattern that is no regular expression.
    case badPattern(String)
    /// A condition or word that the type doesn't have.
    case notApplicable(String, type: String)
    case emptyRange(String)
    case toManyOfOne
    /// A word that may stand once stands again.
    case repeated(String)
    /// A question mark after a to-many relationship.
    case optionalAnyway
  }
  public var kind: Kind
  /// Where in the text, in characters from 1.
  public var column: Int
  /// The text with the mistake.
  public var text: String
}

// MARK: - Wording

extension ModelNotationError: CustomStringConvertible {
  public var description: String { "column \(column) of '\(text)': \(message)" }

  /// What is wrong, without the place.
  public var message: String {
    switch kind {
    case .unknownType(let name, let closest?): "unknown type '\(name)'; did you mean '\(closest)'?"
    case .unknownType(let name, nil):
      "unknown type '\(name)'; types are \(ModelNotation.types.keys.sorted().joined(separator: ", "))"
    case .unexpected(let found?, let expected): "expected \(expected), found '\(found)'"
    case .unexpected(nil, let expected): "expected \(expected) at the end"
    case .unfinishedText: "the text's closing mark is missing"
    case .badValue(let text, let type):
      "'\(text)' isn't a value here: it must be \(type.notatedForm)"
    case .badPattern(let pattern):
      "'/\(pattern)/' isn't a regular expression, so no value would match it"
    case .notApplicable(let word, let type): "'\(word)' doesn't apply to \(type)"
    case .emptyRange(let range): "the range '\(range)' is empty"
    case .repeated(let word): "\(word == "a delete rule" ? word : "'\(word)'") occurs twice"
    case .optionalAnyway:
      "a to-many relationship is optional anyway: leave out '?'; '!' makes it required"
    case .toManyOfOne: "a to-many relationship of at most one object is a to-one; write 'Name?'"
    }
  }
}
