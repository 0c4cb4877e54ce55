import PolicyCompiler

/// How an app takes old stores to the current version, as far as its code shows.
struct MigrationWayFinder {
  struct Finding {
    let way: MigrationWay
    /// The words of the code that show it; nil where nothing does.
    let words: String?
    let file: URL?
    let line: Int

    /// What is said of it, with the file relative to a folder.
    func reason(from root: URL) -> String {
      guard let words, let file else {
        return "assumed: no code opens a store, and this is what Core Data does by itself"
      }
      return "\(RelativePath.text(from: root, to: file)):\(line) has \(words)"
    }
  }

  /// The words, those that tell most first.
  private static let signs: [(words: String, isOff: Bool, way: MigrationWay)] = [
    ("NSStagedMigrationManager", false, .progressive), ("NSMigrationManager", false, .progressive),
    ("shouldMigrateStoreAutomatically", true, .own),
    ("NSMigratePersistentStoresAutomaticallyOption", true, .own),
    // Core Data still takes one step then, by a mapping file alone.
    ("shouldInferMappingModelAutomatically", true, .automatic),
    ("NSInferMappingModelAutomaticallyOption", true, .automatic),
    ("NSPersistentCloudKitContainer", false, .automatic),
    ("NSPersistentContainer", false, .automatic),
    ("NSMigratePersistentStoresAutomaticallyOption", false, .automatic),
    ("NSPersistentStoreCoordinator", false, .automatic),
  ]

  /// A file of the app that opens stores.
  private struct Code {
    let url: URL
    let text: String
    let words: [(text: String, line: Int)]
    /// Its string literals.
    let names: [String: String.Index]

    func line(of name: String) -> Int? {
      names[name].map { 1 + text[..<$0].utf8.count { $0 == 10 } }
    }
  }

  private let files: [Code]

  /// - Parameter files: The app's own, in Swift and Objective-C.
  init(_ files: [URL]) {
    self.files = files.compactMap { file in
      // A file that can't be read shows nothing.
      guard let data = try? Data(reading: file) else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      guard Self.signs.contains(where: { text.contains($0.words) }) else { return nil }
      let bytes = Array(data)
      var (line, position) = (1, 0)
      let words = SwiftLexer.tokens(of: bytes).map { token in
        line += bytes[position..<max(position, token.range.lowerBound)].count { $0 == 10 }
        position = max(position, token.range.lowerBound)
        return (String(decoding: bytes[token.range], as: UTF8.self), line)
      }
      let names = text.matches(of: /"([^"\n]+)"/).map { (String($0.1), $0.range.lowerBound) }
      return Code(
        url: file, text: text, words: words, names: Dictionary(firstOf: names))
    }
  }

  /// The version that the code opens stores with, although it comes after the current one: the only such that it names.
  func laterVersion(of model: VersionedModel) -> (name: String, file: URL, line: Int)? {
    func place(of name: String) -> (name: String, file: URL, line: Int)? {
      files.lazy.compactMap { file in
        (file.line(of: name) ?? file.line(of: "\(name).mom")).map { (name, file.url, $0) }
      }.first
    }
    let named = model.versionsAfterCurrent.compactMap(place)
    guard named.count == 1, let current = model.currentVersionName else { return nil }
    // Code that names the current one, too, lists versions; the model's own name is no version's.
    return current == model.name || place(of: current) == nil ? named[0] : nil
  }

  /// Where the code makes other names of policies of those that mapping files give.
  var namingOfPolicies: (file: URL, line: Int)? {
    let name = "entityMigrationPolicyClassName"
    for file in files {
      let words = file.words
      for place in words.indices.dropFirst().dropLast(2)
      where words[place].text == name && words[place - 1].text == "."
        && words[place + 1].text == "="
        && words[(place + 2)...].prefix(24).contains(where: { $0.text == name })
        // It isn't compared.
        && words[place + 2].text != "="
      {
        return (file.url, words[place].line)
      }
    }
    return nil
  }

  /// Whether a word is there for what it says: managers are parameters of every policy, and options may be off.
  private func isSign(
    _ sign: String, isOff: Bool, at index: Int, in words: [(text: String, line: Int)]
  ) -> Bool {
    guard words[index].text == sign else { return false }
    if isOff {
      return words[(index + 1)...].prefix(6).prefix { ![",", ";", "]", "}"].contains($0.text) }
        .contains { $0.line == words[index].line && ["false", "NO"].contains($0.text) }
    }
    guard sign == "NSMigrationManager", index + 1 < words.count else { return true }
    return ["(", "alloc"].contains(words[index + 1].text)
  }

  /// What the code shows of one model: files that name it come before those that name none.
  func finding(for model: URL, isOnly: Bool) -> Finding {
    let naming = files.filter { $0.names[model.baseName] != nil }
    let groups = isOnly ? [files] : [naming, files]
    for group in groups {
      for sign in Self.signs {
        for file in group {
          guard
            let place = file.words.indices.first(where: {
              isSign(sign.words, isOff: sign.isOff, at: $0, in: file.words)
            })
          else { continue }
          let word = file.words[place]
          let texts = Set(file.words.map(\.text))
          // A manager that is used once takes one step that the app chooses.
          let repeats = !texts.isDisjoint(with: ["for", "while", "repeat", "forEach", "reduce"])
          let isOwn = sign.words == "NSMigrationManager" && !repeats
          return Finding(
            way: isOwn ? .own : sign.way, words: sign.words + (sign.isOff ? " = false" : ""),
            file: file.url, line: word.line)
        }
      }
    }
    return Finding(way: .automatic, words: nil, file: nil, line: 0)
  }
}

extension VersionedModel {
  /// The names of the versions that come after the current one.
  var versionsAfterCurrent: [String] {
    versions.drop { $0.name != currentVersionName }.dropFirst().compactMap(\.name)
  }
}
