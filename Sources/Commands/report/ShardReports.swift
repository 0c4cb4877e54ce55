/// Reports of `run --shard --json` in some places, to be joined into one.
struct ShardReports {
  private struct Saved: Decodable {
    let commit: String?
    let shard: JSONReport.Part
  }

  /// What tells the report of a shard from other JSON.
  private struct Marked: Decodable {
    struct Mark: Decodable { let number: Int }
    let shard: Mark?
  }

  private var shards: [(file: String, saved: Saved)] = []
  /// JSON files in folders that are no reports of shards.
  private(set) var others: [String] = []

  var isEmpty: Bool { shards.isEmpty }

  /// Reads all `*.json` in folders and the folders in them, and files that are named.
  /// - Throws: ``Diagnostics`` where a place isn't there or can't be read, for a named file that isn't the report of a
  ///   shard, and for shards that can't be those of one call.
  init(at places: [String]) throws {
    var problems: [Diagnostic] = []
    for place in places {
      let url = URL(fileURLWithPath: place)
      do {
        switch FileKind(of: url) {
        case .missing: problems.append(Diagnostic(file: place, "no such file or folder"))
        case .folder:
          for file in try FolderSearch(url).files(withExtensions: ["json"]).sorted(by: {
            $0.path < $1.path
          }) {
            if try !read(file) { others.append(ShownPath.of(file)) }
          }
        case .file, .other:
          if try !read(url) {
            problems.append(
              Diagnostic(
                file: place, "not the report of a shard: make it with 'run --shard --json'"))
          }
        }
      } catch let problem as Diagnostic {
        problems.append(problem)
      } catch {
        problems.append(Diagnostic(file: place, "can't be read: \(error.plainText)"))
      }
    }
    problems += strangers
    if !problems.isEmpty { throw Diagnostics(problems) }
    shards.sort { $0.saved.shard.number < $1.saved.shard.number }
  }

  /// - Returns: False for other JSON than the report of a shard.
  private mutating func read(_ url: URL) throws -> Bool {
    let data = try Data(reading: url)
    do {
      guard try JSONDecoder().decode(Marked.self, from: data).shard != nil else { return false }
    } catch {
      throw Diagnostic(file: ShownPath.of(url), "not a report of this tool: \(error.plainText)")
    }
    do {
      shards.append((ShownPath.of(url), try JSONDecoder().decode(Saved.self, from: data)))
    } catch {
      throw Diagnostic(
        file: ShownPath.of(url),
        "the report of another version of this tool: \(error.plainText); join it with the version that made it"
      )
    }
    return true
  }

  /// Reports that the first one contradicts, or another one.
  private var strangers: [Diagnostic] {
    guard let first = shards.first else { return [] }
    var files: [Int: String] = [:]
    return shards.compactMap { file, saved in
      func problem(_ text: String) -> Diagnostic {
        Diagnostic(
          file: file, "\(text); join the shards of one call alone: remove the reports of others")
      }
      let part = saved.shard
      if part.total != first.saved.shard.total {
        return problem(
          "shard \(part.number)/\(part.total), and \(first.file) is one of \(first.saved.shard.total)"
        )
      }
      if let other = files.updateValue(file, forKey: part.number) {
        return problem("shard \(part.number)/\(part.total), as \(other) is")
      }
      if saved.commit != first.saved.commit {
        return problem("of another commit than \(first.file)")
      }
      if let dealt = part.result.dealt, dealt != self.dealt {
        return problem(
          "of other scenarios, models or policies, or dealt by another --earlier, than \(dealer)")
      }
      let options = [part, first.saved.shard].map(\.result.options)
      let differs = !options.contains(nil) && options[0] != options[1]
      return !differs && part.result.leftOutByOthers == first.saved.shard.result.leftOutByOthers
        ? nil : problem("made with other options than \(first.file)")
    }
  }

  private var dealt: [DealtRun]? { shards.lazy.compactMap(\.saved.shard.result.dealt).first }
  /// The report that has it.
  private var dealer: String { shards.first { $0.saved.shard.result.dealt != nil }?.file ?? "" }

  /// The shards as one report, which fails while one is missing.
  var joined: SuiteReport {
    var report = SuiteReport()
    let reports = shards.map(\.saved.shard.result)
    report.leftOut = reports.first?.leftOutByOthers ?? []
    report.seconds = reports.reduce(0) { $0 + $1.seconds }
    report.isPlayed = true
    let places = Dictionary(
      firstOf: (dealt ?? []).enumerated().map { (["\($1.address)", $1.start], $0) })
    let results = reports.flatMap(\.results).map { result in
      (places[["\(result.id.address)", result.id.start]] ?? 0, result)
    }
    report.results = results.enumerated().sorted {
      ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }.map(\.element.1)
    // Each shard names what keeps all from being read.
    var known: Set<String> = []
    report.problems = reports.flatMap(\.problems).filter { known.insert($0.path).inserted }
    var skipped: Set<ScenarioAddress> = []
    report.skipped = reports.flatMap(\.skipped).filter { skipped.insert($0.address).inserted }
    report.problems += missing
    return report
  }

  private var missing: [SuiteReport.Problem] {
    let total = shards.first?.saved.shard.total ?? 0
    let known = Set(shards.map(\.saved.shard.number))
    return (1...max(1, total)).filter { !known.contains($0) }.map { number in
      let name = "shard \(number)/\(total)"
      return SuiteReport.Problem(
        ScenarioAddress(path: name, number: nil),
        Diagnostics(
          file: name,
          "its report is missing: nothing is known of its scenarios; see whether its job wrote one")
      )
    }
  }
}

extension SuiteReport {
  /// What options left out, but for those that other shards have.
  fileprivate var leftOutByOthers: [LeftOut] {
    leftOut.filter { $0.option != shard?.option }
  }
}
