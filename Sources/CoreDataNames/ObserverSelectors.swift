import Synchronization

/// The methods by which objects of an app hear of notifications, as the Objective-C runtime would find them:
/// made known by code that is generated when the app's sources are compiled.
public enum ObserverSelectors {
  typealias Method = (AnyObject, Notification) -> Void

  // Sendable unchecked: only ever inside of its mutex.
  private struct Register: @unchecked Sendable {
    var tokens: [ObjectIdentifier: [Token]] = [:]
  }
  private static let register = Mutex(Register())
  private static let methods = ClassRegister<Method>()

  /// What a notification center knows an observer by, as long as that is there.
  fileprivate struct Token {
    weak var observer: AnyObject?
    let center: NotificationCenter
    let name: Notification.Name?
    let object: ObjectIdentifier?
    let token: any NSObjectProtocol
  }

  /// - Parameters:
  ///   - selector: The method's; `#selector` without parentheses gives its first name alone.
  public static func add<Observer: AnyObject>(
    _ type: Observer.Type, _ selector: String, _ name: String,
    _ body: @escaping (Observer, Notification) -> Void
  ) {
    let method: Method = { body(unsafeDowncast($0, to: Observer.self), $1) }
    // A method without arguments is its own first name.
    for name in [name, selector] { methods.add(method, named: name, to: type) }
  }

  fileprivate static func method(_ selector: String, of observer: AnyObject) -> Method? {
    methods.member(selector, of: Swift.type(of: observer))
  }

  fileprivate static func keep(_ token: Token, of observer: AnyObject) {
    let entry = Register(tokens: [ObjectIdentifier(observer): [token]])
    register.withLock { register in
      // Another object may have come to the place of one that is gone.
      register.tokens = register.tokens.compactMapValues { tokens in
        let living = tokens.filter { $0.observer != nil }
        return living.isEmpty ? nil : living
      }
      register.tokens.merge(entry.tokens) { $0 + $1 }
    }
  }

  fileprivate static func take(
    of observer: AnyObject, _ isWanted: (Token) -> Bool
  ) -> [any NSObjectProtocol] {
    let all = register.withLock { $0 }.tokens[ObjectIdentifier(observer)] ?? []
    let taken = Set(all.indices.filter { isWanted(all[$0]) })
    let kept = Register(
      tokens: [
        ObjectIdentifier(observer): all.indices.filter { !taken.contains($0) }.map { all[$0] }
      ])
    register.withLock { $0.tokens.merge(kept.tokens) { _, kept in kept } }
    return taken.map { all[$0].token }
  }
}

extension NotificationCenter {
  /// Has a method of an object called for notifications, until the object is removed or gone. A method that isn't
  /// known raises when it is to be called.
  public func addObserver(
    _ observer: Any, selector aSelector: Selector, name aName: NSNotification.Name?,
    object anObject: Any?
  ) {
    let target = observer as AnyObject
    let call = { [weak target] (notification: Notification) in
      guard let target else { return }
      if let method = ObserverSelectors.method(aSelector.name, of: target) {
        return method(target, notification)
      }
      ExceptionTrap.raise(
        CoreDataError(
          .coreData,
          "-[\(type(of: target)) \(aSelector.name)]: unrecognized selector sent to instance",
          advice: "Declare the method @objc, with one parameter of type Notification, or none."))
    }
    // As on a device, what it uses is the observer's affair.
    nonisolated(unsafe) let told = call
    let token = addObserver(forName: aName, object: anObject, queue: nil) { told($0) }
    let object = anObject.map { ObjectIdentifier($0 as AnyObject) }
    ObserverSelectors.keep(
      .init(observer: target, center: self, name: aName, object: object, token: token), of: target)
  }

  /// Ends the observing of an object that observes by a method; a token of a closure is Foundation's.
  public func removeObserver(_ observer: AnyObject) {
    for token in ObserverSelectors.take(of: observer, { $0.center === self }) {
      removeObserver(token as Any)
    }
    removeObserver(observer as Any)
  }

  public func removeObserver(
    _ observer: AnyObject, name aName: NSNotification.Name?, object anObject: Any?
  ) {
    let object = anObject.map { ObjectIdentifier($0 as AnyObject) }
    let tokens = ObserverSelectors.take(of: observer) {
      $0.center === self && (aName == nil || $0.name == aName)
        && (object == nil || $0.object == object)
    }
    for token in tokens { removeObserver(token as Any) }
    removeObserver(observer as Any, name: aName, object: anObject)
  }
}

extension NotificationCenter {
  /// The notifications of a name, as they are posted from the time on at which somebody begins to wait for them.
  public func notifications(
    named name: Notification.Name, object: AnyObject? = nil
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  // Sendable unchecked: the object is only compared.
  public struct Notifications: AsyncSequence, @unchecked Sendable {
    fileprivate let center: NotificationCenter
    fileprivate let name: Notification.Name
    fileprivate let object: AnyObject?

    public func makeAsyncIterator() -> AsyncStream<Notification>.Iterator {
      AsyncStream { stream in
        let token = center.addObserver(forName: name, object: object, queue: nil) { told in
          nonisolated(unsafe) let told = told
          stream.yield(told)
        }
        nonisolated(unsafe) let ending = token
        stream.onTermination = { [center] _ in center.removeObserver(ending) }
      }.makeAsyncIterator()
    }
  }
}

// MARK: - Optional requirements

/// The members by which an app's classes meet optional requirements of its `@objc` protocols.
public enum OptionalMembers {
  private static let members = ClassRegister<(AnyObject) -> Any>()

  public static func add<Owner: AnyObject>(
    _ type: Owner.Type, _ name: String, _ member: @escaping (Owner) -> Any
  ) {
    members.add({ member(unsafeDowncast($0, to: Owner.self)) }, named: name, to: type)
  }

  /// The property, or the method bound to the object; nil if its class has none.
  public static func member<Member>(_ name: String, of object: AnyObject) -> Member? {
    guard let member = members.member(name, of: Swift.type(of: object)) else { return nil }
    if let member = member(object) as? Member { return member }
    fatalError("\(type(of: object)).\(name) isn't declared as its protocol has it")
  }
}
