/// The text of a first scenario.
struct FirstScenario {
  let step: FirstStep
  let model: VersionedModel
  var rows: [SampleRow]
  /// Nil where the scenario names none: the project file does, or they can't be had.
  let policies: StepPolicies?
  /// Where the file goes; paths in it are relative to that.
  var folder: URL
  /// Whether it is about the newest step.
  var isNewest = true
  var expectations: [Notation] = []
  /// The error that the step ends with.
  var failure: FoundFailure?
  /// Whether a mapping lost links, or chose among them, so that nobody knows which a device has.
  var hasDoubtfulLinks = false
  /// Which rows make the step fail, where others don't.
  var failingRows: FailingRows?
  /// The same step with rows that it fails for, where these don't make it fail.
  var failing: [FirstScenario] = []
  /// What is missing, in sentences.
  var remarks: [String] = []
  /// Why it isn't to be run.
  var skip: String?

  enum FailingRows {
    case without(SampleRows.Property)
    /// Some values are missing, and nothing tells which of them is needed.
    case incomplete(entity: String)
    case of(entity: String)
    case sharingLinks
  }

  var fileName: String {
    let names = [step.source?.shownName, step.destination.shownName].compactMap(\.self)
    return Self.fileName(for: names.joined(separator: "-to-"))
  }

  /// The words as the name of a scenario's file.
  static func fileName(for words: String) -> String {
    let text = words.map { character in
      character.isLetter || character.isNumber || "._-".contains(character) ? character : "-"
    }
    return String(text) + ScenarioFinder.suffixes[0]
  }

  var text: String { ([ownText] + failing.map(\.ownText)).joined(separator: "---\n") }

  /// Without what fails.
  var ownText: String {
    ScenarioParts.text(
      heading + models + (policies.map(parts.policies) ?? [])
        + ScenarioParts.seed(rows.map(WrittenRow.init)) + chain
        + ScenarioParts.expectations(expectations) + (failure?.lines ?? []))
  }

  private var parts: ScenarioParts { ScenarioParts(folder: folder) }

  // MARK: Parts

  private var heading: [String] {
    let what = step.source == nil ? "the only version" : isNewest ? "the newest step" : "a step"
    let lines = [
      ScenarioSchema(for: folder).line,
      "# A first scenario for \(what) of \(model.url.lastPathComponent).",
      "#",
      "# The rows are samples. Put in rows that your users have, above all the odd ones: without a",
      "# value, with very long texts, duplicates. Then write in `expect` what must have become of",
      "# them, or let `heavyweight run --update` record what did, and review it.",
    ]
    let remarks = remarks.flatMap { ["#"] + Self.comment($0) }
    return lines + remarks + ["scenario: " + ScenarioParts.scalar(title)]
      + (skip.map { ["skip: " + ScenarioParts.scalar($0)] } ?? [])
  }

  var title: String {
    if step.source == nil { return "Objects of \(step.destination.shownName) can be stored" }
    return switch failingRows {
    case nil: "\(step.title) keeps what it should"
    case .without(let lack): "\(step.title) takes objects without \(lack.entity).\(lack.name)"
    case .incomplete(let entity): "\(step.title) takes objects of \(entity) that lack values"
    case .of(let entity): "\(step.title) takes objects of \(entity)"
    case .sharingLinks: "\(step.title) takes objects with several links, or the same ones"
    }
  }

  private var models: [String] {
    let versions = [step.source, step.destination].compactMap(\.self).map(\.shownName)
    let files = versions.map { model.url.appending(path: "\($0).xcdatamodel") }
    let areFiles = files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
    guard areFiles, model.url.pathExtension == "xcdatamodeld" else {
      if model.versions.count == 1 { return ["models: " + parts.path(to: model.url)] }
      return parts.models(versions, of: model.url)
    }
    return ["models:"]
      + zip(versions, files).map { "  \(ScenarioParts.scalar($0)): \(parts.path(to: $1))" }
  }

  private var chain: [String] {
    if step.source == nil { return [] }
    return ["chain:"] + parts.step(step.title, mappings: step.mappings.map(\.file.url))
  }

  /// Wrapped, as comments are.
  static func comment(_ text: String) -> [String] {
    var lines = ["#"]
    for word in text.split(whereSeparator: \.isWhitespace) {
      if lines[lines.count - 1].count + word.count > 98 { lines.append("#") }
      lines[lines.count - 1] += " " + word
    }
    return lines
  }
}
