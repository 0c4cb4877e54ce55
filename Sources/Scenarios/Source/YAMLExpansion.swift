import CYaml

/// How many values a YAML file has with all aliases in their places, counted before any of them is put there.
///
/// Aliases of aliases make a few lines into more values than fit into memory, and the parser compares keys with all that
/// is in them.
struct YAMLExpansion {
  /// More than any file that somebody wrote.
  static let mostValues = 2_000_000

  private struct Open {
    let anchor: String?
    let isMap: Bool
    var values = 1
    var members = 0

    var isAtKey: Bool { isMap && members.isMultiple(of: 2) }
  }

  let file: SourceFile
  private var sizes: [String: Int] = [:]
  private var open: [Open] = []

  /// - Throws: ``Diagnostics`` for too many values, and a key that isn't one.
  static func check(_ file: SourceFile) throws {
    guard file.text.contains("*"), file.text.contains("&") else { return }
    var expansion = YAMLExpansion(file: file)
    try expansion.count()
  }

  private init(file: SourceFile) { self.file = file }

  private mutating func count() throws {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else { return }
    defer { yaml_parser_delete(&parser) }
    let bytes = Array(file.text.utf8)
    try bytes.withUnsafeBufferPointer { buffer in
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      var isOver = false
      while !isOver {
        var event = yaml_event_t()
        // What is wrong in it is told by whoever reads it.
        guard yaml_parser_parse(&parser, &event) == 1 else { return }
        defer { yaml_event_delete(&event) }
        isOver = event.type == YAML_STREAM_END_EVENT
        try take(event)
      }
    }
  }

  private mutating func take(_ event: yaml_event_t) throws {
    let place = SourcePlace(
      file: file, line: Int(event.start_mark.line) + 1, column: Int(event.start_mark.column) + 1)
    switch event.type {
    case YAML_SCALAR_EVENT: try add(1, anchor: event.data.scalar.anchor, at: place)
    case YAML_ALIAS_EVENT:
      let size = Self.text(event.data.alias.anchor).flatMap { sizes[$0] } ?? 1
      if size > 1 { try refuseKey(place) }
      try add(size, anchor: nil, at: place)
    case YAML_SEQUENCE_START_EVENT:
      try refuseKey(place)
      open.append(Open(anchor: Self.text(event.data.sequence_start.anchor), isMap: false))
    case YAML_MAPPING_START_EVENT:
      try refuseKey(place)
      open.append(Open(anchor: Self.text(event.data.mapping_start.anchor), isMap: true))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      guard let last = open.popLast() else { return }
      if let anchor = last.anchor { sizes[anchor] = last.values }
      try add(last.values, anchor: nil, at: place)
    case YAML_DOCUMENT_START_EVENT: sizes = [:]
    default: break
    }
  }

  private mutating func add(
    _ values: Int, anchor: UnsafeMutablePointer<yaml_char_t>?, at place: SourcePlace
  ) throws {
    if let anchor = Self.text(anchor) { sizes[anchor] = values }
    guard let last = open.indices.last else { return }
    open[last].values += values
    open[last].members += 1
    if open[last].values > Self.mostValues {
      throw Diagnostics("too many values; are there too many aliases?", at: place)
    }
  }

  private func refuseKey(_ place: SourcePlace) throws {
    if open.last?.isAtKey == true {
      throw Diagnostics("a key must be text", at: place)
    }
  }

  private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    bytes.map { String(cString: $0) }
  }
}
