/// What code may ask of the world around it: the time, and chance. Whoever runs foreign code may fix
/// both; else they are the machine's.
///
/// Of use to one thread.
/// Sendable unchecked: bound to the task that runs the foreign code.
public final class Surroundings: @unchecked Sendable {
  private let fixedTime: Date?
  private let makeChance: (() -> any RandomNumberGenerator)?
  private var chance: (any RandomNumberGenerator)?
  /// Whether anybody was told the machine's time: what was made of it is outdated later.
  public private(set) var hasToldTime = false

  /// - Parameters:
  ///   - time: The time, for good; nil for the machine's.
  ///   - chance: Makes a source of chance that always begins in the same way; nil for the machine's.
  public init(time: Date?, chance: (() -> any RandomNumberGenerator)?) {
    fixedTime = time
    makeChance = chance
    self.chance = chance?()
  }

  /// Those of the code that runs on this task.
  @TaskLocal public static var own: Surroundings?

  /// Lets chance begin anew: the steps of a chain don't depend on which others were executed before.
  public func restartChance() { chance = makeChance?() }

  public static var now: Date { own?.time ?? Date() }

  private var time: Date {
    if let fixedTime { return fixedTime }
    hasToldTime = true
    return Date()
  }

  fileprivate func random() -> UInt64? { chance?.next() }
}

/// Chance as the surroundings have it.
public struct SurroundingChance: RandomNumberGenerator {
  public init() {}

  public mutating func next() -> UInt64 {
    Surroundings.own?.random() ?? UInt64.random(in: .min ... .max)
  }

  /// A UUID of random bits (version 4).
  public static func uuid() -> UUID {
    guard Surroundings.own != nil else { return UUID() }
    var chance = SurroundingChance()
    var bytes = (chance.next(), chance.next())
    return withUnsafeMutableBytes(of: &bytes) { bytes in
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
      return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }
}
