// What a model's rules don't allow of what a seed makes by rule.

extension GeneratedBlock {
  /// How many objects are looked at before anything is made; the others are when they are written.
  private static let lookedAtCount = 1000

  /// Reports values that no store of the model takes, one for each attribute, as far as they show without
  /// making all objects.
  func reportForbiddenValues(by version: String, _ collector: DiagnosticCollector) {
    // Of a required attribute that nobody gave a value it is told already.
    for plan in attributes where !plan.recipe.isDefault || !plan.attribute.typedDefaultValue.isNull
    {
      if plan.recipe.absence != .never, !plan.attribute.isOptional {
        collector.report(
          "'\(plan.attribute.name)' is required by \(version): leave out 'nil'", at: place(of: plan)
        )
      } else if let mistake = firstMistake(plan, version) {
        collector.report(mistake)
      }
    }
  }

  private func firstMistake(_ plan: AttributePlan, _ version: String) -> Diagnostic? {
    guard notation.count > 0, AttributeValidation.hasRulesForValues(plan.attribute) else {
      return nil
    }
    let edges = plan.recipe.maker.edges
    for edge in edges {
      if let mistake = mistake(edge, of: plan, row: nil, version: version) { return mistake }
    }
    // Nothing else comes of a single value.
    let count = plan.recipe.maker is SameValue ? 0 : min(notation.count, Self.lookedAtCount)
    return (0..<count).lazy.compactMap { row in
      mistake(value(plan, row), of: plan, row: row, version: version)
    }.first
  }

  private func value(_ plan: AttributePlan, _ row: Int) -> Value {
    var chance = plan.column.cell(offset + row)
    return plan.recipe.value(&chance, row: offset + row)
  }

  /// What is wrong with a value that the generator makes; nil for one that the model allows.
  /// - Parameter row: The number of its object; nil for a value that some object gets.
  package func mistake(
    _ value: Value, of plan: AttributePlan, row: Int?, version: String
  ) -> Diagnostic? {
    let attribute = plan.attribute
    guard let failure = AttributeValidation.failure(of: value, for: attribute) else { return nil }
    let object = row.map { "\(entity.name) \($0 + 1)" } ?? "some \(entity.name)"
    let text =
      value.isNull ? "without '\(attribute.name)'" : "with '\(attribute.name)' \(value.shown)"
    return Diagnostic(
      "\(object), \(text), can't be saved: \(failure.withRule(of: attribute, version))",
      at: place(of: plan))
  }

  /// Where the rule stands; the whole generator for one that nobody wrote.
  private func place(of plan: AttributePlan) -> SourcePlace {
    notation.fields.first { $0.key.value == plan.attribute.name }?.value.place ?? notation.place
  }
}

extension CoreDataError {
  /// What is wrong with a value, and what the model wants instead.
  func withRule(of attribute: AttributeDescription, _ version: String) -> String {
    let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return reason + (attribute.rulesNotation.map { " (\(version) wants \($0))" } ?? "")
  }
}

extension AttributeDescription {
  /// The rules as the notation has them; nil for those that a model has as predicates.
  fileprivate var rulesNotation: String? {
    var rules: [String] = []
    if !minimum.isNull || !maximum.isNull {
      rules.append(
        (minimum.isNull ? "" : minimum.shown) + "..." + (maximum.isNull ? "" : maximum.shown))
    }
    if let pattern = regularExpression { rules.append("/\(pattern)/") }
    return rules.isEmpty ? nil : rules.joined(separator: ", ")
  }
}
