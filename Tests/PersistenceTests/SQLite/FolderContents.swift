import Persistence
import TestSupport

extension TemporaryFolder {
  /// All files below the folder by path, with their bytes.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
      let file = url.appending(path: path)
      contents[path] = (try? Data(contentsOf: file)) ?? Data()
    }
    return contents
  }
}
