// The system's functions by which an app's own code moves and removes files, whatever it calls them by:
// `FileManager` comes down to them.
//
// A function of the program itself is found before the C library's of that name by every library that the program
// loads, Foundation and compiled policies among them. So these come first, count the call where there is a plan, and
// pass it on. What SQLite and the engine do by them was counted before.
//
// They are public because an optimized build exports no others.

@_cdecl("rename")
public func interposedRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
  InterposedCall.perform(.rename, path: from, destination: to) { SystemFunctions.rename(from, to) }
}

@_cdecl("link")
public func interposedLink(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
  InterposedCall.perform(.copy, path: from, destination: to) { SystemFunctions.link(from, to) }
}

@_cdecl("unlink")
public func interposedUnlink(_ path: UnsafePointer<CChar>) -> Int32 {
  InterposedCall.perform(.remove, path: path) { SystemFunctions.unlink(path) }
}

@_cdecl("rmdir")
public func interposedRemoveFolder(_ path: UnsafePointer<CChar>) -> Int32 {
  InterposedCall.perform(.remove, path: path) { SystemFunctions.rmdir(path) }
}

// The mode by its width: which of the C library's modules declares mode_t differs from build to build.
@_cdecl("mkdir")
public func interposedMakeFolder(_ path: UnsafePointer<CChar>, _ mode: UInt32) -> Int32 {
  InterposedCall.perform(.folder, path: path) { SystemFunctions.mkdir(path, mode) }
}

/// The C library's own functions.
private enum SystemFunctions {
  typealias OfTwoNames = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  typealias OfAName = @convention(c) (UnsafePointer<CChar>) -> Int32
  typealias OfANameAndMode = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32

  static let rename = function("rename", OfTwoNames.self)
  static let link = function("link", OfTwoNames.self)
  static let unlink = function("unlink", OfAName.self)
  static let rmdir = function("rmdir", OfAName.self)
  static let mkdir = function("mkdir", OfANameAndMode.self)

  /// The function of that name in the libraries after the program itself.
  private static func function<Function>(_ name: String, _ type: Function.Type) -> Function {
    // RTLD_NEXT, which is a cast that Swift doesn't import.
    let next = UnsafeMutableRawPointer(bitPattern: -1)
    guard let symbol = dlsym(next, name) else { fatalError("the C library has no '\(name)'") }
    return unsafeBitCast(symbol, to: type)
  }
}

private enum InterposedCall {
  static func perform(
    _ kind: FilePoint.Kind, path: UnsafePointer<CChar>,
    destination: UnsafePointer<CChar>? = nil,
    body: () -> Int32
  ) -> Int32 {
    guard let plan = FaultPlan.current, !CallDepth.isInside else { return body() }
    let fault = CallDepth.inside {
      plan.meet(
        kind, caller: .app, path: String(cString: path), to: destination.map { String(cString: $0) }
      )
    }
    switch fault {
    case nil, .death: return body()
    case .deathHalfway:
      // There is no half of it: whoever looks finds it done.
      _ = body()
      FaultPlan.die()
    case .failure(let number), .failureHalfway(let number):
      errno = number
      return -1
    }
  }
}
