/// Where a scenario's stores are kept while it runs.
public enum Backend: String, Sendable, Hashable, CaseIterable, Codable {
  case memory, sqlite
}
