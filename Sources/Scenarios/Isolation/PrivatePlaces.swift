/// The `HOME` and the `TMPDIR` of a process that runs foreign code, which nobody else has: an app's code may fill and
/// clear its own.
package struct PrivatePlaces: Codable, Sendable {
  let home: String
  let temporary: String
  /// Where compiled policies are, which is everyone's.
  let cache: String

  /// - Parameter cache: Nil for the usual place.
  /// - Throws: When they can't be made.
  package init(home: URL, temporary: URL, cache: URL? = nil) throws {
    for folder in [home, temporary] { try PrivateFolder.make(folder) }
    (self.home, self.temporary) = (home.path, temporary.path)
    self.cache = try PolicyCache(directory: cache).directory.path
  }

  /// - Parameter temporary: Nil for a folder beside the answer.
  init(_ exchange: ExchangeFiles, temporary: URL?, cache: URL?) throws {
    let own = URL(fileURLWithPath: exchange.folder, isDirectory: true)
    try self.init(
      home: own.appending(path: "home"), temporary: temporary ?? own.appending(path: "tmp"),
      cache: cache)
  }

  /// The variables of a process that isn't confined: what is the tool's own, or the compiler's, stays where it is.
  package func environment(of variables: [String: String]) -> [String: String] {
    var own = variables
    let caches = own["XDG_CACHE_HOME"] ?? own["HOME"].map { $0 + "/.cache" }
    let modules = "CLANG_MODULE_CACHE_PATH"
    own[modules] = own[modules] ?? caches.map { $0 + "/clang/ModuleCache" }
    own[ProjectPlace.homeVariable] = own[ProjectPlace.homeVariable] ?? own["HOME"]
    // These would come before `HOME`.
    for name in own.keys where name.hasPrefix("XDG_") { own[name] = nil }
    set(in: &own)
    return own
  }

  func set(in variables: inout [String: String]) {
    // Foundation asks for the second one first, and without it for what the system knows of the user.
    for name in ["HOME", "CFFIXED_USER_HOME"] { variables[name] = home }
    variables["TMPDIR"] = temporary
    variables[PolicyCache.variable] = cache
  }
}
