/// A sort criterion: a key path and a direction.
public final class SortDescriptor: NSObject, @unchecked Sendable {
  public let key: String?
  public let ascending: Bool
  /// The comparison to use instead of the natural one, by Foundation's name:
  /// `caseInsensitiveCompare:`, `localizedStandardCompare:` and the like.
  public let selectorName: String?

  public init(key: String?, ascending: Bool, selectorName: String? = nil) {
    self.key = key
    self.ascending = ascending
    self.selectorName = selectorName
  }
}
