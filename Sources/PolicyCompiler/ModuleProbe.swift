import Synchronization

/// Which of the modules that sources import the compiler finds by itself.
///
/// `Dispatch`, `XCTest` and others come with Swift; which, only the compiler knows.
struct ModuleProbe {
  let toolchain: SwiftToolchain
  let workspace: URL

  /// Those of `modules` that aren't there.
  func missing(_ modules: Set<String>) async throws -> Set<String> {
    let known = Self.known.withLock { $0[toolchain.compiler] ?? [:] }
    let unknown = modules.filter { known[$0] == nil }
    if !unknown.isEmpty {
      let missing = try await ask(unknown)
      Self.known.withLock { known in
        for module in unknown {
          known[toolchain.compiler, default: [:]][module] = !missing.contains(module)
        }
      }
      return missing.union(modules.filter { known[$0] == false })
    }
    return modules.filter { known[$0] == false }
  }

  /// By compiler and module, whether it is there.
  private static let known = Mutex<[String: [String: Bool]]>([:])

  private func ask(_ modules: Set<String>) async throws -> Set<String> {
    let questions = modules.sorted().map {
      "#if !canImport(\($0))\n#warning(\"missing \($0)\")\n#endif\n"
    }
    let file = workspace.appendingPathComponent("probe.swift")
    try Data(questions.joined().utf8).write(to: file)
    let result = try await toolchain.run([
      "-typecheck", "-module-name", "Probe", "-diagnostic-style", "llvm", file.path,
    ])
    let messages = PolicyDiagnostic.all(in: result.output).map(\.message)
    guard result.succeeded else {
      throw PolicyCompilationError(module: "Probe", compilerOutput: result.output)
    }
    return modules.filter { messages.contains("missing \($0)") }
  }
}
