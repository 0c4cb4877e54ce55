/// What goes wrong again and again in migrations, whatever the error, and often without one.
package enum Trap: String, CaseIterable, Sendable {
  case missingModule = "missing-module"
  case unknownPolicy = "unknown-policy"
  case unknownSelector = "unknown-selector"
  case staleMapping = "stale-mapping"
  case inferredInstead = "inferred-instead"
  case lostRename = "lost-rename"
  case notInMapping = "not-in-mapping"
  case missingInverse = "missing-inverse"
  case notAssociated = "not-associated"
  case subclassCast = "subclass-cast"
  case foreignContext = "foreign-context"
  case wrongValueType = "wrong-value-type"
  case unwrappedNil = "unwrapped-nil"
  case duplicates
  case nilOverDefault = "nil-over-default"
}
