import CoreData

final class Colour: NSObject {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  var hex: String { String(format: "#%02x%02x%02x", Int(red), Int(green), Int(blue)) }
  var darker: Colour { Colour(red: red / 2, green: green / 2, blue: blue / 2) }
}

/// Three bytes are a colour.
@objc(ColourTransformer)
final class ColourTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { return NSData.self }
  override class func allowsReverseTransformation() -> Bool { return true }

  override func transformedValue(_ value: Any?) -> Any? {
    guard let colour = value as? Colour else { return nil }
    return Data([colour.red, colour.green, colour.blue])
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, data.count == 3 else { return nil }
    return Colour(red: data[0], green: data[1], blue: data[2])
  }
}

@objc(WordsTransformer)
final class WordsTransformer: NSSecureUnarchiveFromDataTransformer {
  /// Not the class's, by which it would be found unregistered.
  static let name = NSValueTransformerName(rawValue: "Words")
  override static var allowedTopLevelClasses: [AnyClass] { return [NSArray.self, NSString.self] }

  static func register() {
    ValueTransformer.setValueTransformer(WordsTransformer(), forName: name)
  }
}

final class NotePolicy: NSEntityMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    WordsTransformer.register()
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let note = NSEntityDescription.insertNewObject(
      forEntityName: "Note", into: manager.destinationContext)
    let title = sInstance.value(forKey: "title") as? String ?? ""
    note.setValue(title, forKey: "title")
    note.setValue(sInstance.value(forKey: "ink"), forKey: "ink")
    if let paper = sInstance.value(forKeyPath: "paper") as? Colour {
      note.setValue(paper.hex, forKey: "hex")
      note.setValue(paper.darker, forKey: "paper")
    }
    note.setValue(title.components(separatedBy: " ") as NSArray, forKey: "words")
    note.setValue(readBack(note), forKey: "read")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: note, for: mapping)
  }

  /// The words through an archive and back.
  private func readBack(_ note: NSManagedObject) -> String? {
    let transformer = ValueTransformer(forName: WordsTransformer.name)
    let data = transformer?.reverseTransformedValue(note.value(forKey: "words"))
    if transformer?.reverseTransformedValue(NSSet(object: "x")) != nil { return "sets are kept" }
    return (transformer?.transformedValue(data) as? [String])?.joined(separator: " ")
  }
}
