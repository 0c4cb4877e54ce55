/// An attribute whose value the store computes, to be described in code. Models that are read have
/// plain attribute descriptions with a derivation expression.
public final class DerivedAttributeDescription: AttributeDescription, @unchecked Sendable {}

/// An attribute whose value has several parts, to be described in code; its type is set already.
public final class CompositeAttributeDescription: AttributeDescription, @unchecked Sendable {
  public override init(name: String, type: AttributeType) {
    super.init(name: name, type: .composite)
  }
}
