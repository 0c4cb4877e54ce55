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
    let members = lock.withLock { self.members }
    if members.isEmpty { return [] }
    let chain = sequence(first: type) { (type: AnyClass) -> AnyClass? in _getSuperclass(type) }
    return chain.compactMap { members[ObjectIdentifier($0)] }
  }
}
