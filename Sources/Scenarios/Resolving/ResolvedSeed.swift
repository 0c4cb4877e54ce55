/// What is in the store before a run begins.
package struct ResolvedSeed: Sendable {
  package enum Content: Sendable {
    /// Objects written by hand and, where there are generators, the plan of those made by rule.
    case rows([ResolvedRow], SeedPlan?)
    /// The path of an existing store.
    case store(Located<String>)
  }
  package let content: Content
  /// Whether rows are saved as an app saves them, and not past the model's validation.
  package var isValidated = true

  package var rows: [ResolvedRow] {
    if case .rows(let rows, _) = content { rows } else { [] }
  }

  /// What is made by rule, if anything is.
  package var plan: SeedPlan? {
    if case .rows(_, let plan) = content { plan } else { nil }
  }
}

/// One object of a seed, typed by the model of its version.
package struct ResolvedRow: Sendable {
  package let place: SourcePlace
  package let entity: EntityDescription
  /// Its local name.
  package let name: String?
  package var values: [(attribute: AttributeDescription, value: Value)] = []
  /// What its relationships lead to: places in the list of rows.
  package var links: [(relationship: RelationshipDescription, rows: [Int])] = []
}
