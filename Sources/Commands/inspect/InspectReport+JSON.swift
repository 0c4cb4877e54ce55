extension InspectReport {
  /// The report for machines.
  var json: JSONObject {
    let metadata = inspection.metadata
    let counts = FindingSeverity.allCases.map { ($0.rawValue, count(of: $0)) }
    return [
      "format": 1, "store": store, "exitStatus": exitStatus.rawValue, "version": version?.json,
      "checkedWith": basis.json,
      "metadata": [
        "uuid": metadata.identifier, "frameworkVersion": metadata.frameworkVersion,
        "approximateRelease": metadata.approximateRelease,
        "versionIdentifiers": metadata.versionIdentifiers,
        // Base64, by entity.
        "entityVersionHashes": metadata.entityHashes,
        // The types of the values, which aren't shown.
        "ownKeys": metadata.ownKeys, "hasModelCache": metadata.hasModelCache,
      ] as JSONObject,
      "file": inspection.file.json, "entities": inspection.entities.map(\.json),
      "joinTables": inspection.joinTables.map(\.json),
      "historyTables": inspection.historyTables.map(\.json),
      "otherTables": inspection.otherTables.map(\.json),
      "externalData": inspection.externalData?.json,
      "findings": findings.map { $0.json(of: metadata.identifier) },
      "counts": Dictionary(uniqueKeysWithValues: counts),
    ]
  }
}

// MARK: - Parts

extension InspectReport.Basis {
  fileprivate var json: JSONObject {
    switch self {
    case .version(let name): ["model": "version", "version": name]
    case .modelCache: ["model": "model-cache"]
    case .nothing: ["model": "nothing"]
    }
  }
}

extension StoreVersion {
  fileprivate var json: JSONObject {
    [
      "models": origin, "candidates": candidateCount, "likeliest": best?.name, "order": order?.json,
      "matches": matches.map { found -> JSONObject in
        [
          "version": found.name, "configuration": found.match.configuration,
          "evidence": found.match.evidence.rawValue,
          "hasEqualIdentifiers": found.match.hasEqualIdentifiers,
          "differences": found.match.differences?.texts,
        ]
      },
      "nearest": nearest.map { name, near -> JSONObject in
        [
          "version": name, "changed": near.changed, "onlyInStore": near.onlyInStore,
          "onlyInModel": near.onlyInModel, "differences": near.differences?.texts,
        ]
      },
    ]
  }
}

extension ModelDifference {
  /// What the store's own model has otherwise, in the form of the text report.
  fileprivate var texts: [String] { description.split(separator: "\n").map(String.init) }
}

extension StoreFileFacts {
  fileprivate var json: JSONObject {
    [
      "bytes": byteCount, "pageSize": pageSize, "pages": pageCount, "freePages": freePages,
      "journalMode": journal.mode?.rawValue,
      "log": journal.log.map { log -> JSONObject in
        [
          "bytes": log.byteCount, "isReadable": log.isReadable,
          "committedFrames": log.committedFrames, "commits": log.commits,
          "uncommittedFrames": log.uncommittedFrames, "pendingPages": log.pendingPages,
        ]
      },
      "hasEmptyLog": journal.hasEmptyLog, "hasSharedMemory": journal.hasSharedMemory,
      "rollbackJournalBytes": journal.rollbackByteCount, "hasHotJournal": journal.hasHotJournal,
      "readFromCopy": wasReadFromCopy,
    ]
  }
}

extension StoreInspection.EntityRows {
  fileprivate var json: JSONObject {
    [
      "name": name, "number": number, "superentity": superentity, "isAbstract": isAbstract,
      "table": table, "rows": rows, "highestKey": highestKey,
    ]
  }
}

extension StoreInspection.TableRows {
  fileprivate var json: JSONObject {
    ["table": table, "rows": rows, "relationship": relationship]
  }
}

extension StoreInspection.ExternalDataFacts {
  fileprivate var json: JSONObject {
    ["references": references, "missingFiles": missingFiles, "orphanFiles": orphanFiles]
  }
}

extension IntegrityFinding {
  fileprivate func json(of store: String?) -> JSONObject {
    [
      "id": kind.rawValue, "severity": severity.rawValue, "entity": entity, "property": property,
      "table": table, "count": count, "message": message,
      "rows": rows.map { row -> JSONObject in
        [
          // Nothing for a row of no known entity.
          "object": row.entity.map { "x-coredata://\(store ?? "")/\($0)/p\(row.key)" },
          "key": row.key, "target": row.target, "detail": row.detail,
        ]
      },
    ]
  }
}
