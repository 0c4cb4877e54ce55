import Synchronization

/// What code generated for an app makes known of members of its classes, which the Objective-C runtime finds by their
/// names. A class has its superclasses' members, unless it has its own.
/// Sendable unchecked: members are only ever inside of the lock.
package final class ClassRegister<Member>: @unchecked Sendable {
  private let lock = NSLock()
  private var members: [ObjectIdentifier: [String: Member]] = [:]

  package init() {}

  package func add(_ member: Member, named name: String, to type: AnyClass) {
    lock.withLock { members[ObjectIdentifier(type), default: [:]][name] = member }
  }

  /// A member of a class or of the nearest superclass that has it.
  package func member(_ name: String, of type: AnyClass) -> Member? {
    lists(of: type).lazy.compactMap { $0[name] }.first
  }

  /// All members of a class and its superclasses.
  package func members(of type: AnyClass) -> [String: Member] {
    lists(of: type).reduce(into: [:]) { $0.merge($1) { own, _ in own } }
  }

  private func lists(of type: AnyClass) -> [[String: Member]] {
    GenericClasses.prepare(type)
    let members = lock.withLock { self.members }
    if members.isEmpty { return [] }
    let chain = sequence(first: type) { (type: AnyClass) -> AnyClass? in _getSuperclass(type) }
    return chain.compactMap { members[ObjectIdentifier($0)] }
  }
}

/// The generic classes of an app: what registers know of one is noted for each class made of it, when that is
/// first looked for.
public enum GenericClasses {
  // Sendable unchecked: only ever inside of its mutex.
  private struct Register: @unchecked Sendable {
    var notes: [(AnyClass) -> Void] = []
    var prepared: Set<ObjectIdentifier> = []
  }
  private static let register = Mutex(Register())
  private static let isUsed = Atomic(false)

  /// - Parameter note: Notes what is known of a class, if that is made of the generic class.
  public static func add(_ note: @escaping @Sendable (AnyClass) -> Void) {
    register.withLock {
      $0.notes.append(note)
      $0.prepared = []
    }
    isUsed.store(true, ordering: .releasing)
  }

  fileprivate static func prepare(_ type: AnyClass) {
    guard isUsed.load(ordering: .acquiring) else { return }
    register.withLock { register in
      guard register.prepared.insert(ObjectIdentifier(type)).inserted else { return }
      for note in register.notes { note(type) }
    }
  }
}
