// Using objects that somebody else keeps meanwhile, without counting references to them: what is done
// for each of a million objects would spend most of its time on that. Debug builds keep the object
// nevertheless, and stop where nobody else does afterwards.

/// Does something with an object that somebody keeps until it is done.
@inlinable @inline(__always)
package func withoutRetaining<Object: AnyObject, Result>(
  _ object: @autoclosure () throws -> Object, _ body: (Object) throws -> Result
) rethrows -> Result {
  try Unmanaged.passUnretained(object()).use(body)
}

extension Unmanaged {
  /// Does something with the object, which somebody keeps until it is done.
  @inlinable @inline(__always)
  package func use<Result>(_ body: (Instance) throws -> Result) rethrows -> Result {
    #if DEBUG
      var kept = takeUnretainedValue()
      defer {
        precondition(!isKnownUniquelyReferenced(&kept), "nobody kept an object that was in use")
      }
      return try body(kept)
    #else
      return try _withUnsafeGuaranteedRef(body)
    #endif
  }
}

extension Array where Element: AnyObject {
  /// Calls `body` with each element. The array must stay as it is meanwhile.
  @inlinable @inline(__always)
  package func forEachWithoutRetaining(_ body: (Element) throws -> Void) rethrows {
    try withUnsafeBufferPointer { elements in
      try elements.withMemoryRebound(to: Unmanaged<Element>.self) { references in
        for reference in references { try reference.use(body) }
      }
    }
  }
}
