/// A thread of the system, which may refuse it. It is to be joined or detached, once.
package struct SystemThread {
  private let thread: pthread_t

  /// Starts it.
  /// - Returns: Nil where no thread can be had.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits until it has ended.
  package func join() { pthread_join(thread, nil) }

  /// Lets it go on alone.
  package func detach() { pthread_detach(thread) }

  private final class Body {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
