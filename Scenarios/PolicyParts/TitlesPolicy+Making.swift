import CoreData

extension TitlesPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    songs(of: source, in: mapping, manager).first?.setValue(Words.made, forKey: "title")
  }
}
