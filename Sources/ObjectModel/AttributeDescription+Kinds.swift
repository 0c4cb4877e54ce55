/// An attribute whose value the store computes, to be described in code. Models that are read have
/// plain attribute descriptions with a derivation expression.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public final class DerivedAttributeDescription: AttributeDescription, @unchecked Sendable {}

/// An attribute whose value has several parts, to be described in code; its type is set already.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public final class CompositeAttributeDescription: AttributeDescription, @unchecked Sendable {
  public override init(name: String, type: AttributeType) {
    super.init(name: name, type: .composite)
  }
}
