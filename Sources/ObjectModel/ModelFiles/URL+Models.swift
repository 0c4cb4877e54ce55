extension URL {
  /// The last component without suffix: the name of a model or version.
  package var baseName: String { deletingPathExtension().lastPathComponent }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  package var isFolder: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// What a folder holds, hidden files left out, in order of names.
  /// - Throws: ``ModelFileError`` when it can't be read.
  func members() throws(ModelFileError) -> [URL] {
    do {
      return try FolderSearch.members(of: self)
    } catch {
      throw ModelFileError(.unreadable(error.plainText), file: path)
    }
  }
}

extension Data {
  /// - Throws: ``ModelFileError`` when the file can't be read.
  init(modelFile file: URL) throws(ModelFileError) {
    do {
      self = try Data(reading: file)
    } catch {
      throw ModelFileError(.unreadable(error.plainText), file: file.path)
    }
  }
}
