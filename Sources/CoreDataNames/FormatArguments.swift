// Foundation's types lack here what they have on Apple's systems.
// swift-format-ignore-file: AvoidRetroactiveConformances

// Values as arguments of formats: `NSPredicate(format: "date < %@", date as CVarArg)`.
//
// On Apple's systems every object is a CVarArg, and so is what bridges to one by `as CVarArg`.
// Foundation has only numbers and texts elsewhere. A predicate's format takes the values as they
// are; a text's format shows their descriptions for `%@`.

/// An object, or a value that is one on Apple's systems, as an argument of a format.
public protocol ObjectArgument: _CVarArgObject {}

extension ObjectArgument {
  public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }
  public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}

extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSOrderedSet: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSDictionary: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}
extension NSError: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectArgument {}

extension ManagedObject: ObjectArgument {}
extension ManagedObjectID: ObjectArgument {}
extension ManagedObjectContext: ObjectArgument {}
extension ManagedObjectModel: ObjectArgument {}
extension EntityDescription: ObjectArgument {}
extension PropertyDescription: ObjectArgument {}
extension Predicate: ObjectArgument {}
extension Expression: ObjectArgument {}
extension PersistentStore: ObjectArgument {}
extension UntypedFetchRequest: ObjectArgument {}

/// The arguments of a format as one value, as C hands them on.
public struct VariableArguments {
  let arguments: [any CVarArg]
}

/// The arguments of a predicate's format; for C's functions there is the standard library's own.
public func getVaList(_ args: [any CVarArg]) -> VariableArguments {
  VariableArguments(arguments: args)
}

extension PredicateFormatting where Self: Predicate {
  /// The predicate that `format` describes, with arguments that `getVaList(_:)` made.
  public init(format: String, arguments argList: VariableArguments) {
    self.init(format: format, argumentArray: argList.arguments)
  }
}

extension Expression {
  public convenience init(format: String, arguments argList: VariableArguments) {
    self.init(format: format, argumentArray: argList.arguments)
  }
}
