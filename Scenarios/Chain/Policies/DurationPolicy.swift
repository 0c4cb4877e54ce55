import CoreData

/// Reads durations such as "45 min" and "1 h 20 min".
class DurationPolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "minutesFromDuration:", $source.duration)`
  @objc func minutes(fromDuration duration: String?) -> NSNumber {
    let words = (duration ?? "").split(separator: " ")
    var minutes = 0
    for (number, unit) in zip(words, words.dropFirst()) {
      guard let number = Int(number) else { continue }
      minutes += unit == "h" ? number * 60 : number
    }
    return NSNumber(value: minutes)
  }
}
