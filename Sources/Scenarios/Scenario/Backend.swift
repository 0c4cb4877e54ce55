/// Where a scenario's stores are kept while it runs.
package enum Backend: String, Sendable, Hashable, CaseIterable, Codable {
  case memory, sqlite
}
