/// A scenario as its file states it: names and values with their places, not yet checked against
/// the models.
public struct Scenario: Sendable {
  public var file: SourceFile
  /// The folder that paths in the file are relative to.
  public var folder: URL
  public var title: Located<String>
  public var about: String?
  public var tags: [String] = []
  /// Numbers of the requirements that the scenario shows to hold, of whatever list its owner keeps.
  public var covers: [String] = []
  /// Why the scenario isn't to be run for now.
  public var skip: Located<String>?
  /// The backends that it is played on; nil for all.
  public var backends: [Backend]?
  /// Findings that are meant, each with the reason.
  public var accepted: [AcceptedFinding] = []
  public var models: ModelSource
  public var policies: [PolicyModule] = []
  public var seeds: [Seed] = []
  /// What time it is for the migration; nil for the machine's.
  public var now: Date?
  /// What all chance in the migration comes from; nil for the machine's.
  public var chance: UInt64?
  /// The versions to start from, one run each; empty for the chain's first.
  public var starts: [Located<String>] = []
  /// The file name of a store of its own for the result; nil to migrate the store where it is.
  public var destination: Located<String>?
  public var chain: [ChainStep] = []
  public var expectations: [Expectation] = []
  public var then: [Action] = []
  /// What was found beside the models and is of no use, and why.
  var passedOver: [String] = []
  /// How many objects made by rule somebody asked for; nil for as many as the file says.
  public var objects: Int?

  /// Where the file is, whatever reports call it.
  var fileURL: URL { folder.appending(path: (file.path as NSString).lastPathComponent) }
}

/// A finding that the scenario's author knows and means.
public struct AcceptedFinding: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// A predicate chooses other rows in SQL than in memory.
    case sqlDiffers = "sql-differs"
    /// A step does what nobody knows a device to do.
    case unknownOnDevice = "unknown-on-device"
  }
  public var kind: Kind
  public var reason: Located<String>
}

extension Scenario {
  func accepts(_ kind: AcceptedFinding.Kind) -> Bool { accepted.contains { $0.kind == kind } }

  /// Whether nobody is to be told that SQL and memory differ: it is accepted, or only SQLite was asked for.
  var acceptsSQLDifferences: Bool {
    backends == [.sqlite] || accepts(.sqlDiffers)
  }
}

/// Where the versions of the model come from.
public enum ModelSource: Sendable {
  /// Written in the scenario, or one file per version.
  case inline([ModelVersion], place: SourcePlace)
  /// All versions of one or several `.xcdatamodeld`, or those selected, in the order they are
  /// named.
  case xcode([Located<String>], versions: [Located<String>])
}

/// One version of the model.
public struct ModelVersion: Sendable {
  public enum Definition: Sendable {
    case entities([EntityNotation])
    /// A path of an `.xcdatamodel` folder, or of an `.xcdatamodeld` for its current version.
    case file(Located<String>)
  }
  public var name: Located<String>
  public var definition: Definition
}

/// An entity in the short notation.
public struct EntityNotation: Sendable {
  public var name: Located<String>
  public var parent: Located<String>?
  public var isAbstract = false
  /// Uniqueness constraints, each a list of property names.
  public var unique: [[Located<String>]] = []
  public var indexes: [[Located<String>]] = []
  /// The renaming identifier.
  public var was: String?
  public var modifier: String?
  public var className: String?
  public var userInfo: [String: String] = [:]
  public var properties: [PropertyNotation] = []
}

/// A property in the short notation.
public struct PropertyNotation: Sendable {
  public var name: Located<String>
  public var text: Located<String>
}

/// Swift files that are compiled into one module.
public struct PolicyModule: Sendable {
  public var name: Located<String>
  /// Paths or globs.
  public var sources: [Located<String>]
  /// What the app puts before class names without module that its mapping models have; nil where it
  /// leaves them as they are.
  public var prefix: String?
  /// Modules of Apple's or of others that stand in for ones that aren't here.
  public var stubs: [PolicyModule] = []
}

/// What is in the store before the chain starts.
public struct Seed: Sendable {
  public enum Content: Sendable {
    case rows([SeedRow])
    /// The path of an existing store.
    case store(Located<String>)
  }
  /// The version the seed is for; nil for any start that has none of its own.
  public var version: Located<String>?
  public var content: Content
  /// Objects made by rule, beside the rows.
  public var generators: [GeneratorNotation] = []
  /// What all chance of the generators comes from.
  public var random: UInt64 = 1
}

/// One object of a seed.
public struct SeedRow: Sendable {
  public var entity: Located<String>
  public var place: SourcePlace
  /// `id`, or `.id` where the entity has a property of the name `id`.
  public var fields: [PropertyValue]
}

/// A property, or a key path, and what to set it to or find in it.
public struct PropertyValue: Sendable {
  public var key: Located<String>
  public var value: SourceNode
}

extension URL {
  /// The file a path in a scenario means: relative to the scenario's folder, or absolute.
  func resolving(_ path: String) -> URL {
    path.hasPrefix("/") ? URL(fileURLWithPath: path) : appending(path: path)
  }
}
