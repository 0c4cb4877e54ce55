/// A kind of fault that `heavyweight crash` makes.
package enum CrashFault: String, CaseIterable, Codable, Sendable {
  /// The process ends: before the operation, halfway through a write, and right after an app's own removal.
  case kill
  /// The disk can't be read or written.
  case eio
  /// The disk is full.
  case enospc
  /// The disk is full when half is written.
  case short
  /// What was written can't be made durable.
  case fsync

  /// The kinds of an argument, `kill,eio`; nil where one isn't known.
  package static func list(_ argument: String) -> [CrashFault]? {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false)
    let faults = names.map { CrashFault(rawValue: $0.trimmingCharacters(in: .whitespaces)) }
    return faults.contains(nil) ? nil : faults.compactMap(\.self)
  }

  /// What is done at a point, one play each; nothing where such a fault can't happen there.
  func orders(at point: FilePoint) -> [FileFault] {
    switch self {
    case .kill where point.kind == .read: []
    case .kill: point.isDivisible || point.hidesNext ? [.death, .deathHalfway] : [.death]
    case .eio: point.kind == .sync ? [] : [.failure(EIO)]
    case .enospc: point.takesRoom ? [.failure(ENOSPC)] : []
    case .short: point.isDivisible ? [.failureHalfway(ENOSPC)] : []
    case .fsync: point.kind == .sync ? [.failure(EIO)] : []
    }
  }
}

extension FilePoint {
  /// Whether half of it can be done.
  fileprivate var isDivisible: Bool {
    switch kind {
    case .write: bytes ?? 0 > 1
    case .copy: caller == .engine
    default: false
    }
  }

  /// Whether an app may do something next that no fault is made at, such as writing or copying content.
  var hidesNext: Bool { caller == .app && (kind == .remove || kind == .rename) }

  fileprivate var takesRoom: Bool {
    switch kind {
    case .write, .copy, .folder, .rename: true
    // SQLite has one answer for whatever keeps a file from being opened.
    case .open: caller != .sqlite
    default: false
    }
  }
}

/// Who asks for the operations that fail.
package enum CrashCallers {
  package static let names = FilePoint.Caller.allCases.map(\.rawValue)
}

/// At which points of a migration faults are made.
package enum CrashPoints: Hashable, Sendable {
  case all
  case one(Int)
  case every(Int)

  /// `all`, a number from 1 on, or a step between the numbers; nil for anything else.
  package init?(_ words: [String]) {
    switch (words.first, words.count) {
    case ("all", 1): self = .all
    case ("every", 2):
      guard let step = Int(words[1]), step > 0 else { return nil }
      self = .every(step)
    case (let word?, 1):
      guard let number = Int(word), number > 0 else { return nil }
      self = .one(number)
    default: return nil
    }
  }

  /// The numbers that are meant, of so many points.
  func numbers(of count: Int) -> [Int] {
    switch self {
    case .all: Array(1...max(count, 1)).filter { $0 <= count }
    case .one(let number): number <= count ? [number] : []
    case .every(let step): Array(stride(from: 1, through: count, by: step))
    }
  }
}
