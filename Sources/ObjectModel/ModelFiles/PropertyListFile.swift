/// Reads the property lists beside models.
enum PropertyListFile {
  /// - Throws: ``ModelFileError`` when the file can't be read, or is no property list with keys.
  static func dictionary(in file: URL) throws(ModelFileError) -> [String: Any] {
    let data = try Data(modelFile: file)
    let plist: Any
    do {
      plist = try data.propertyList()
    } catch {
      throw ModelFileError(.badPropertyList, file: file.path)
    }
    guard let dictionary = plist as? [String: Any] else {
      throw ModelFileError(.badPropertyList, file: file.path)
    }
    return dictionary
  }
}

extension ModelFileError {
  /// The error for a file that names a version which isn't there, at the place of that name.
  static func missingCurrentVersion(_ name: String, in file: URL) -> ModelFileError {
    // Only for the line in the error.
    let place = (try? Data(contentsOf: file)).flatMap { SourcePlaces($0).place(of: name) }
    return ModelFileError(
      .missingCurrentVersion(name), file: file.path, line: place?.line, column: place?.column)
  }
}
