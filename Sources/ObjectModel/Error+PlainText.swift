extension Error {
  /// The reason alone, without the wrapping that Foundation puts around file errors.
  package var plainText: String {
    let error = self as NSError
    switch (error.domain, error.code) {
    case (NSCocoaErrorDomain, NSFileReadNoSuchFileError): return "no such file"
    case (NSCocoaErrorDomain, CocoaError.fileNoSuchFile.rawValue):
      return "no such file or folder"
    case (NSCocoaErrorDomain, NSFileReadNoPermissionError): return "no permission"
    case (NSCocoaErrorDomain, NSFileWriteFileExistsError):
      return "a file with the folder's name is in the way; choose another path"
    case (NSPOSIXErrorDomain, let code):
      return String(cString: strerror(Int32(truncatingIfNeeded: code)))
    default: break
    }
    if let reason = error.userInfo[NSUnderlyingErrorKey] as? any Error,
      (reason as NSError).domain == NSPOSIXErrorDomain
    {
      return reason.plainText
    }
    return error.localizedDescription
  }
}
