import CoreData

/// What the app's test-suite would check, each as a line of text.
final class AppTests: NSEntityMigrationPolicy {
  @objc func run(_ argument: String) -> String {
    let parts = argument.components(separatedBy: " ")
    let url = parts[1] == "-" ? nil : URL(fileURLWithPath: parts[1])
    do {
      let stack = try CoreDataStack(model: MusicModel.make(), url: url)
      defer { try? stack.close() }
      switch parts[0] {
      case "insert": return try insert(stack)
      case "reopen": return try titles(stack.container.newBackgroundContext())
      case "merge": return try merge(stack)
      case "constraint": return try constraint(stack)
      case "validation": return try validation(stack)
      case "cascade": return try cascade(stack)
      default: return "unknown"
      }
    } catch {
      return "error \((error as NSError).code): \(error.localizedDescription)"
    }
  }

  private func insert(_ stack: CoreDataStack) throws -> String {
    let context = stack.container.newBackgroundContext()
    return try context.performAndWait {
      let album = Album(context: context)
      album.name = "Best of"
      for title in ["Waltz", "Tango"] {
        let song = Song(context: context)
        song.title = title
        song.album = album
      }
      let other = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context) as! Song
      other.setValue("Polka", forKey: "title")
      other.seconds = 95
      try context.save()
      let count = album.songs?.count ?? 0
      return "\(count) songs, \(context.hasChanges ? "unsaved" : "saved")"
    }
  }

  private func titles(_ context: NSManagedObjectContext) throws -> String {
    try context.performAndWait {
      let request: NSFetchRequest<Song> = Song.fetchRequest()
      request.predicate = NSPredicate(format: "%K > %d", #keyPath(Song.seconds), 90)
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let songs: [Song] = try context.fetch(request)
      let count = try context.count(for: request)
      let lines = songs.map { song in
        "\(song.title) \(song.seconds) \(song.album?.name ?? "-") "
          + "\(song.added?.timeIntervalSince1970 ?? -1)"
      }
      return "\(count): " + lines.joined(separator: ", ")
    }
  }

  /// A background save reaches the other context by its notification.
  private func merge(_ stack: CoreDataStack) throws -> String {
    _ = try insert(stack)
    let reader = stack.container.newBackgroundContext()
    let writer = stack.container.newBackgroundContext()
    let waltz = try reader.performAndWait { () throws -> Song in
      let request: NSFetchRequest<Song> = Song.fetchRequest()
      request.predicate = NSPredicate(format: "title == %@", "Waltz")
      return try reader.fetch(request)[0]
    }
    var merged = 0
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
    ) { notification in
      let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
      let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
      merged += updated.count * 10 + inserted.count
      reader.performAndWait { reader.mergeChanges(fromContextDidSave: notification) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try writer.performAndWait {
      let same = try writer.existingObject(with: waltz.objectID) as! Song
      same.seconds = 300
      let new = Song(context: writer)
      new.title = "New"
      try writer.save()
    }
    let seconds = reader.performAndWait { waltz.seconds }
    return "\(seconds) seconds, told \(merged), \(try titles(reader).prefix(1)) songs"
  }

  private func constraint(_ stack: CoreDataStack) throws -> String {
    _ = try insert(stack)
    let refused = try secondAlbum(stack, NSErrorMergePolicy)
    let merged = try secondAlbum(stack, NSMergeByPropertyObjectTrumpMergePolicy)
    return "\(refused), then \(merged)"
  }

  private func secondAlbum(_ stack: CoreDataStack, _ policy: NSMergePolicy) throws -> String {
    let context = stack.container.newBackgroundContext()
    context.mergePolicy = policy
    return try context.performAndWait {
      let second = Album(context: context)
      second.name = "Best of"
      do { try context.save() } catch let error as NSError
        where error.code == NSManagedObjectConstraintMergeError
      {
        return "\(error.code)"
      }
      let request: NSFetchRequest<Album> = Album.fetchRequest()
      return "\(try context.count(for: request)) album"
    }
  }

  private func validation(_ stack: CoreDataStack) throws -> String {
    let context = stack.container.newBackgroundContext()
    return context.performAndWait {
      let song = NSManagedObject(
        entity: stack.container.managedObjectModel.entitiesByName["Song"]!, insertInto: context)
      var codes: [String] = []
      do { try context.save() } catch let error as NSError {
        codes.append("\(error.code) \(error.userInfo[NSValidationKeyErrorKey] ?? "-")")
      }
      context.delete(song)
      let forbidden = Song(context: context)
      forbidden.title = "forbidden"
      do { try context.save() } catch { codes.append("\((error as NSError).code)") }
      context.rollback()
      codes.append(context.hasChanges ? "changes" : "none left")
      return codes.joined(separator: ", ")
    }
  }

  private func cascade(_ stack: CoreDataStack) throws -> String {
    _ = try insert(stack)
    let context = stack.container.newBackgroundContext()
    try context.performAndWait {
      let request: NSFetchRequest<Album> = Album.fetchRequest()
      for album in try context.fetch(request) { context.delete(album) }
      try context.save()
    }
    return try titles(context)
  }
}
