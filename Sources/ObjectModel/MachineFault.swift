package import Synchronization

/// A fault of the machine: a full disk, one that fails, no memory.
///
/// No migration and no app's code is to blame for it, so that what came of anything that met one says nothing.
package struct MachineFault: Error, Codable, Hashable, Sendable, CustomStringConvertible,
  LocalizedError
{
  package enum Kind: String, Codable, Sendable {
    case noRoom = "disk full"
    case disk = "I/O error"
    case noMemory = "out of memory"
    case noFiles = "too many open files"
  }

  package let kind: Kind
  /// The error's own words.
  package let text: String

  package var description: String { "not judged: \(kind.rawValue): \(text)" }
  package var errorDescription: String? { description }

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Nil for any other error.
  package init?(_ error: any Error) {
    if let fault = error as? MachineFault {
      self = fault
    } else if let fault = (error as? any MachineFaultCarrier)?.machineFault {
      self = fault
    } else if let kind = Self.kind(error) {
      self.init(kind, "\(error.plainText)")
    } else {
      return nil
    }
  }

  private static func kind(_ error: any Error) -> Kind? {
    let known = error as NSError
    switch known.domain {
    case NSPOSIXErrorDomain: return Kind(system: Int32(truncatingIfNeeded: known.code))
    case NSCocoaErrorDomain where known.code == CocoaError.fileWriteOutOfSpace.rawValue:
      return .noRoom
    default: return (known.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(kind)
    }
  }
}

extension MachineFault.Kind {
  /// Nil for a number of the system's that the machine isn't to blame for.
  package init?(system code: Int32) {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: self = .noRoom
    case EIO, ENXIO, ENODEV, EREMOTEIO: self = .disk
    case ENOMEM: self = .noMemory
    case EMFILE, ENFILE: self = .noFiles
    default: return nil
    }
  }
}

/// An error that knows which fault of the machine it is due to.
package protocol MachineFaultCarrier: Error {
  var machineFault: MachineFault? { get }
}

/// Notes the first fault of the machine that anything meets, whoever catches its error.
package final class MachineFaultWatch: Sendable {
  @TaskLocal package static var own: MachineFaultWatch?
  /// That of a process that does one thing at a time, on whatever threads.
  private static let ofProcess = Mutex<MachineFaultWatch?>(nil)

  private let first = Mutex<MachineFault?>(nil)
  package var fault: MachineFault? { first.withLock(\.self) }

  package init() {}

  /// Makes this the watch of the process.
  package func watchProcess() { Self.ofProcess.withLock { $0 = self } }

  /// The first fault that this one or that of the process has noted.
  package var faultSoFar: MachineFault? { fault ?? Self.faultOfProcess }

  /// The first fault that the watch of the process has noted.
  package static var faultOfProcess: MachineFault? { ofProcess.withLock(\.self)?.fault }

  /// Whether faults are made deliberately, and so aren't the machine's.
  package static let isPaused = Atomic(false)

  package static func note(_ error: any Error) {
    guard !isPaused.load(ordering: .relaxed), let fault = MachineFault(error) else { return }
    for watch in [own, ofProcess.withLock(\.self)] {
      watch?.first.withLock { $0 = $0 ?? fault }
    }
  }

  /// Notes a fault that `body` throws.
  package static func noting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      note(error)
      throw error
    }
  }

  /// Does something of which nothing is known where the machine fails meanwhile.
  /// - Throws: ``MachineFault`` then, else what `body` throws.
  package static func judging<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    let watch = MachineFaultWatch()
    do { return try watch.judged(try await $own.withValue(watch) { try await body() }) } catch {
      throw watch.reason(for: error)
    }
  }

  package static func judgingAtOnce<Result>(_ body: () throws -> Result) throws -> Result {
    let watch = MachineFaultWatch()
    do { return try watch.judged(try $own.withValue(watch) { try body() }) } catch {
      throw watch.reason(for: error)
    }
  }

  private func judged<Result>(_ result: Result) throws -> Result {
    if let fault { throw fault }
    return result
  }

  private func reason(for error: any Error) -> any Error {
    let fault = fault ?? MachineFault(error)
    fault.map { Self.note($0) }
    return fault ?? error
  }
}

extension Data {
  /// Reads a file; a disk that can't be read is noted, whoever catches the error.
  package init(reading file: URL, options: ReadingOptions = []) throws {
    self = try MachineFaultWatch.noting { try Data(contentsOf: file, options: options) }
  }
}
