extension ModelCheckReport {
  /// The report for machines.
  var json: JSONObject {
    let steps = steps.map(\.json)
    let counts = FindingSeverity.allCases.map { ($0.rawValue, count(of: $0)) }
    return [
      "format": 1, "model": modelName, "current": current, "since": since,
      "isProgressive": isProgressive, "versions": model.versions.map(version),
      "order": model.order.json, "steps": steps, "hops": steps, "direct": direct.map(\.json),
      "findings": findings.map { $0.json(silencedFor: nil) },
      "silenced": silenced.map { $0.finding.json(silencedFor: $0.reason) },
      "counts": Dictionary(uniqueKeysWithValues: counts), "exitStatus": exitStatus.rawValue,
    ]
  }

  private func version(_ version: ManagedObjectModel) -> JSONObject {
    [
      "name": version.shownName, "identifiers": version.versionIdentifiers,
      "isCurrent": version.shownName == current,
      // The version hash of each entity, in Base64.
      "entities": version.entityVersionHashesByName.mapValues { $0.base64EncodedString() },
      "equalTo": versionsEqual(to: version),
    ]
  }
}

extension CheckedStep {
  fileprivate var json: JSONObject {
    let error = verdict.error
    let problem = error?.inferenceProblems.first
    return [
      "from": versions.source, "to": versions.destination, "verdict": verdict.name,
      "mappings": verdict.isMapped ? verdict.mappingNames : nil,
      // Core Data's error code, and that of the error behind it.
      "code": error?.code.rawValue,
      "underlyingCode": (error?.underlying as? CoreDataError)?.code.rawValue,
      "reason": problem?.reason, "entity": problem?.place.entity,
      "property": problem?.place.property,
    ]
  }
}

extension CheckFinding {
  fileprivate func json(silencedFor reason: String?) -> JSONObject {
    [
      "rule": rule, "severity": severity, "from": subject.step?.source,
      "to": subject.step?.destination, "version": subject.version,
      "lastVersion": subject.lastVersion, "entity": subject.entity, "property": subject.property,
      "file": subject.file, "message": message, "advice": advice, "code": code, "reason": reason,
    ]
  }
}

extension VersionOrder {
  /// How the order of versions is known, for machines.
  var json: JSONObject {
    [
      "versions": names, "isCertain": isCertain,
      "steps": steps.map { name, evidence -> JSONObject in
        [
          "step": name, "hop": name, "evidence": evidence?.name,
          "text": evidence?.text ?? "not known",
        ]
      },
      "contradictions": contradictions.map(\.text), "unknown": unknown,
    ]
  }
}
