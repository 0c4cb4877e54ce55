import Synchronization

/// One operation on a file: it may fail, and the process may die of it or before it.
package struct FilePoint: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case open, read, write, truncate, sync, rename, remove, copy, folder
  }

  /// Who asks for it.
  package enum Caller: String, Codable, CaseIterable, Sendable {
    /// SQLite, for the engine or for an app's own code.
    case sqlite
    /// The engine itself.
    case engine
    /// An app's own code, by `FileManager` or the system's functions.
    case app
  }

  package let kind: Kind
  package let caller: Caller
  /// The file, from the folder that is watched, without what is another name each time.
  package let file: String
  /// Where a file that is renamed or copied goes.
  package let destination: String?
  /// How many bytes are written.
  package let bytes: Int?
  /// What the migration is about at that time.
  package let part: String
}

/// What becomes of an operation on a file.
package enum FileFault: Codable, Hashable, Sendable {
  /// The process dies before it.
  case death
  /// The process dies when half of it is done.
  case deathHalfway
  /// Nothing is done, and it fails with an error number.
  case failure(Int32)
  /// Half of it is done, and it fails with an error number.
  case failureHalfway(Int32)
}

/// Counts the operations on files in one folder, and lets one of them fail.
///
/// It sees what SQLite does, by ``FaultyFileSystem``, what the engine does itself, by ``FileCalls``, and what
/// an app's code does by the functions of ``InterposedCalls``. There is one for a process, whatever
/// thread they come from; without one, nothing is counted.
package final class FaultPlan: Sendable {
  private struct State {
    var points: [FilePoint] = []
    var count = 0
    var part = ""
    var isWatching = false
    var witness: Witness?
    var didMeet: (@Sendable (FilePoint) -> Void)?
  }

  /// Told of each store that an app's code has the engine migrate: the old one before, the new one after.
  package typealias Witness = @Sendable (_ store: URL, _ isResult: Bool) -> Void

  private let root: String
  /// The number of the operation, from 1 on; nil to count only.
  private let number: Int?
  private let fault: FileFault?
  private let state = Mutex(State())

  private static let installed = Mutex<FaultPlan?>(nil)

  package static var current: FaultPlan? { installed.withLock { $0 } }

  /// Watches a folder, and keeps each operation in a list.
  package convenience init(countingIn folder: URL) {
    self.init(folder, number: nil, fault: nil)
  }

  /// Lets the operation of a number fail.
  package convenience init(in folder: URL, at number: Int, _ fault: FileFault) {
    self.init(folder, number: number, fault: fault)
  }

  private init(_ folder: URL, number: Int?, fault: FileFault?) {
    root = folder.resolvingSymlinksInPath().path + "/"
    self.number = number
    self.fault = fault
  }

  /// Puts the plan to use while `body` runs.
  package func watch<Result>(_ body: () throws -> Result) rethrows -> Result {
    FaultyFileSystem.install()
    Self.installed.withLock { $0 = self }
    MachineFaultWatch.isPaused.store(fault != nil, ordering: .relaxed)
    state.withLock { $0.isWatching = true }
    defer {
      state.withLock { $0.isWatching = false }
      Self.installed.withLock { $0 = nil }
      MachineFaultWatch.isPaused.store(false, ordering: .relaxed)
    }
    return try body()
  }

  /// All operations so far, in their order.
  package var points: [FilePoint] { state.withLock(\.points) }
  /// Says what the migration is about from now on.
  package func enter(_ part: String) { state.withLock { $0.part = part } }

  /// Has somebody told of the operation that is to fail, just before it does.
  package func tell(ofFault didMeet: @escaping @Sendable (FilePoint) -> Void) {
    state.withLock { $0.didMeet = didMeet }
  }

  /// Has somebody told of the stores that an app's code migrates.
  package func tell(_ witness: @escaping Witness) { state.withLock { $0.witness = witness } }

  /// Migrates a store for an app's code, and lets the witness see it before and after.
  package static func witnessing<Result>(
    _ source: URL, to result: URL, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let plan = current else { return try body() }
    plan.show(source, isResult: false)
    let made = try body()
    plan.show(result, isResult: true)
    return made
  }

  /// What the witness does isn't counted.
  private func show(_ store: URL, isResult: Bool) {
    let witness = state.withLock { state in
      state.isWatching = false
      return state.witness
    }
    if name(of: store.path) != nil { witness?(store, isResult) }
    state.withLock { $0.isWatching = true }
  }

  // MARK: Meeting

  /// Counts an operation.
  /// - Returns: What becomes of it; nil where it is carried out as ever. Doesn't return where the process
  ///   is to die before it.
  func meet(
    _ kind: FilePoint.Kind, caller: FilePoint.Caller, path: String,
    to destination: String? = nil,
    bytes: Int? = nil
  ) -> FileFault? {
    guard let file = name(of: path) ?? destination.flatMap(name) else { return nil }
    let fault = state.withLock { state -> FileFault? in
      guard state.isWatching else { return nil }
      state.count += 1
      let isDue = state.count == number
      if number == nil || isDue {
        let point = FilePoint(
          kind: kind, caller: caller, file: file,
          destination: destination.map { name(of: $0) ?? $0 },
          bytes: bytes, part: state.part)
        if isDue { state.didMeet?(point) } else { state.points.append(point) }
      }
      return isDue ? self.fault : nil
    }
    if fault == .death { Self.die() }
    return fault
  }

  /// Ends the process as the system does when there is no time for anything.
  static func die() -> Never {
    while true { kill(getpid(), SIGKILL) }
  }

  /// The path inside of the folder; nil for a file elsewhere. Made-up names are shown as `…`.
  private func name(of path: String) -> String? {
    let path = Self.resolved(path)
    guard path.hasPrefix(root) else { return nil }
    return Self.plainName(String(path.dropFirst(root.count)))
  }

  /// A name without what is made up anew each time.
  package static func plainName(_ name: String) -> String {
    name
      .replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/, with: "…")
      .replacing(/migrationdestination_[0-9A-Fa-f-]+/, with: "migrationdestination_…")
  }

  /// The path with the real name of its folder.
  private static func resolved(_ path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    guard let real = realpath(folder, nil) else { return path }
    defer { free(real) }
    return String(cString: real) + "/" + (path as NSString).lastPathComponent
  }
}

/// Tells what somebody does by his own functions from what these do in turn, on each thread.
package enum CallDepth {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  package static var isInside: Bool { pthread_getspecific(key) != nil }

  /// Runs `body` as a part of an operation that was counted.
  package static func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, before) }
    return try body()
  }
}
