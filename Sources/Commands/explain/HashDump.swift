/// Version hashes by entity, as a console prints them: whole, or cut in the middle or at the end.
struct HashDump: Sendable {
  /// What is there of a hash.
  struct Part: Hashable, Sendable {
    let start: Data
    let end: Data

    func fits(_ hash: Data) -> Bool { hash.starts(with: start) && hash.suffix(end.count) == end }
  }

  /// Whose hashes they are, as far as what stands before them tells.
  let owner: String?
  fileprivate(set) var hashes: [String: Part] = [:]

  /// All in a text. A dictionary ends where another begins, and where a name comes again.
  static func all(in text: String) -> [HashDump] {
    let text = plain(text)
    var dumps: [HashDump] = []
    var end = text.startIndex
    for match in text.matches(of: entry) {
      let name = String(match.1 ?? match.5 ?? "")
      guard let part = part(match.output) else { continue }
      let between = text[end..<match.range.lowerBound]
      if dumps.isEmpty || dumps[dumps.count - 1].hashes[name] != nil
        || between.contains(where: { "{}".contains($0) }) || between.contains("<dict>")
      {
        dumps.append(HashDump(owner: owner(before: between.suffix(400))))
      }
      dumps[dumps.count - 1].hashes[name] = part
      end = match.range.upperBound
    }
    return dumps
  }

  /// `Track = <…>`, `"Track": {length = 32, bytes = 0x…}`, `Track = "base64="`, `<key>Track</key><data>base64</data>`.
  private static var entry:
    Regex<(Substring, Substring?, Substring?, Substring?, Substring?, Substring?, Substring?)>
  {
    #/\b(\w[\w.]{0,127})"?\s{0,8}[=:]\s{0,8}"?(?:<([0-9a-fA-F][0-9a-fA-F .…]{7,90})>?|\{ ?length = 32, bytes = 0x([0-9a-fA-F][0-9a-fA-F .…]{7,90})\}?|([A-Za-z0-9+\/]{43}=))|<key>([^<]{1,128})<\/key>\s{0,80}<data>\s{0,80}([A-Za-z0-9+\/]{20,43}[A-Za-z0-9+\/\s]{0,80}=)/#
  }

  /// nil for what is no version hash: bytes of another length.
  private static func part(
    _ match: (Substring, Substring?, Substring?, Substring?, Substring?, Substring?, Substring?)
  ) -> Part? {
    if let base64 = match.4 ?? match.6 {
      let data = Data(base64Encoded: String(base64.filter { !$0.isWhitespace }))
      return data.flatMap { $0.count == 32 ? Part(start: $0, end: Data()) : nil }
    }
    guard let text = match.2 ?? match.3 else { return nil }
    let halves = text.replacing("…", with: "...").split(
      separator: "...", omittingEmptySubsequences: false
    )
    .map { bytes($0) }
    let (start, end) = (
      halves.first ?? Data(), halves.count > 1 ? halves[halves.count - 1] : Data()
    )
    let isWhole = halves.count == 1 && match.0.last == ">"
    guard start.count + end.count >= 4, start.count <= 32, !isWhole || start.count == 32 else {
      return nil
    }
    return Part(start: start, end: end)
  }

  private static func bytes(_ text: Substring) -> Data {
    let digits = text.filter(\.isHexDigit)
    return Data(hexadecimal: digits.prefix(digits.count / 2 * 2)) ?? Data()
  }

