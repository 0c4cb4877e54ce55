extension StoreMigrationReport {
  /// The report for machines. `output` is missing after a failure, unless the result is there all the same.
  var json: JSONObject {
    let leftBehind = failure == nil ? leftBehind : []
    let steps = steps.map(\.json)
    return [
      "format": 1, "store": store, "output": failure == nil || isResultThere ? output : nil,
      "versions": versions, "fromStoreModel": route.isFromStoreModel ? true : nil,
      "configuration": configuration, "target": target,
      "steps": steps, "hops": steps,
      "entities": entities.map { count -> JSONObject in
        ["entity": count.entity, "before": count.before, "after": count.after]
      },
      "findings": findings,
      "leftBehind": leftBehind.map {
        ["table": $0.table, "column": $0.column, "rows": $0.rows] as JSONObject
      },
      "unusedMappings": unusedMappings.map { ["name": $0.name, "reason": $0.reason] },
      "failure": failure?.json, "seconds": seconds, "exitStatus": exitStatus.rawValue,
      "usage": usage,
    ]
  }
}

extension ChainFailure {
  fileprivate var json: JSONObject {
    let error = self.error as NSError
    let place = (self.error as? CoreDataError)?.place ?? place
    return [
      "domain": error.domain, "code": error.code, "step": place.step, "pass": place.pass,
      "entityMapping": place.entityMapping, "entity": place.entity, "property": place.property,
      "object": place.object, "message": self.error.reasonText,
      // All that is known, for people.
      "text": "\(self)",
    ]
  }
}
