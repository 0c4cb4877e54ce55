/// What a run in a process of its own may take.
public struct RunLimits: Sendable {
  /// Wall-clock seconds.
  public var seconds: Double
  /// Resident bytes.
  public var bytes: Int

  public init(seconds: Double = RunLimits.defaultSeconds, bytes: Int = RunLimits.defaultBytes) {
    self.seconds = seconds
    self.bytes = bytes
  }

  /// Long enough for any real run, and short enough for somebody who waits.
  public static let defaultSeconds = 600.0

  /// Half of the machine's memory: enough for any real run, and the machine goes on working.
  public static var defaultBytes: Int { Int(ProcessInfo.processInfo.physicalMemory / 2) }
}
