/// `HealthKit=Stubs/HealthKit.swift`: a Swift file of a module that stands in for one that isn't here.
package struct StubFile: Codable, Sendable, Hashable {
  package let module: String
  package let path: String

  /// - Parameter argument: As on the command line; nil unless it is `NAME=PATH`.
  package init?(argument: String) {
    guard let sign = argument.firstIndex(of: "=") else { return nil }
    module = String(argument[..<sign])
    path = String(argument[argument.index(after: sign)...])
    if module.isEmpty || path.isEmpty { return nil }
  }
}

extension [StubFile] {
  /// The modules in the order in which they were first named, each with its files.
  package var modules: [(name: String, files: [URL])] {
    reduce(into: []) { modules, stub in
      let file = URL(fileURLWithPath: stub.path)
      if let index = modules.firstIndex(where: { $0.name == stub.module }) {
        modules[index].files.append(file)
      } else {
        modules.append((stub.module, [file]))
      }
    }
  }
}
