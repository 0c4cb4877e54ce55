/// Tells for names that the compiler doesn't find from which module they are, and what to do.
struct MissingNames {
  /// The imports by file that became others, since the module isn't there.
  let taken: [String: [SourceImport]]
  /// Imports of stand-ins, which have only a few names.
  let standIns: [String: [SourceImport]]

  init(_ sources: [PolicySource], missing: Set<String>, given: Set<String>) {
    taken = Dictionary(
      sources.map { ($0.path, $0.imports.filter { missing.contains($0.module) }) },
      uniquingKeysWith: +)
    standIns = Dictionary(
      sources.map { source in
        let imports = source.imports.filter {
          FrameworkModules.isStandIn($0.module) && !given.contains($0.module)
        }
        return (source.path, imports)
      }, uniquingKeysWith: +)
  }

  /// Adds to an error what is known of the names in it.
  func explain(_ error: inout PolicyCompilationError) {
    var owners: [String] = []
    error.diagnostics = error.diagnostics.flatMap { diagnostic in
      guard let (module, text) = remark(on: diagnostic) else { return [diagnostic] }
      var diagnostic = diagnostic
      if let module {
        owners.append(module)
        diagnostic.origin = origin(of: diagnostic, known: module)
      }
      var note = diagnostic
      note.origin = nil
      note.severity = .note
      note.message = text
      return [diagnostic, note]
    }.uniqued()
    if let module = owners.first { error.advice = advice(for: module) }
  }

  /// The import that is likely to have a name: one that is known to, or is called like it, or the only one.
  private func origin(of diagnostic: PolicyDiagnostic, known module: String) -> String? {
    let taken = taken[diagnostic.file ?? ""]?.map(\.module) ?? []
    guard let name = Self.missingName(in: diagnostic.message) else { return nil }
    if AppleFrameworks.owner(of: name, among: taken) != nil { return taken.first { $0 == module } }
    let others = taken.filter { !AppleFrameworks.isKnown($0) }
    return others.first { $0.contains(name) || name.contains($0) }
      ?? (others.count == 1 ? others[0] : nil)
  }

  private func remark(on diagnostic: PolicyDiagnostic) -> (module: String?, text: String)? {
    guard diagnostic.severity == .error, let file = diagnostic.file else { return nil }
    let taken = taken[file] ?? []
    let standIns = standIns[file] ?? []
    if let name = Self.missingName(in: diagnostic.message) {
      let imported = (taken + standIns).map(\.module)
      let owner = AppleFrameworks.owner(of: name, among: imported)
      if let origin = taken.first(where: { $0.module == owner || $0.module == name }) {
        return (
          origin.module,
          "'\(name)' comes from \(origin.module), imported in line \(origin.line), which isn't available here"
        )
      }
      if let owner, let contents = FrameworkModules.contents[owner] {
        return (
          owner, "'\(name)' comes from \(owner), of which only \(contents) are available here"
        )
      }
      if let owner { return (owner, "'\(name)' comes from \(owner), which isn't available here") }
      if name.hasPrefix("NS") {
        return (
          nil, "'\(name)' is none of Foundation's and Core Data's names that are available here"
        )
      }
    } else if diagnostic.message.firstMatch(of: #/ has no (?:\w+ )?member '/#) == nil {
      return nil
    }
    guard let first = taken.first else { return nil }
    let modules = taken.map { "\($0.module) (line \($0.line))" }.joined(separator: ", ")
    return (first.module, "it may come from an import that isn't available here: \(modules)")
  }

  /// The name that the compiler looked for in vain.
  fileprivate static func missingName(in message: String) -> String? {
    let patterns = [
      #/cannot find (?:type |operator )?'(?<name>[^']+)' in scope/#,
      #/unknown attribute '(?<name>[^']+)'/#,
    ]
    return patterns.lazy.compactMap { message.firstMatch(of: $0)?.name }.first.map(String.init)
  }

  private func advice(for module: String) -> String {
    if FrameworkModules.contents[module] != nil {
      return "Declare what is used of \(module) in a separate Swift file, and add that to the "
        + "policies' sources."
    }
    return "Provide a stub with what is used of \(module), in a scenario with "
      + "'policies: { …, stubs: { \(module): Stubs/\(module).swift } }', for a command with "
      + "'--stubs \(module)=Stubs/\(module).swift'; '--stub-missing Stubs' writes one. If it is a module of the app, its sources may "
      + "go before the policies' in a list of 'policies:'. See docs/policies.md."
  }
}

extension PolicyCompilationError {
  /// A name that the compiler looked for in vain.
  package struct MissedName: Hashable, Sendable {
    package let name: String
    /// The type that should have it as a member; nil for a name in scope.
    package let type: String?
    package let file: String?
  }

