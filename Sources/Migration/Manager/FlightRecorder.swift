package import Synchronization

/// Says which hook runs for which object, in a file that outlives the process.
///
/// A policy may stop the process it runs in: by a trap, by a loop that somebody has to end, by
/// eating all memory. Whoever started the process then reads from the file where it was. Writing
/// is a few stores into mapped memory, so it can be done for every object.
///
/// Written by the one thread that migrates; others may ask which hook runs.
package final class FlightRecorder: @unchecked Sendable {
  /// The recorder of what runs in this task or, failing that, in this process; nil, as in most
  /// processes, when nobody wants to know.
  package static var current: FlightRecorder? { own ?? ofProcess.withLock(\.self) }
  /// The recorder of one of several runs in a process. Threads that a policy starts itself don't know it.
  @TaskLocal package static var own: FlightRecorder?
  private static let ofProcess = Mutex<FlightRecorder?>(nil)

  private static let size = 4096
  private static let textStart = 32
  /// The hook's number, the row's key, and the lengths of the two texts.
  private let memory: UnsafeMutableRawPointer
  private var mapping: ObjectIdentifier?
  private var entity: ObjectIdentifier?
  private var mappingEnd = 0
  /// Counts the calls of hooks, and once more when the last one has come back.
  package var hookNumber: Int { calls.load(ordering: .relaxed) }
  private let calls = Atomic<Int>(0)
  package var isInHook: Bool { runsHook.load(ordering: .relaxed) }
  private let runsHook = Atomic<Bool>(false)
  /// The hook that was called last.
  package private(set) var lastHook: MigrationTrace.Event.Kind?
  /// Where a hook met an error last.
  package let lastSight = Mutex<Sight?>(nil)

  /// Where in a policy a hook was when it met an error.
  package struct Sight: Sendable {
    /// Which call of a hook it was in.
    package let hookNumber: Int
    /// Whether the error comes to light only when the hook has returned, before any that it throws.
    package let isRaised: Bool
    /// What was on the stack of policies, the innermost first.
    package let addresses: [UInt]

    package init(hookNumber: Int, isRaised: Bool, addresses: [UInt]) {
      self.hookNumber = hookNumber
      self.isRaised = isRaised
      self.addresses = addresses
    }
  }

  /// Makes the file.
  /// - Throws: A POSIX error when it can't be written.
  package init(file: URL) throws {
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    // Room that isn't there shows now, and not as a signal when it is written to.
    let code = posix_fallocate(descriptor, 0, off_t(Self.size))
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    let mapped = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    memory = mapped
  }

  deinit { munmap(memory, Self.size) }

  /// Makes this the recorder of the process.
  package func recordProcess() { Self.ofProcess.withLock { $0 = self } }

  // MARK: Writing

  func enter(
    _ kind: MigrationTrace.Event.Kind, _ mapping: EntityMapping, object: ManagedObject? = nil
  ) {
    calls.wrappingAdd(1, ordering: .relaxed)
    if self.mapping != ObjectIdentifier(mapping) { write(mapping) }
    if let object {
      if entity != ObjectIdentifier(object.entity) { write(object.entity) }
      memory.storeBytes(of: object.objectID.primaryKey, toByteOffset: 8, as: Int64.self)
    } else {
      memory.storeBytes(of: 0, toByteOffset: 8, as: Int64.self)
    }
    lastHook = kind
    note(kind.recordNumber)
  }

  /// Says that a stage's handler runs.
  func enter(_ kind: MigrationTrace.Event.Kind, ofStage name: String) {
    calls.wrappingAdd(1, ordering: .relaxed)
    mapping = nil
    write(mappingNamed: name)
    memory.storeBytes(of: 0, toByteOffset: 8, as: Int64.self)
    lastHook = kind
    note(kind.recordNumber)
  }

  /// Says that no hook runs, and that the last one came back.
  func leave() {
    calls.wrappingAdd(1, ordering: .relaxed)
    stop()
  }

  /// Says that no hook runs, be it that an error ended the last one.
  func stop() { note(0) }

  @inline(__always)
  private func note(_ hook: UInt8) {
    memory.storeBytes(of: hook, toByteOffset: 0, as: UInt8.self)
    runsHook.store(hook != 0, ordering: .relaxed)
  }

  private func write(_ mapping: EntityMapping) {
    self.mapping = ObjectIdentifier(mapping)
    write(mappingNamed: mapping.name ?? "")
  }

  private func write(mappingNamed name: String) {
    entity = nil
    mappingEnd = write(name, at: Self.textStart, lengthAt: 16)
    memory.storeBytes(of: 0, toByteOffset: 18, as: UInt16.self)
  }

  private func write(_ entity: EntityDescription) {
    self.entity = ObjectIdentifier(entity)
    _ = write(entity.name, at: mappingEnd, lengthAt: 18)
  }

  /// Long names are cut: a half is better than none.
  private func write(_ text: String, at start: Int, lengthAt place: Int) -> Int {
    let bytes = Array(text.utf8.prefix(1500))
    bytes.withUnsafeBytes {
      memory.advanced(by: start).copyMemory(
        from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
    }
    memory.storeBytes(of: UInt16(bytes.count), toByteOffset: place, as: UInt16.self)
    return start + bytes.count
  }

  // MARK: Reading

  /// What a process was doing.
  package struct Entry: Equatable, Sendable {
    package let hook: String
    package let entityMapping: String
    /// The entity and the key of the row, where the hook was called for an object.
    package let entity: String?
    package let primaryKey: Int64?
  }

  /// Reads what the process that wrote a file was doing last; nil when no hook ran.
  package static func lastEntry(in file: URL) -> Entry? {
    // Without it the report says only how the process ended.
    guard let data = try? FileCalls.readOrdinaryFile(file, atMost: size), data.count == size
    else { return nil }
    return data.withUnsafeBytes { bytes in
      let number = bytes.load(fromByteOffset: 0, as: UInt8.self)
      let kind = MigrationTrace.Event.Kind.allCases.first { $0.recordNumber == number }
      guard let kind else { return nil }
      let key = bytes.load(fromByteOffset: 8, as: Int64.self)
      let mappingEnd = textStart + Int(bytes.load(fromByteOffset: 16, as: UInt16.self))
      let end = mappingEnd + Int(bytes.load(fromByteOffset: 18, as: UInt16.self))
      guard end <= size else { return nil }
      let mapping = String(decoding: bytes[textStart..<mappingEnd], as: UTF8.self)
      let entity = String(decoding: bytes[mappingEnd..<end], as: UTF8.self)
      let isForObject = key != 0 && !entity.isEmpty
      return Entry(
        hook: kind.rawValue, entityMapping: mapping,
        entity: isForObject ? entity : nil, primaryKey: isForObject ? key : nil)
    }
  }
}

extension MigrationTrace.Event.Kind {
  /// How a record says which hook runs; 0 is none. Written for every object, so nothing is looked
  /// up for it.
  fileprivate var recordNumber: UInt8 {
    switch self {
    case .begin: 1
    case .createDestinationInstances: 2
    case .endInstanceCreation: 3
    case .createRelationships: 4
    case .endRelationshipCreation: 5
    case .performCustomValidation: 6
    case .end: 7
    case .validate: 8
    case .save: 9
    case .cancel: 10
    case .warning: 11
    case .willMigrate: 12
    case .didMigrate: 13
    }
  }
}
