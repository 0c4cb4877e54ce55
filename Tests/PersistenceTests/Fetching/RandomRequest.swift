import Persistence
import TestSupport

/// A random fetch request in words: what it asks for, taken apart so that a failing one can be made
/// smaller.
struct RandomRequest: CustomStringConvertible {
  struct Sort: Hashable {
    let key: String
    let ascending: Bool
    let selector: String?
  }
  enum Output: Hashable {
    case property(String)
    /// Name, format and type.
    case computed(String, String, AttributeType)
  }
  enum Result: String { case objects, identifiers, dictionaries, count }

  var entity = "Person"
  var predicate: String?
  var sorts: [Sort] = []
  var limit = 0
  var offset = 0
  var result = Result.objects
  /// What dictionaries hold; nil for all that is stored.
  var outputs: [Output]? = []
  var groups: [String] = []
  var having: String?
  var isDistinct = false
  var includesSubentities = true
  var includesPendingChanges = true
  var batchSize = 0
  var prefetched: [String] = []

  /// The requests with one thing less.
  var smaller: [RandomRequest] {
    var all: [RandomRequest] = []
    func add(_ change: (inout RandomRequest) -> Void) {
      var copy = self
      change(&copy)
      if copy.description != description { all.append(copy) }
    }
    add { $0.predicate = nil }
    add { $0.having = nil }
    add { $0.limit = 0 }
    add { $0.offset = 0 }
    add { $0.isDistinct = false }
    add { $0.includesSubentities = true }
    add { $0.includesPendingChanges = true }
    add { $0.batchSize = 0 }
    add { $0.prefetched = [] }
    for place in sorts.indices { add { $0.sorts.remove(at: place) } }
    if let outputs, outputs.count > 1 {
      for place in outputs.indices { add { $0.outputs?.remove(at: place) } }
    }
    for place in groups.indices { add { $0.groups.remove(at: place) } }
    return all
  }

  /// The request; nil for a predicate that can't be parsed.
  func request(_ variables: [String: Any]) throws -> FetchRequest<any FetchRequestResult> {
    let request = FetchRequest<any FetchRequestResult>(entityName: entity)
    request.predicate = try predicate.map {
      try Predicate.parse($0).withSubstitutionVariables(variables)
    }
    request.sortDescriptors = sorts.map {
      SortDescriptor(key: $0.key, ascending: $0.ascending, selectorName: $0.selector)
    }
    (request.fetchLimit, request.fetchOffset) = (limit, offset)
    request.includesSubentities = includesSubentities
    request.includesPendingChanges = includesPendingChanges
    request.fetchBatchSize = batchSize
    if !prefetched.isEmpty { request.relationshipKeyPathsForPrefetching = prefetched }
    switch result {
    case .objects: break
    case .identifiers: request.resultType = .managedObjectIDResultType
    case .count: request.resultType = .countResultType
    case .dictionaries: try shapeDictionaries(of: request)
    }
    return request
  }

  private func shapeDictionaries(of request: FetchRequest<any FetchRequestResult>) throws {
    request.resultType = .dictionaryResultType
    request.returnsDistinctResults = isDistinct
    request.propertiesToFetch = try outputs?.map { output -> Any in
      switch output {
      case .property(let path): return path
      case .computed(let name, let format, let type):
        let computed = ExpressionDescription()
        computed.name = name
        computed.expression = try Expression.parse(format)
        computed.expressionResultType = type
        return computed
      }
    }
    if !groups.isEmpty { request.propertiesToGroupBy = groups }
    request.havingPredicate = try having.map { try Predicate.parse($0) }
  }

  var description: String {
    var parts = ["\(result.rawValue) of \(entity)"]
    if let predicate { parts.append("where \(predicate)") }
    if !sorts.isEmpty {
      let texts = sorts.map { "\($0.key) \($0.ascending ? "up" : "down") \($0.selector ?? "")" }
      parts.append("by \(texts.joined(separator: ", "))")
    }
    if result == .dictionaries {
      parts.append("with \(outputs.map { "\($0)" } ?? "all") grouped by \(groups)")
    }
    if let having { parts.append("having \(having)") }
    parts.append(
      "limit \(limit) offset \(offset) distinct \(isDistinct) subentities \(includesSubentities) "
        + "pending \(includesPendingChanges) batches of \(batchSize) prefetching \(prefetched)")
    return parts.joined(separator: "\n  ")
  }
}

// MARK: - Making one

/// Makes random requests over the model of ``RandomRows``.
struct RandomRequests {
  private var random: RandomSource
  private var format: RandomFormat

  init(seed: UInt64) {
    random = RandomSource(seed: seed)
    format = RandomFormat(seed: seed ^ 0x5555)
  }

  mutating func next() -> RandomRequest {
    var request = RandomRequest()
    request.entity = pick(["Person", "Person", "Person", "Employee", "Pet", "City", "Tag"])
    let keys = Self.keys(of: request.entity)
    if chance(0.6) { request.predicate = predicate(about: request.entity) }
    if chance(0.25) { request.limit = Int.random(in: 1...6, using: &random) }
    if chance(0.2) { request.offset = Int.random(in: 1...5, using: &random) }
    request.includesSubentities = !chance(0.2)
    request.includesPendingChanges = !chance(0.2)
    request.result = pick([.objects, .objects, .identifiers, .dictionaries, .dictionaries, .count])
    if request.result == .dictionaries { shape(&request, keys) }
    if chance(0.6) { request.sorts = sorts(request.groups.isEmpty ? keys : request.groups) }
    if chance(0.3) { request.batchSize = Int.random(in: 1...5, using: &random) }
    if request.entity == "Person", chance(0.2) {
      request.prefetched = [pick(["city", "tags", "boss.city", "pets"])]
    }
    return request
  }

