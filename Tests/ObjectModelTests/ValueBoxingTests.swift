import ObjectModel
import Testing

/// What functions of a policy and app code hand over as `Any`.
struct ValueBoxingTests {
  private func boxed(_ any: Any) -> Value { Value(any) }

  @Test func optionalsAreTakenApart() {
    let object = NSObject()
    let absent: NSObject? = nil
    #expect(boxed(NSObject?.some(object) as Any) == .object(object))
    #expect(boxed(NSObject??.some(.some(object)) as Any) == .object(object))
    #expect(boxed(absent as Any) == .null)
    #expect(boxed(NSObject??.some(nil) as Any) == .null)
    #expect(boxed(String?.some("text") as Any) == .string("text"))
    #expect(boxed(Data?.some(Data([1])) as Any) == .data(Data([1])))
    #expect(boxed(Int?.some(3) as Any) == .integer(3))
    #expect(boxed(NSNull() as Any) == .null)
    #expect(boxed(NSNull?.some(NSNull()) as Any) == .null)
  }

  @Test func optionalTransformableIsTakenApart() throws {
    let attribute = AttributeDescription(name: "anything", type: .transformable)
    let value = try Value(NSString?.some("text") as Any, for: attribute)
    guard case .transformable(let transformable) = value else {
      Issue.record("\(value)")
      return
    }
    #expect(transformable.object as? String == "text")
  }
}
