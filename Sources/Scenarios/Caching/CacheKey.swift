/// A digest of all that a store depends on, step by step.
package struct CacheKey {
  private var hash = SHA2()

  /// To be changed whenever the same input would give another store or another report.
  private static let generation = "2"

  /// A key of nothing but the tool: another build may do everything differently.
  package init() {
    add(Self.generation)
    add(Self.tool)
  }

  /// A key of a file alone, whatever it is called on a machine and whichever tool reads it.
  init(ofFileAt path: String) { try? add(fileAt: URL(fileURLWithPath: path)) }

  /// The running executable, by size and time: reading it whole would take longer than most runs.
  private static let tool: String = {
    var facts = stat()
    // Of a tool that can't be told from others nothing is kept: its keys are like nobody's.
    guard stat("/proc/self/exe", &facts) == 0 else { return UUID().uuidString }
    return "\(facts.st_size)/\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
  }()

  package var text: String { hash.value.hexadecimal }

  package mutating func add(_ text: String) { add(Data(text.utf8)) }

  /// The length keeps neighbours apart.
  mutating func add(_ data: Data) {
    withUnsafeBytes(of: data.count) { hash.update($0) }
    hash.update(data)
  }

  /// Everything about a model, not only what version hashes cover.
  mutating func add(_ model: ManagedObjectModel) {
    add(ModelArchive.encodeCompiledModel(model))
    // Some predicates have no archived form, so that all are added as they are written.
    for format in model.predicateFormats { add(format) }
  }

  /// What a part of a scenario file says, however it is laid out.
  mutating func add(_ node: SourceNode) {
    switch node.content {
    case .scalar(let text, let isPlain):
      add(isPlain ? "plain" : "quoted")
      add(text)
    case .list(let items):
      add("list \(items.count)")
      for item in items { add(item) }
    case .map(let entries):
      add("map \(entries.count)")
      for entry in entries {
        add(entry.key.value)
        add(entry.value)
      }
    }
  }

  /// A file's bytes, or those of all files in a folder, with their names; but for what Xcode and the Finder leave there.
  package mutating func add(fileAt url: URL) throws {
    guard
      let names = FileManager.default.enumerator(atPath: url.path)?
        .compactMap({ $0 as? String }), FileKind(of: url) == .folder
    else { return add(try Data(reading: url, options: .mappedIfSafe)) }
    for name in names.sorted() {
      let file = url.appending(path: name)
      guard FileKind(of: file) == .file, !name.contains(/xcuserdata|\.DS_Store/) else { continue }
      add(name)
      add(try Data(reading: file))
    }
  }
}

extension ManagedObjectModel {
  /// The predicates in the model, each with its place, in an order that doesn't change.
  fileprivate var predicateFormats: [String] {
    var formats = fetchRequestTemplates.map { "request \($0): \($1.predicateFormat ?? "")" }
    for entity in entities {
      for property in entity.ownProperties {
        let place = "\(entity.name).\(property.name)"
        switch property {
        case let attribute as AttributeDescription:
          formats += attribute.filterPredicate.map { ["filter of \(place): \($0)"] } ?? []
        case let fetched as FetchedPropertyDescription:
          formats.append("fetched \(place): \(fetched.fetchRequest.predicateFormat ?? "")")
        default: break
        }
      }
    }
    return formats.sorted()
  }
}
