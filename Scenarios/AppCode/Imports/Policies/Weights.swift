import CoreData
import HealthKit

final class WeightPolicy: NSEntityMigrationPolicy {
  @objc func unit(_ isMetric: NSNumber) -> String {
    (isMetric.boolValue ? HKUnit.gram() : .pound()).unitString
  }
}
