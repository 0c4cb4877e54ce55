/// The JSON reports in some folders, of whatever command, as `heavyweight report` joins them.
struct SavedReports {
  /// When something was tested, and what.
  struct Moment: Codable, Hashable {
    /// The commit of the app; nil where nobody noted it.
    let commit: String?
    let date: Date?
    let file: String
  }

  struct RunFile: Decodable {
    struct Run: Decodable {
      struct Failure: Decodable {
        let kind: String
        let subject: String
        let found: String
      }
      let path: String
      /// Nil in reports of old versions, whose files had one scenario each.
      let address: String?
      let title: String
      let start: String
      let backend: String
      let passed: Bool
      let seconds: Double
      let failures: [Failure]
    }
    struct Problem: Decodable {
      let path: String
      let problem: String
    }
    struct Skipped: Decodable {
      let address: String
      let reason: String
    }
    let date: Date?
    let commit: String?
    let runs: [Run]
    let notRunnable: [Problem]
    let skipped: [Skipped]?
  }

  struct CheckFile: Decodable {
    struct Way: Decodable {
      let from: String
      let to: String
      let verdict: String
      let mappings: [String]?
      let code: Int?
    }
    struct Finding: Decodable {
      let rule: String
      let severity: String
      let from: String?
      let to: String?
      let version: String?
      let lastVersion: String?
      let entity: String?
      let property: String?
      let file: String?
      let message: String
      let advice: String?
    }
    let model: String
    let current: String
    let hops: [Way]
    let findings: [Finding]
    let date: Date?
  }

  var runs: [(moment: Moment, file: RunFile)] = []
  var benches: [(moment: Moment, file: BenchResults)] = []
  var checks: [(moment: Moment, file: CheckFile)] = []
  /// JSON files that are none of these.
  var others: [String] = []

  /// Reads all `*.json` in folders and the folders in them, and files that are named.
  /// - Throws: ``Diagnostics`` where a place isn't there or can't be read, and for a broken report.
  init(at places: [String]) throws {
    var problems: [Diagnostic] = []
    var seen: Set<String> = []
    for place in places {
      let url = URL(fileURLWithPath: place)
      var files = [url]
      switch FileKind(of: url) {
      case .missing:
        problems.append(Diagnostic(file: place, "no such file or folder"))
        continue
      case .folder:
        do { files = try FolderSearch(url).files(withExtensions: ["json"]) } catch {
          problems.append(Diagnostic(file: place, "can't read the folder: \(error.plainText)"))
          continue
        }
      case .file, .other: break
      }
      for file in files.sorted(by: { $0.path < $1.path })
      where seen.insert(file.standardizedFileURL.path).inserted {
        do { try read(file) } catch {
          problems.append(
            Diagnostic(file: file.relativePath, "not a report of this tool: \(error.plainText)"))
        }
      }
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
  }

  var isEmpty: Bool { runs.isEmpty && benches.isEmpty && checks.isEmpty }

  /// What a file is shows by its keys; what has none of them is something else's JSON.
  private mutating func read(_ url: URL) throws {
    let data = try Data(contentsOf: url)
    let name = url.relativePath
    guard let keys = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      others.append(name)
      return
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    func has(_ wanted: String...) -> Bool { wanted.allSatisfy { keys[$0] != nil } }
    if has("summary", "runs", "notRunnable") {
      let file = try decoder.decode(RunFile.self, from: data)
      runs.append((Moment(commit: file.commit, date: file.date, file: name), file))
    } else if has("machine", "isOptimized", "scenarios") {
      let file = try decoder.decode(BenchResults.self, from: data)
      benches.append((Moment(commit: file.commit, date: file.date, file: name), file))
    } else if has("hops", "direct", "findings", "current") {
      let file = try decoder.decode(CheckFile.self, from: data)
      checks.append((Moment(commit: nil, date: file.date, file: name), file))
    } else {
      others.append(name)
    }
  }
}
