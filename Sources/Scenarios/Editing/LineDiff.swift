/// What changed in a text, line by line.
package struct LineDiff: Equatable {
  /// Lines that went and came, at the line of the old text where they did.
  struct Hunk: Equatable {
    let line: Int
    var removed: [String] = []
    var added: [String] = []
  }
  private(set) var hunks: [Hunk] = []

  package init(from old: String, to new: String) {
    let (before, after) = (Self.lines(old), Self.lines(new))
    let difference = after.difference(from: before)
    let removed = Set(difference.removals.map(\.offset))
    let added = Set(difference.insertions.map(\.offset))
    var (i, j) = (0, 0)
    while i < before.count || j < after.count {
      if !removed.contains(i), !added.contains(j) {
        (i, j) = (i + 1, j + 1)
        continue
      }
      var hunk = Hunk(line: i + 1)
      while removed.contains(i) {
        hunk.removed.append(before[i])
        i += 1
      }
      while added.contains(j) {
        hunk.added.append(after[j])
        j += 1
      }
      hunks.append(hunk)
    }
  }

  private static func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  package func text(path: String, _ style: TextStyle) -> String {
    hunks.map { hunk in
      style.strong("\(path):\(hunk.line)") + "\n"
        + hunk.removed.map { style.bad("- \($0)") + "\n" }.joined()
        + hunk.added.map { style.good("+ \($0)") + "\n" }.joined()
    }.joined()
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
