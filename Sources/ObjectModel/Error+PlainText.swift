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
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError {
      if underlying.domain == NSPOSIXErrorDomain, let code = Int32(exactly: underlying.code) {
        return String(cString: strerror(code))
      }
      return underlying.localizedDescription
    }
    // What Foundation makes of a folder that is read as a file has no reason in it.
    if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileReadUnknown.rawValue {
      return "it is a folder, or the disk can't be read"
    }
    return error.localizedDescription
  }
}
