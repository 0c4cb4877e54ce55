import CoreData
import UIKit

extension UIColor {
  convenience init(hex: Int) {
    self.init(
      red: CGFloat(hex >> 16 & 0xFF) / 255, green: CGFloat(hex >> 8 & 0xFF) / 255,
      blue: CGFloat(hex & 0xFF) / 255, alpha: 1)
  }

  var parts: String {
    var (red, green, blue, alpha) = (CGFloat(0), CGFloat(0), CGFloat(0), CGFloat(0))
    _ = getRed(&red, green: &green, blue: &blue, alpha: &alpha)
    return "\(red) \(green) \(blue) \(alpha)"
  }
}

/// Version 1 has a color's number, or its archive; version 2 has the color in a transformable attribute.
final class ColorPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let list = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    let color = try color(of: source)
    let data = try NSKeyedArchiver.archivedData(withRootObject: color, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: UIColor.self, from: data)
    list.setValue(color, forKey: "color")
    list.setValue("\(color.parts), \(read == color)", forKey: "told")
  }

  private func color(of list: NSManagedObject) throws -> UIColor {
    guard let data = list.value(forKey: "archive") as? Data else {
      return UIColor(hex: list.value(forKey: "hex") as? Int ?? 0)
    }
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: UIColor.self, from: data) ?? .clear
  }
}
