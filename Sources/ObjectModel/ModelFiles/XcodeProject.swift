/// An Xcode project's file, as far as it tells of models, and of the modules that files are compiled into.
package struct XcodeProject {
  private let objects: [String: [String: Any]]
  private let root: URL

  /// - Returns: Nil for one that can't be read, which says nothing.
  package init?(at url: URL) {
    guard let data = try? Data(reading: url.appending(path: "project.pbxproj")),
      let content = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let objects = (content as? [String: Any])?["objects"] as? [String: [String: Any]]
    else { return nil }
    self.objects = objects
    root = url.deletingLastPathComponent()
  }

  private func all(_ kind: String) -> [(id: String, object: [String: Any])] {
    objects.filter { $1["isa"] as? String == kind }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  private func list(_ object: [String: Any]?, _ key: String) -> [String] {
    object?[key] as? [String] ?? []
  }

  // MARK: Versions

  /// The current version, where a project names one that is there.
  static func currentVersion(
    of model: URL, among names: [String]
  ) -> (version: String, project: String)? {
    first(above: model) { versions, current in
      current.flatMap { names.contains($0) ? $0 : nil }
    }
  }

  /// All versions of a model, the oldest first: Xcode adds a new one at the top of its group, and makes it the current one.
  package static func versions(
    of model: URL, among names: [String]
  ) -> (versions: [String], project: String)? {
    first(above: model) { versions, current in
      let isWhole = Set(versions) == Set(names) && versions.count == names.count
      return isWhole && current == versions.first ? versions.reversed() : nil
    }
  }

  /// Looks in the folders above the model, the nearest first.
  private static func first<Found>(
    above model: URL, _ found: ([String], String?) -> Found?
  ) -> (Found, project: String)? {
    var folder = model.deletingLastPathComponent()
    for _ in 0..<8 {
      // A folder that can't be read says nothing. Folders may hold thousands of files.
      let members = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for member in members.filter({ $0.hasSuffix(".xcodeproj") }).sorted() {
        if let project = XcodeProject(at: folder.appending(path: member)),
          let (versions, current) = project.group(of: model.lastPathComponent),
          let fact = found(versions, current)
        {
          return (fact, member)
        }
      }
      if folder.path == "/" { break }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// `… = { isa = XCVersionGroup; children = (ID, …); currentVersion = ID; path = App.xcdatamodeld; … }`
  private func group(of model: String) -> (versions: [String], current: String?)? {
    func name(_ id: String) -> String? {
      (objects[id]?["path"] as? String).map { URL(fileURLWithPath: $0).baseName }
    }
    let group = all("XCVersionGroup").map(\.object).first {
      ($0["path"] as? NSString)?.lastPathComponent == model
    }
    return group.map {
      (list($0, "children").compactMap(name), ($0["currentVersion"] as? String).flatMap(name))
    }
  }

  // MARK: Modules

  /// The modules of the targets that have files, by the files' places, and by those of folders all of whose files a target
  /// has; an empty name for a module whose name isn't known.
  package func modules() -> [(place: URL, module: String)] {
    let project = all("PBXProject").first?.object
    let places = places(below: project?["mainGroup"] as? String ?? "")
    return all("PBXNativeTarget").flatMap { id, target in
      let modules = modules(of: target, in: project)
      let phases = list(target, "buildPhases").map { objects[$0] }
      let files = phases.filter { $0?["isa"] as? String == "PBXSourcesBuildPhase" }
        .flatMap { list($0, "files") }.compactMap { objects[$0]?["fileRef"] as? String }
      return (files + list(target, "fileSystemSynchronizedGroups")).flatMap { id in
        // Of a folder with exceptions single files are another target's, or nobody's.
        let isWhole = list(objects[id], "exceptions").isEmpty
        return (isWhole ? modules : [""]).compactMap { name in places[id].map { ($0, name) } }
      }
    }
  }

  /// By identifier. A group that a broken file puts into itself counts once.
  private func places(below group: String) -> [String: URL] {
    var found: [String: URL] = [:]
    var waiting = [(group, root)]
    while let (id, folder) = waiting.popLast() {
      guard found[id] == nil, let object = objects[id] else { continue }
      let isOfRoot = object["sourceTree"] as? String == "SOURCE_ROOT"
      let path = object["path"] as? String
      let place = path.map { (isOfRoot ? root : folder).appending(path: $0) } ?? folder
      found[id] = place
      waiting += list(object, "children").map { ($0, place) }
    }
    return found
  }

  /// A target's module by its configurations, in which the target's own settings count before those of the project.
  private func modules(of target: [String: Any], in project: [String: Any]?) -> Set<String> {
    func configurations(_ owner: [String: Any]?) -> [[String: Any]] {
      let id = owner?["buildConfigurationList"] as? String ?? ""
      return list(objects[id], "buildConfigurations").compactMap { objects[$0] }
    }
    let common = configurations(project)
    let names = configurations(target).map { own -> String in
      let levels = [own] + common.filter { $0["name"] as? String == own["name"] as? String }
      var product = target["name"] as? String ?? ""
      for key in ["PRODUCT_NAME", "PRODUCT_MODULE_NAME"] {
        guard let level = levels.first(where: { value(key, in: $0) != nil }) else { continue }
        product = (value(key, in: level) ?? "")
          .replacing(/\$[({]TARGET_NAME[^)}]*[)}]/, with: target["name"] as? String ?? "")
          .replacing(/\$[({]PRODUCT_NAME[^)}]*[)}]/, with: product)
      }
      return product.contains("$") ? "" : Self.identifier(product)
    }
    return names.isEmpty ? [""] : Set(names)
  }

  /// A setting of a configuration; `$` where a file of settings may have it.
  private func value(_ key: String, in configuration: [String: Any]) -> String? {
    if let own = (configuration["buildSettings"] as? [String: Any])?[key] as? String { return own }
    let file = objects[configuration["baseConfigurationReference"] as? String ?? ""]
    // Those of CocoaPods have none.
    return (file?["path"] as? String).flatMap { $0.contains("Pods-") ? nil : "$" }
  }

  /// A name as that of a Swift module.
  package static func identifier(_ name: String) -> String {
    let text = name.replacing(/[^\p{L}\p{N}_]/, with: "_")
    return text.first?.isNumber == true ? "_" + text.dropFirst() : text
  }
}