  /// By the word that is nearest: what another dictionary ended with, such as `NSStoreModelVersionHashesVersion`, may
  /// stand before it.
  private static func owner(before text: Substring) -> String? {
    let last = text.matches(of: #/(?i)NSStoreModelVersion\w*|metadata|model/#).map { $0.output }
      .last { !$0.hasPrefix("NSStoreModelVersion") || $0 == "NSStoreModelVersionHashes" }
    return last.map { $0.lowercased() == "model" ? "model" : "store" }
  }

  /// Without the escapes of a text within a text.
  private static func plain(_ text: String) -> String {
    var text = text
    for _ in 0..<3 where text.contains("\\") {
      text = text.replacing("\\n", with: "\n").replacing("\\t", with: " ").replacing(
        "\\U2026", with: "…"
      )
      .replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    }
    return text
  }

  // MARK: Comparing

  /// The entities that two dictionaries have otherwise, by what is the matter.
  func differences(from other: HashDump) -> [String] {
    let names = Set(hashes.keys).union(other.hashes.keys).sorted()
    let isTold = owner != nil && other.owner != nil && owner != other.owner
    let (mine, its) = isTold ? (owner ?? "", other.owner ?? "") : ("first", "second")
    return names.compactMap { name in
      switch (hashes[name], other.hashes[name]) {
      case (let one?, let two?): one.agrees(with: two) ? nil : "\(name) differs"
      case (.some, nil): "\(name) is only in the \(mine)"
      default: "\(name) is only in the \(its)"
      }
    }
  }
}

extension HashDump.Part {
  fileprivate func agrees(with other: Self) -> Bool {
    let count = min(start.count, other.start.count)
    let last = min(end.count, other.end.count)
    return start.prefix(count) == other.start.prefix(count)
      && end.suffix(last) == other.end.suffix(last)
  }
}

/// Which versions of a model have the hashes of a dump, and how a store with them gets to the current one.
struct DumpedVersion {
  let dump: HashDump
  let report: ModelCheckReport

  /// By the dump's hashes as a store would have them: whole where one of the versions has one that fits.
  private var identification: ModelIdentification {
    let entities = report.model.versions.flatMap(\.entities)
    let hashes = Dictionary(
      uniqueKeysWithValues: dump.hashes.map { name, part in
        let known = entities.first { $0.name == name && part.fits($0.versionHash) }
        return (name, known?.versionHash ?? Data())
      })
    return ModelIdentification(
      ofStoreWith: ["NSStoreModelVersionHashes": hashes], cachedModel: nil,
      among: report.model.versions)
  }

  /// The names of the versions that have all of these hashes, and those alone if there are such.
  var matches: [String] { fitting.map(\.version.shownName) }

  private var fitting: [(version: ManagedObjectModel, configuration: String?)] {
    let whole = identification.matches.map { ($0.model, $0.configuration) }
    let containing = report.model.versions.filter { version in
      dump.hashes.allSatisfy { name, part in
        version.entity(named: name).map { part.fits($0.versionHash) } == true
      }
    }
    return whole.isEmpty ? containing.map { ($0, nil) } : whole
  }

  /// What there is to say, in lines.
  var lines: [String] {
    let owner = dump.owner.map { "the \($0)'s hashes" } ?? "hashes"
    let count = dump.hashes.count
    let heading = "\(owner) of \(count == 1 ? "1 entity" : "\(count) entities")"
    let found = fitting
    guard let first = found.first else { return nearest(heading) }
    let names = found.map {
      $0.version.shownName + ($0.configuration.map { ", configuration \($0)" } ?? "")
    }
    let entities = first.version.entities(forConfigurationName: first.configuration) ?? []
    let more = entities.map(\.name).filter { dump.hashes[$0] == nil }.sorted()
    let cut = more.isEmpty ? "" : "; not in the dump: \(Self.list(more))"
    return ["\(heading): those of \(Self.list(names))\(cut)"]
      + (dump.owner == "model" ? [] : way(from: first.version.shownName))
  }

  private func nearest(_ heading: String) -> [String] {
    guard let nearest = identification.nearest else {
      return ["\(heading), none of which \(report.model.url.lastPathComponent) has"]
    }
    let version = nearest.model.shownName
    let lists = [
      ("changed", nearest.changed), ("only in the dump", nearest.onlyInStore),
      ("only in the model", nearest.onlyInModel),
    ].filter { !$0.1.isEmpty }.map { "\($0.0): \(Self.list($0.1))" }
    return ["\(heading): of no version; the nearest is \(version)"] + lists
      + nearest.changed.flatMap { origin(of: $0, nearest.model) }
      + way(from: version)
  }

