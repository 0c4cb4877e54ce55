extension StoreMigrationReport {
  /// Why the migration failed, and what there is to look at though it didn't.
  var told: [ToldFinding] {
    (failure.map { [Self.told($0)] } ?? []) + remarks
  }

  private static func told(_ failure: ChainFailure) -> ToldFinding {
    let error = failure.error as NSError
    let place = (failure.error as? CoreDataError)?.place ?? failure.place
    let subject = [place.step, place.entityMapping, place.entity, place.property]
    return ToldFinding(
      .error, rule: "\(error.domain) \(error.code)",
      about: subject.compactMap(\.self).joined(separator: ", "),
      "\(failure)")
  }

  private var remarks: [ToldFinding] {
    let unused = unusedMappings.map {
      ToldFinding(
        .warning, rule: "unused-mapping", about: $0.name, "mapping file not used: \($0.reason)")
    }
    let damaged = findings.map { ToldFinding(.warning, rule: "damaged", about: "", $0) }
    let ofSteps = steps.flatMap { step in
      step.remarks.map { ToldFinding(.warning, rule: "step", about: step.name, $0) }
    }
    let tables = (failure == nil ? leftBehind : []).map {
      ToldFinding(
        .warning, rule: "left-behind", about: $0.table, "left behind: \($0.text)")
    }
    return unused + damaged + ofSteps + tables
  }
}
