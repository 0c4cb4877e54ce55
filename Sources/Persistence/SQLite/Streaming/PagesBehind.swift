import Foundation

/// Pages on their way to a file: they are written on a thread of its own, in the order in which they came.
///
/// Whoever hands pages over may read them meanwhile; nobody else may use the file. All is asked of it by one
/// thread at a time.
final class PagesBehind: @unchecked Sendable {
  /// Writes bytes to a place in the file.
  /// - Returns: 0, or why they couldn't be written.
  typealias Write = (UnsafeRawBufferPointer, Int64) -> Int32

  private let write: Write
  private let lock = NSLock()
  /// Takes pages that come now; nobody else knows of it.
  private var open: PageChunk?
  private var thread: SerialThread?
  // What the lock guards.
  /// Those handed to the thread and not yet written, the oldest first.
  private var waiting: [PageChunk] = []
  private var idle: [PageChunk] = []
  private var failure: Int32 = 0

  /// Most chunks that wait to be written.
  private static let mostWaiting = 8

  /// - Parameter write: Called on another thread.
  init(_ write: @escaping Write) { self.write = write }

  // MARK: Writing

  /// Takes some bytes for a place in the file.
  /// - Returns: 0, or why others before them couldn't be written.
  func add(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    if let open, open.append(bytes, at: offset) { return 0 }
    handOver()
    let chunk = lock.withLock { idle.popLast() } ?? PageChunk()
    open = chunk
    if chunk.append(bytes, at: offset) { return lock.withLock { failure } }
    // More than a chunk holds.
    let code = finish()
    return code == 0 ? write(bytes, offset) : code
  }

  /// Hands what was gathered to the thread.
  private func handOver() {
    guard let chunk = open, !chunk.isEmpty else { return }
    open = nil
    lock.withLock { waiting.append(chunk) }
    let thread = thread ?? SerialThread(name: "pages")
    self.thread = thread
    thread.perform(limit: Self.mostWaiting) { [self] in take(chunk) }
  }

  /// Waits until all is written.
  /// - Returns: 0, or why something couldn't be. Nothing after it was written then.
  func finish() -> Int32 {
    if let thread {
      handOver()
      thread.wait()
    } else if let open {
      // So little takes no thread.
      let code = result(ofWriting: open)
      open.removeAll()
      lock.withLock { failure = code }
    }
    return lock.withLock { failure }
  }

  /// Writes a chunk, unless one before it couldn't be.
  private func result(ofWriting chunk: PageChunk) -> Int32 {
    let known = lock.withLock { failure }
    return known == 0 ? chunk.write(by: write) : known
  }

  // MARK: Reading

  enum Reading {
    /// The bytes are those on their way.
    case done
    /// The file has them.
    case isInFile
    case failed(Int32)
  }

  /// Reads bytes that are on their way.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Reading {
    let wanted = offset..<offset + Int64(target.count)
    var (found, known) = (open?.read(wanted, into: target) ?? .nothing, Int32(0))
    if found == .nothing {
      lock.withLock {
        known = failure
        for chunk in waiting.reversed() where found == .nothing {
          found = chunk.read(wanted, into: target)
        }
      }
    }
    switch found {
    case .all: return .done
    case .nothing: return known == 0 ? .isInFile : .failed(known)
    case .part:
      let code = finish()
      return code == 0 ? .isInFile : .failed(code)
    }
  }

  // MARK: On the thread

  private func take(_ chunk: PageChunk) {
    let code = result(ofWriting: chunk)
    lock.withLock {
      failure = code
      waiting.removeFirst()
      chunk.removeAll()
      idle.append(chunk)
    }
  }
}

/// Some pages, and where in a file they belong.
private final class PageChunk: @unchecked Sendable {
  /// Bytes that follow each other in the file.
  private struct Run {
    let offset: Int64
    let start: Int
    var count: Int
    var end: Int64 { offset + Int64(count) }
  }
  private let bytes = UnsafeMutableRawBufferPointer.allocate(
    byteCount: PageChunk.capacity, alignment: 4096)
  private var used = 0
  private var runs: ContiguousArray<Run> = []

  /// So much takes a thread long enough to be worth waking it up.
  private static let capacity = 256 * 1024

  deinit { bytes.deallocate() }

  var isEmpty: Bool { runs.isEmpty }

  func removeAll() {
    used = 0
    runs.removeAll(keepingCapacity: true)
  }

  /// - Returns: False where there is no room.
  func append(_ new: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    if used + new.count > bytes.count { return false }
    if let last = runs.last, last.end == offset {
      runs[runs.count - 1].count += new.count
    } else {
      runs.append(Run(offset: offset, start: used, count: new.count))
    }
    UnsafeMutableRawBufferPointer(rebasing: bytes[used...]).copyMemory(from: new)
    used += new.count
    return true
  }

  enum Share { case all, part, nothing }

  /// Copies the newest of these bytes that are wanted, if all of them are in one place.
  func read(_ wanted: Range<Int64>, into target: UnsafeMutableRawBufferPointer) -> Share {
    for run in runs.reversed() where run.offset < wanted.upperBound && run.end > wanted.lowerBound {
      guard run.offset <= wanted.lowerBound, run.end >= wanted.upperBound else { return .part }
      let start = run.start + Int(wanted.lowerBound - run.offset)
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + target.count]))
      return .all
    }
    return .nothing
  }

  func write(by write: PagesBehind.Write) -> Int32 {
    for run in runs {
      let code = write(
        UnsafeRawBufferPointer(rebasing: bytes[run.start..<run.start + run.count]), run.offset)
      if code != 0 { return code }
    }
    return 0
  }
}
