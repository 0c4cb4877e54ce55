import Synchronization

/// What the engine has to say about a use that is accepted though it is obsolete: on standard error,
/// and each thing once in a process.
package final class Warnings: Sendable {
  package enum Kind: Sendable {
    case confinement

    package var text: String {
      switch self {
      case .confinement:
        "NSConfinementConcurrencyType is obsolete: the context is used on the thread that made it; "
          + "use a private queue or the main queue"
      }
    }
  }

  package static let shared = Warnings()
  private let log = Mutex<[Kind]>([])
  private let write: @Sendable (String) -> Void

  package init(
    write: @escaping @Sendable (String) -> Void = {
      // Where nobody can read it, the program goes on.
      try? FileHandle.standardError.write(contentsOf: Data("warning: \($0)\n".utf8))
    }
  ) {
    self.write = write
  }

  /// What was warned of.
  package var given: [Kind] { log.withLock { $0 } }

  package func warnOnce(_ kind: Kind) {
    let isNew = log.withLock { log in
      if log.contains(kind) { return false }
      log.append(kind)
      return true
    }
    if isNew { write(kind.text) }
  }
}
