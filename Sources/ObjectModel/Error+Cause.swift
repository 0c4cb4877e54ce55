extension Error {
  /// The error as the cause of another: one of the system's about a file in a few words, instead of
  /// with all that Foundation knows about it.
  var cause: String {
    let error = self as NSError
    let behind = error.userInfo[NSUnderlyingErrorKey] as? NSError
    guard !(self is CoreDataError),
      let system = [error, behind].compactMap({ $0 }).first(where: {
        $0.domain == NSPOSIXErrorDomain
      })
    else { return "\(self)" }
    let reason = String(cString: strerror(Int32(truncatingIfNeeded: system.code)))
    let path = error.userInfo[NSFilePathErrorKey] as? String
    return path.map { "\(reason): \($0)" } ?? reason
  }
}
