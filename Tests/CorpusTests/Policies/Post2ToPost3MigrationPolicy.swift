import CoreData

/// Splits a post's content into sections, one per paragraph.
final class Post2ToPost3MigrationPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let posts = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let post = posts.first else { return }
    let content = sInstance.value(forKey: "content") as? String ?? ""
    let sections = paragraphs(of: content).enumerated().map { index, paragraph in
      section(paragraph, at: index, in: manager.destinationContext)
    }
    post.setValue(Set(sections), forKey: #keyPath(Post.sections))
  }

  private func paragraphs(of content: String) -> [String] {
    let paragraphs = content.components(separatedBy: "\n\n")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
    // A post must have a section.
    return paragraphs.isEmpty ? [""] : paragraphs
  }

  private func section(
    _ paragraph: String, at index: Int, in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let section = NSEntityDescription.insertNewObject(
      forEntityName: "Section", into: context)
    section.setValue(String(paragraph.prefix(4)) + "...", forKey: #keyPath(Section.title))
    section.setValue(paragraph, forKey: #keyPath(Section.body))
    section.setValue(index, forKey: #keyPath(Section.index))
    return section
  }
}
