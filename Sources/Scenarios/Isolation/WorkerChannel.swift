/// One end of the line between a process and its worker, over which whole messages go.
struct WorkerChannel: Sendable {
  let descriptor: Int32

  /// The two ends of a new line, closed in programs that either process starts.
  static func pair() throws -> (here: WorkerChannel, there: WorkerChannel) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Self.error() }
    return (WorkerChannel(descriptor: ends[0]), WorkerChannel(descriptor: ends[1]))
  }

  /// The end that this process was started with. Standard input is empty afterwards: a policy that
  /// reads from it must not read requests.
  static func takingStandardInput() throws -> WorkerChannel {
    let moved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard moved >= 0 else { throw Self.error() }
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0, dup2(nothing, STDIN_FILENO) >= 0 else { throw Self.error() }
    close(nothing)
    return WorkerChannel(descriptor: moved)
  }

  /// - Throws: When the other end is closed; that raises no signal.
  func send(_ message: Data) throws {
    let count = message.withUnsafeBytes {
      Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count == message.count else { throw Self.error() }
  }

  /// What a worker says.
  enum Word: Equatable {
    /// It did what it was asked, and waits.
    case answered
    /// It goes on.
    case remark(Data)
    /// What it did says nothing, for the machine failed.
    case unjudged(MachineFault)
  }

  func send(_ word: Word) throws {
    switch word {
    case .answered: try send(Data([1]))
    case .remark(let data): try send(Data([2]) + data)
    case .unjudged(let fault):
      try send(
        Data([3]) + JSONEncoder().encode(MachineFault(fault.kind, String(fault.text.prefix(1000)))))
    }
  }

  /// The worker's next word; nil when the other end is closed.
  func receiveWord() throws -> Word? {
    guard let message = try receive() else { return nil }
    let rest = Data(message.dropFirst())
    switch message.first {
    case 1: return .answered
    case 3: return .unjudged(try ProcessAnswer.decode(rest))
    default: return .remark(rest)
    }
  }

  /// The next message; nil when the other end is closed.
  func receive() throws -> Data? {
    // A look tells how long it is, and leaves it there.
    let look = Int32(MSG_PEEK) | Int32(MSG_TRUNC)
    let length = try received { recv(descriptor, nil, 0, look) }
    guard let length else { return nil }
    var message = Data(count: length)
    let count = try message.withUnsafeMutableBytes { buffer in
      try received { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }
    return count.map { message.prefix($0) }
  }

  /// What a call that receives gives; nil when the other end is closed.
  private func received(_ call: () -> Int) throws -> Int? {
    while true {
      let count = call()
      if count > 0 { return count }
      if count == 0 || errno == ECONNRESET { return nil }
      guard errno == EINTR else { throw Self.error() }
    }
  }

  /// Waits until there is something to receive, or the other end is closed.
  /// - Returns: False when the time is over first.
  func waitForMessage(milliseconds: Int32) -> Bool {
    var request = pollfd(descriptor: descriptor)
    return poll(&request, 1, milliseconds) != 0
  }

  /// Ends this process some time after the other end is gone, whatever it is doing by then: nobody
  /// would ever end a policy that loops.
  func endProcessWhenAbandoned() {
    let descriptor = descriptor
    let isWatched = Threads.start {
      var request = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&request, 1, -1) < 0, errno == EINTR {}
      // A worker that is only dismissed ends by itself.
      sleep(Self.secondsForLeaving)
      _Exit(1)
    }
    if !isWatched { _Exit(1) }
  }

  private static let secondsForLeaving: UInt32 = 2

  func hangUp() { close(descriptor) }

  private static func error() -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}

extension pollfd {
  fileprivate init(descriptor: Int32) {
    self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }
}
