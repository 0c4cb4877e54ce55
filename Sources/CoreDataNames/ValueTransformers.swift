// Value transformers, by the names that Foundation has on Apple's systems.

public typealias NSValueTransformerName = ValueTransformerName
public typealias NSSecureUnarchiveFromDataTransformer = SecureUnarchiveFromDataTransformer
