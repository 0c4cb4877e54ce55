/// What `heavyweight model` found in a model, and writes of it.
struct ModelReport: CommandReport {
  private struct Version: Encodable {
    let name: String
    let entities, attributes, relationships: Int
    /// Core Data's version hashes by entity, in base64.
    let hashes: [String: String]
    /// What Xcode's files have no form for.
    let losses: [String]
  }

  let path: String
  let output: String?
  private let current: String
  private let versions: [Version]
  private let contents: [Data]
  private let remarks: [String]
  /// The stores that can't be read, and why.
  private let unreadable: [String]

  var exitStatus: ExitStatus { unreadable.isEmpty ? .passed : .badInput }

  /// - Throws: `ModelFileError` for a model that doesn't say which version is current.
  init(_ model: VersionedModel, shownAs path: String, output: String?) throws {
    (self.path, self.output) = (path, output)
    current = try model.requiredCurrentVersion().shownName
    contents = model.versions.mapOnAllCores(ModelFileWriter.contents)
    versions = try zip(model.versions, contents).map { version, contents in
      let attributes = version.entities.flatMap(\.ownProperties)
      return Version(
        name: version.shownName, entities: version.entities.count,
        attributes: attributes.count { $0 is AttributeDescription },
        relationships: attributes.count { $0 is RelationshipDescription },
        hashes: version.entityVersionHashesByName.mapValues { $0.base64EncodedString() },
        losses: try ModelFileWriter.losses(of: version, in: contents))
    }
    unreadable = model.unreadableVersions.values.map { "\($0.note)" }.sorted()
    remarks = model.notes.map { "\($0.place): \($0.message)" } + (try Self.absences(in: model))
  }

  /// What the source doesn't have, or has for Xcode alone.
  private static func absences(in model: VersionedModel) throws -> [String] {
    if StoreModel.holdsStores(model.url) {
      return [
        "a store's own model says nothing of classes, user info (but SwiftData's enums) and fetch requests, nor of what is for Xcode "
          + "alone: code generation, scalar types, CloudKit, layout"
      ]
    }
    let files = model.contentsFiles
    if files.isEmpty {
      return [
        "code generation and layout, of compiled models scalar types and CloudKit, too, are for Xcode alone, and aren't kept"
      ]
    }
    return try files.compactMap { version, file in
      let settings = try ModelFileWriter.settingsForXcode(lostFrom: Data(reading: file))
      return settings.isEmpty
        ? nil : "\(version): for Xcode alone, and not kept: \(settings.joined(separator: "; "))"
    }
  }

  var json: JSONObject {
    [
      "format": 1, "model": path, "output": output, "current": current, "versions": versions,
      "remarks": unreadable + remarks, "exitStatus": exitStatus.rawValue,
    ]
  }

  func text(style: TextStyle) -> String {
    let heading = style.strong(output.map { "wrote \($0)" } ?? path)
    var lines = ["\(heading): \(versions.count.counted("version")), current \(current)"]
    for version in versions {
      let counts = [
        version.entities == 1 ? "1 entity" : "\(version.entities) entities",
        version.attributes.counted("attribute"), version.relationships.counted("relationship"),
      ]
      lines.append("  \(version.name): \(counts.joined(separator: ", "))")
      if !version.losses.isEmpty { lines.append("    Xcode's files have no form for:") }
      lines += version.losses.map { "      " + $0 }
    }
    lines += unreadable.map { style.bad("error: \($0)") }
    lines += remarks.map { style.notable("note: \($0)") }
    return lines.map { $0 + "\n" }.joined()
  }
}

// MARK: - Writing

extension ModelReport {
  /// Writes the folder, whole or not at all.
  /// - Throws: ``Diagnostics`` for a place that is taken, or can't be written.
  func write(to path: String, replacing isForced: Bool, from sources: [URL]) throws {
    let place = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
    func problem(_ text: String) -> Diagnostics { Diagnostics(file: path, text) }
    let kind = FileKind(of: place)
    if sources.contains(where: { ($0.finalPath + "/").hasPrefix(place.finalPath + "/") }) {
      throw problem("this is the model itself, and has more than is written; name another")
    }
    if kind != .missing, !isForced || kind != .folder {
      throw problem("this already exists, and nothing is overwritten; name another, or say --force")
    }
    do {
      let parent = place.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      let folder = try TemporaryFiles.makeFolder(in: parent)
      defer { TemporaryFiles.removeFolder(folder) }
      let new = folder.appending(path: "new", directoryHint: .isDirectory)
      for (version, contents) in zip(versions, contents) {
        let home = new.appending(path: version.name + ".xcdatamodel", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try WholeFile.write(contents, to: home.appending(path: "contents"), if: .new)
      }
      try WholeFile.write(
        try ModelFileWriter.currentVersion(current), to: new.appending(path: ".xccurrentversion"),
        if: .new)
      try TemporaryFiles.placing {
        if kind == .folder {
          try FileManager.default.moveItem(at: place, to: folder.appending(path: "old"))
        }
        try FileManager.default.moveItem(at: new, to: place)
      }
    } catch { throw problem("can't be written: \(error.plainText)") }
  }
}