  /// The names that the compiler looked for in vain.
  package var missedNames: [MissedName] {
    diagnostics.filter { $0.severity == .error }.compactMap { diagnostic in
      let message = diagnostic.message
      if let name = MissingNames.missingName(in: message) {
        return MissedName(name: name, type: nil, file: diagnostic.file)
      }
      let member =
        #/(?:type|aka) '(?<type>[^']+)'\)? has no (?:\w+ )?member '(?<name>[^'(]+)[^']*'/#
      let nested = #/'(?<name>[^']+)' is not a member type of \w+ '(?<type>[^']+)'/#
      let found =
        message.firstMatch(of: member).map { ($0.type, $0.name) }
        ?? message.firstMatch(of: nested).map { ($0.type, $0.name) }
      return found.map { type, name in
        // `Module.Type` and `Outer.Inner`: what is extended is named by the last word as a rule.
        let bare = type.prefix { $0 != "<" }.split(separator: ".").last ?? type
        return MissedName(name: String(name), type: String(bare), file: diagnostic.file)
      }
    }.uniqued()
  }
}

/// The modules that common names of Apple's frameworks come from.
enum AppleFrameworks {
  /// - Parameter imported: What the file imports, which is preferred.
  static func owner(of name: String, among imported: [String]) -> String? {
    if let module = names[name] { return module }
    if imported.contains("SwiftUI"), swiftUINames.contains(name) { return "SwiftUI" }
    let plain = name.hasPrefix("k") ? String(name.dropFirst()) : name
    let fitting = prefixes.filter { prefix, _ in
      let next = plain.dropFirst(prefix.count).first
      return plain.hasPrefix(prefix) && (next?.isUppercase == true || next == "_")
    }
    let longest = fitting.map(\.prefix.count).max() ?? 0
    let modules = fitting.filter { $0.prefix.count == longest }.map(\.module)
    // Foundation and Core Data have it, too.
    if modules == ["AppKit"], !imported.contains(where: ["AppKit", "Cocoa"].contains) {
      return nil
    }
    return fitting.map(\.module).first(where: imported.contains) ?? modules.first
  }

  /// Whether a module's names are told by their beginnings.
  static func isKnown(_ module: String) -> Bool { prefixes.contains { $0.module == module } }

  private static let names = [
    "ObservableObject": "Combine", "Published": "Combine", "AnyCancellable": "Combine",
    "Cancellable": "Combine", "Publisher": "Combine", "AnyPublisher": "Combine",
    "PassthroughSubject": "Combine", "CurrentValueSubject": "Combine", "Subscribers": "Combine",
    "Publishers": "Combine", "Future": "Combine", "Just": "Combine", "Empty": "Combine",
    "ObservableObjectPublisher": "Combine", "UTType": "UniformTypeIdentifiers",
    "SymmetricKey": "CryptoKit", "SHA256": "CryptoKit", "SHA512": "CryptoKit",
    "Insecure": "CryptoKit", "AES": "CryptoKit", "HMAC": "CryptoKit", "WidgetCenter": "WidgetKit",
    "NWPathMonitor": "Network", "AppIntent": "AppIntents", "NSApplication": "AppKit",
    "SwiftData": "SwiftData", "ModelContext": "SwiftData", "ModelContainer": "SwiftData",
  ]

  private static let swiftUINames: Set<String> = [
    "View", "Color", "Image", "Text", "State", "Binding", "Environment", "EnvironmentObject",
    "FetchRequest", "StateObject", "ObservedObject", "App", "Scene", "LocalizedStringKey", "Font",
    "PreviewProvider", "AppStorage",
  ]

  private static let prefixes: [(prefix: String, module: String)] = [
    ("HK", "HealthKit"), ("CL", "CoreLocation"), ("UI", "UIKit"), ("NS", "AppKit"),
    ("CK", "CloudKit"), ("MK", "MapKit"), ("AV", "AVFoundation"), ("PH", "Photos"),
    ("CN", "Contacts"), ("EK", "EventKit"), ("UN", "UserNotifications"), ("WK", "WebKit"),
    ("CA", "QuartzCore"), ("CG", "CoreGraphics"), ("CI", "CoreImage"), ("CM", "CoreMotion"),
    ("CM", "CoreMedia"), ("CB", "CoreBluetooth"), ("CT", "CoreText"), ("CT", "CoreTelephony"),
    ("CX", "CallKit"), ("SK", "StoreKit"), ("SK", "SpriteKit"), ("SCN", "SceneKit"),
    ("GK", "GameKit"), ("PK", "PassKit"), ("PK", "PencilKit"), ("LA", "LocalAuthentication"),
    ("Sec", "Security"), ("UT", "UniformTypeIdentifiers"), ("WC", "WatchConnectivity"),
    ("BG", "BackgroundTasks"), ("IN", "Intents"), ("NW", "Network"), ("OS", "os"), ("os", "os"),
    ("AS", "AuthenticationServices"), ("SF", "SafariServices"), ("SF", "Speech"),
    ("SC", "SystemConfiguration"), ("ML", "CoreML"), ("VN", "Vision"), ("NL", "NaturalLanguage"),
    ("AR", "ARKit"), ("MF", "MessageUI"), ("MP", "MediaPlayer"), ("MT", "Metal"),
    ("QL", "QuickLook"), ("PDF", "PDFKit"), ("AC", "Accounts"), ("HM", "HomeKit"),
    ("MX", "MetricKit"), ("CS", "CoreSpotlight"), ("MS", "Messages"),
  ]
}
