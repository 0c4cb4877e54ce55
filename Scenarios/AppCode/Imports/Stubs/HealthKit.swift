/// What the policies use of HealthKit.
public final class HKUnit {
  public let unitString: String
  init(_ unitString: String) { self.unitString = unitString }
  public static func gram() -> HKUnit { HKUnit("g") }
  public static func pound() -> HKUnit { HKUnit("lb") }
}