  /// Which other versions have an entity as in the dump, and how it differs there.
  private func origin(of name: String, _ nearest: ManagedObjectModel) -> [String] {
    guard let part = dump.hashes[name] else { return [] }
    let others = report.model.versions.filter {
      $0.entity(named: name).map { part.fits($0.versionHash) } == true
    }
    guard let other = others.last else {
      return [
        "\(name): as in no version here: it was edited after stores were written, or isn't of this app"
      ]
    }
    let difference = ModelDifference(from: other, to: nearest).entities
      .filter { $0.destinationName == name && $0.changesVersionHash }.map(\.description)
    return [
      "\(name): as in \(Self.list(others.map(\.shownName))); from there to \(nearest.shownName):"
    ]
      + difference.flatMap { $0.split(separator: "\n").map { "  \($0)" } }
  }

  private func way(from version: String) -> [String] {
    if version == report.current {
      return ["this is the current version: nothing has to be migrated"]
    }
    let names = report.model.versions.map(\.shownName)
    guard let start = names.firstIndex(of: version), let end = names.firstIndex(of: report.current),
      start < end
    else { return ["\(version) isn't older than the current version, \(report.current)"] }
    let steps = report.steps.filter { names[start..<end].contains($0.versions.source) }
    let direct = report.direct.first { $0.versions.source == version }
    return [
      "the way: " + Self.text(of: steps)
    ]
      + (steps.lazy.compactMap(failure).first.map { ["first failing step: \($0)"] } ?? [])
      + (direct.map { ["in one step, as Core Data opens it: \($0.verdict.shown)"] } ?? [])
  }

  /// Steps in a row that go alike are told once.
  private static func text(of steps: [CheckedStep]) -> String {
    var runs: [(first: String, last: String, verdict: String, count: Int)] = []
    for step in steps {
      let (versions, verdict) = (step.versions, step.verdict.shown)
      if let run = runs.last, run.verdict == verdict {
        runs[runs.count - 1] = (run.first, versions.destination, verdict, run.count + 1)
      } else {
        runs.append((versions.source, versions.destination, verdict, 1))
      }
    }
    return runs.map { "\($0.first) \($0.count == 1 ? "->" : "...") \($0.last) \($0.verdict)" }
      .joined(separator: "; ")
  }

  /// Why a step fails, by what `check` finds.
  private func failure(of step: CheckedStep) -> String? {
    let found = report.findings.first { $0.severity == .error && $0.subject.step == step.versions }
    return found?.line(TextStyle(isColoured: false))
      ?? step.verdict.error.map { "\(step.versions): \($0.code.rawValue)" }
  }

  private static func list(_ names: [String]) -> String { names.listed(most: 8) }
}

extension [DumpedVersion] {
  /// Of the app's model: that one whose versions have most of the entities.
  var nearest: DumpedVersion? {
    self.max { $0.knownCount < $1.knownCount }
  }
}

extension DumpedVersion {
  fileprivate var knownCount: Int {
    dump.hashes.keys.count { name in
      report.model.versions.contains { $0.entity(named: name) != nil }
    }
  }
}

extension ModelCheckReport {
  /// What is known of an entity or property that a message names; empty for one that no version has.
  func lines(about element: ConsoleLog.Element) -> [String] {
    let having = model.versions.filter { version in
      guard let entity = version.entity(named: element.entity) else { return false }
      return element.property.map { name in entity.properties.contains { $0.name == name } } ?? true
    }
    guard let first = having.first, let last = having.last else { return [] }
    let name = [element.entity, element.property].compactMap(\.self).joined(separator: ".")
    let span = first === last ? first.shownName : "\(first.shownName) ... \(last.shownName)"
    let about = findings.filter {
      $0.severity != .note && $0.subject.entity == element.entity
        && $0.subject.property == element.property
    }
    return ["\(name): in \(span)"]
      + about.prefix(5).map { "  " + $0.line(TextStyle(isColoured: false)) }
  }
}
