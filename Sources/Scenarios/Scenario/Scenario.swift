/// A scenario as its file states it: names and values with their places, not yet checked against
/// the models.
package struct Scenario: Sendable {
  package var file: SourceFile
  /// The folder that paths in the file are relative to.
  package var folder: URL
  /// Which one of the file's scenarios it is, from 1; nil for the only one.
  package var number: Int?
  /// The YAML document that it is written in; counts from 0.
  package var document = 0
  /// The row of a `for_each` table that it was made for.
  package var row: TableRow?
  package var title: Located<String>
  package var about: String?
  package var tags: [String] = []
  /// Numbers of the requirements that the scenario shows to hold, of whatever list its owner keeps.
  package var covers: [String] = []
  /// Why the scenario isn't to be run for now.
  package var skip: Located<String>?
  /// The backends that it is played on; nil for all.
  package var backends: [Backend]?
  /// Findings that are meant, each with the reason.
  package var accepted: [AcceptedFinding] = []
  package var models: ModelSource
  /// Whether the app makes its models in code, where Core Data doesn't find them for an old store.
  package var hasModelsInCode = false
  /// The oldest system that it stands for; nil for the newest one.
  package var targetOS: TargetOS?
  /// The migration manager that the app opens old stores with; nil where Core Data does it.
  package var manager: ManagerNotation?
  /// Those of shared files that it has models of its own for.
  var unusedModels: [ModelSource] = []
  /// All that it says itself, with a row's cells for placeholders.
  package var root: SourceNode
  package var policies: [PolicyModule] = []
  package var seeds: [Seed] = []
  /// What rows have that don't say otherwise; the seeds have it already.
  package var defaults: [EntityDefaults] = []
  /// What is the same for everything below a folder.
  package var project: ProjectFile?
  /// The files that it shares with other scenarios.
  package var includes: [URL] = []
  /// What time it is for the migration; nil for the machine's.
  package var now: Date?
  /// What all chance in the migration comes from; nil for the machine's.
  package var chance: UInt64?
  /// The versions to start from, one run each; empty for the chain's first.
  package var starts: [Located<String>] = []
  /// Whether runs start at every version, and which are left out.
  package var everyStart: EveryStart?
  /// How the chain is made of the model's versions, where it isn't written step by step.
  package var route: Located<Route>?
  /// Where the seed is said to be samples, one object of each entity of the start's model.
  package var samplesPlace: SourcePlace?
  /// The file name of a store of its own for the result; nil to migrate the store where it is.
  package var destination: Located<String>?
  /// The path of the store that Core Data made of the same one on a device.
  package var device: Located<String>?
  package var chain: [ChainStep] = []
  package var expectations: [Expectation] = []
  package var then: [Action] = []
  /// What was found beside the models and is of no use, and why.
  var passedOver: [String] = []
  /// How many objects made by rule somebody asked for; nil for as many as the file says.
  package var objects: Int?

  package var address: ScenarioAddress { ScenarioAddress(path: file.path, number: number) }

  /// Whether a place is in another file, which other scenarios may share.
  func isShared(_ place: SourcePlace) -> Bool { place.file.path != file.path }

  /// Where the file is, if not in the folder that its paths are relative to.
  package var elsewhere: URL?

  /// Where the file is, whatever reports call it.
  package var fileURL: URL {
    elsewhere
      ?? folder.appending(
        path: (file.path as NSString).lastPathComponent, directoryHint: .notDirectory)
  }
}

/// `start: every`, or `start: { except: [v3] }`.
package struct EveryStart: Sendable {
  package var place: SourcePlace
  package var except: [Located<String>] = []
}

/// `chain: stepwise`, or `chain: direct`.
package enum Route: String, Sendable, CaseIterable, Codable {
  /// From each version to the next, up to the current one.
  case stepwise
  /// From the start to the current version in one step.
  case direct
}

/// A finding that the scenario's author knows and means.
package struct AcceptedFinding: Sendable {
  package enum Kind: Hashable, Sendable {
    /// A predicate chooses other rows in SQL than in memory.
    case sqlDiffers
    /// A step does what nobody knows a device to do.
    case unknownOnDevice
    /// Something is wrong with the result, as `heavyweight inspect` names it.
    case damage(IntegrityFinding.Kind)
  }
  package var kind: Kind
  /// What it is about; nil for anything.
  package var entity: String?
  package var property: String?
  package var reason: Located<String>

  func isMeant(_ kind: Kind, entity: String?, property: String?) -> Bool {
    self.kind == kind && (self.entity == nil || self.entity == entity)
      && (self.property == nil || self.property == property)
  }
}

