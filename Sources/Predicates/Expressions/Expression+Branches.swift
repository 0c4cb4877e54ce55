// The two results of a TERNARY, under Apple's names.

extension Expression {
  /// What a TERNARY gives when its condition holds; nil for other expressions.
  public var `true`: Expression? {
    if case .conditional(_, let yes, _) = node { yes } else { nil }
  }

  /// What a TERNARY gives when its condition doesn't hold; nil for other expressions.
  public var `false`: Expression? {
    if case .conditional(_, _, let no) = node { no } else { nil }
  }
}