  private mutating func predicate(about entity: String) -> String {
    switch entity {
    case "Person", "Employee": return format.condition(depth: 1)
    case "Pet":
      return pick([
        "owner.city.name == 'a'", "age > 1", "name CONTAINS[c] 'n'", "owner == nil",
        "owner.tags.@count > 1", "weight < 2", "age BETWEEN {0, 2}",
      ])
    case "City":
      return pick(["owners.@count > 2", "people > 0", "ANY owners.age > 1", "name != nil"])
    default: return pick(["ANY owners.vip == 1", "owners.@count == 0", "name == 'a'"])
    }
  }

  private mutating func shape(_ request: inout RandomRequest, _ keys: [String]) {
    request.isDistinct = chance(0.3)
    if chance(0.1) {
      request.outputs = nil
      return
    }
    let keys = keys + Self.toOneKeys(of: request.entity)
    if chance(0.5) {
      request.outputs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        chance(0.3) ? computed(request.entity) : .property(pick(keys))
      }
      return
    }
    if chance(0.7) { request.groups = [pick(keys)] + (chance(0.3) ? [pick(keys)] : []) }
    request.outputs =
      request.groups.map { .property($0) }
      + (0..<Int.random(in: 1...2, using: &random)).map { aggregate("x\($0)", request.entity) }
    if !request.groups.isEmpty, chance(0.4) {
      request.having = pick([
        "x0 > 1", "x0 == nil", "$x0 < 3", "sum:(number) > 1", "@count > 1", "x0 != nil OR x0 > 0",
      ])
    }
  }

  private mutating func computed(_ entity: String) -> RandomRequest.Output {
    let formats: [(String, AttributeType)] =
      switch entity {
      case "Person", "Employee":
        [
          ("age + 1", .integer64), ("age * 2", .double), ("uppercase(name)", .string),
          ("city.people", .integer32), ("tags.@count", .integer64), ("abs(age)", .integer64),
          ("age", .string), ("TERNARY(vip == 1, name, nick)", .string),
          ("pets.@max.age", .integer64), ("limit + 1", .undefined), ("limit * 2", .integer64),
          ("reports.@sum.limit", .undefined), ("SELF", .objectID), ("boss", .objectID),
          ("fee", .decimal), ("born", .date), ("count:(friends)", .integer32),
          ("max:(pets.age)", .integer16), ("SUBQUERY(pets, $p, $p.age > 1).@count", .integer64),
          ("CAST(age, 'NSString')", .string), ("name.length", .integer64), ("(vip & 1)", .boolean),
          ("height", .float), ("FUNCTION(name, 'length')", .integer64),
          ("modulus:by:(age, 2)", .double),
        ]
      case "Pet":
        [("age - 1", .integer64), ("owner.age", .integer32), ("lowercase(name)", .string)]
      default: [("name", .string), ("owners.@count", .integer64)]
      }
    let (format, type) = formats[Int.random(in: 0..<formats.count, using: &random)]
    return .computed("c\(Int.random(in: 0..<9, using: &random))", format, type)
  }

  private mutating func aggregate(_ name: String, _ entity: String) -> RandomRequest.Output {
    let number = pick(Self.numbers(of: entity))
    let formats: [(String, AttributeType)] = [
      ("count:(number)", .integer64), ("count:(name)", .integer64), ("sum:(\(number))", .integer64),
      ("average:(\(number))", .double), ("min:(name)", .string), ("max:(\(number))", .integer64),
      ("max:(\(number)) - min:(\(number))", .integer64), ("@count", .integer64),
      ("sum:(\(number)) + count:(number)", .integer64), ("@sum.\(number)", .integer64),
      ("sum:(\(number))", .double), ("average:(\(number))", .decimal),
      ("min:(\(number))", .undefined), ("@max.number / @count", .integer64),
      ("TERNARY(max:(number) > 5, 'late', 'early')", .string), ("count:(SELF)", .integer64),
    ]
    let (format, type) = formats[Int.random(in: 0..<formats.count, using: &random)]
    return .computed(name, format, type)
  }

  private mutating func sorts(_ keys: [String]) -> [RandomRequest.Sort] {
    (0..<Int.random(in: 1...2, using: &random)).map { _ in
      let key = pick(keys)
      let isText = key.hasSuffix("name") || key == "nick"
      let selector = isText && chance(0.5) ? pick(Self.selectors) : nil
      return RandomRequest.Sort(key: key, ascending: chance(0.5), selector: selector)
    }
  }

  private static let selectors = [
    "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
    "localizedStandardCompare:",
  ]

  private static func keys(of entity: String) -> [String] {
    switch entity {
    case "Person": return person
    case "Employee": return person + ["salary"]
    case "Pet": return ["name", "age", "weight", "number", "owner.name", "owner.city.name"]
    case "City": return ["name", "people", "number"]
    default: return ["name", "number"]
    }
  }

  private static func toOneKeys(of entity: String) -> [String] {
    switch entity {
    case "Person", "Employee": ["city", "boss", "boss.city"]
    case "Pet": ["owner", "owner.boss"]
    default: []
    }
  }

  private static func numbers(of entity: String) -> [String] {
    switch entity {
    case "Person", "Employee": ["age", "age", "limit", "fee", "vip", "boss.age", "city.people"]
    case "Pet": ["age", "owner.age", "owner.fee"]
    case "City": ["people"]
    default: ["number"]
    }
  }

  private static let person = [
    "name", "nick", "age", "limit", "height", "fee", "vip", "born", "number", "city.name",
    "boss.name", "boss.city.people",
  ]

  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < share
  }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