extension AcceptedFinding.Kind {
  /// All that can be accepted, by the names that scenarios write.
  package static let byName: [(name: String, kind: Self)] =
    [("sql-differs", .sqlDiffers), ("unknown-on-device", .unknownOnDevice)]
    + IntegrityFinding.Kind.allCases.filter { $0.severity == .error }.map {
      ($0.rawValue, .damage($0))
    }
}

extension Scenario {
  package func accepts(
    _ kind: AcceptedFinding.Kind, entity: String? = nil, property: String? = nil
  ) -> Bool {
    accepted.contains { $0.isMeant(kind, entity: entity, property: property) }
  }
}

/// Where the versions of the model come from.
package enum ModelSource: Sendable {
  /// Written in the scenario, or one file per version.
  case inline([ModelVersion], place: SourcePlace)
  /// All versions of one or several `.xcdatamodeld`, or those selected, in the order they are
  /// named.
  case xcode([Located<String>], versions: [Located<String>])
}

/// One version of the model.
package struct ModelVersion: Sendable {
  package enum Definition: Sendable {
    case entities([EntityNotation])
    /// A path of an `.xcdatamodel` folder, or of an `.xcdatamodeld` for its current version.
    case file(Located<String>)
  }
  package var name: Located<String>
  package var definition: Definition
}

/// An entity in the short notation.
package struct EntityNotation: Sendable {
  package var name: Located<String>
  package var parent: Located<String>?
  package var isAbstract = false
  /// Uniqueness constraints, each a list of property names.
  package var unique: [[Located<String>]] = []
  package var indexes: [[Located<String>]] = []
  /// The renaming identifier.
  package var was: Located<String>?
  package var modifier: String?
  package var className: String?
  package var userInfo: [String: String] = [:]
  package var properties: [PropertyNotation] = []
}

/// A property in the short notation.
package struct PropertyNotation: Sendable {
  package var name: Located<String>
  package var text: Located<String>
}

/// Swift files that are compiled into one module.
package struct PolicyModule: Sendable {
  package var name: Located<String>
  /// Paths or globs.
  package var sources: [Located<String>]
  /// What the app puts before class names without module that its mapping models have; nil where it
  /// leaves them as they are.
  package var prefix: String?
  /// Modules of Apple's or of others that stand in for ones that aren't here.
  package var stubs: [PolicyModule] = []
  /// What its files are compiled for.
  package var conditions = BuildConditions()
}

/// What is in the store before the chain starts.
package struct Seed: Sendable {
  package enum Content: Sendable {
    case rows([SeedRow])
    /// The path of an existing store.
    case store(Located<String>)
  }
  /// The version the seed is for; nil for any start that has none of its own.
  package var version: Located<String>?
  package var content: Content
  /// Objects made by rule, beside the rows.
  package var generators: [GeneratorNotation] = []
  /// What all chance of the generators comes from.
  package var random: UInt64 = 1
  /// Whether rows are saved as an app saves them, and not past the model's validation.
  package var isValidated = true
}

/// One object of a seed.
package struct SeedRow: Sendable {
  package var entity: Located<String>
  package var place: SourcePlace
  /// `id`, or `.id` where the entity has a property of the name `id`.
  package var fields: [PropertyValue]
  /// The names of those that a shared file gives to all rows of the entity, whatever the version's entity has.
  var sharedFields: Set<String> = []
}

/// What the rows of an entity have that don't say otherwise.
package struct EntityDefaults: Sendable {
  package var entity: Located<String>
  package var values: [PropertyValue]
}

/// A property, or a key path, and what to set it to or find in it.
package struct PropertyValue: Sendable {
  package var key: Located<String>
  package var value: SourceNode
}

extension URL {
  /// The file a path in a scenario means: relative to the scenario's folder, or absolute.
  package func resolving(_ path: String) -> URL {
    path.hasPrefix("/") ? URL(fileURLWithPath: path) : appending(path: path)
  }
}
