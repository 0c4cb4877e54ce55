import CoreData

/// The app's model, built in code.
enum MusicModel {
  static func make() -> NSManagedObjectModel {
    let album = NSEntityDescription()
    album.name = "Album"
    album.managedObjectClassName = NSStringFromClass(Album.self)

    let song = NSEntityDescription()
    song.name = "Song"
    song.managedObjectClassName = NSStringFromClass(Song.self)

    let title = attribute("title", .stringAttributeType, isOptional: false)
    let seconds = NSAttributeDescription()
    seconds.name = "seconds"
    seconds.defaultValue = 180
    seconds.attributeType = .integer32AttributeType
    seconds.isOptional = false
    let added = attribute("added", .dateAttributeType)

    let songs = NSRelationshipDescription()
    let inAlbum = NSRelationshipDescription()
    songs.name = "songs"
    songs.destinationEntity = song
    songs.inverseRelationship = inAlbum
    songs.deleteRule = .cascadeDeleteRule
    songs.minCount = 0
    songs.maxCount = 0
    inAlbum.name = "album"
    inAlbum.destinationEntity = album
    inAlbum.inverseRelationship = songs
    inAlbum.maxCount = 1
    inAlbum.isOptional = true

    album.properties = [attribute("name", .stringAttributeType, isOptional: false), songs]
    album.uniquenessConstraints = [["name"]]
    song.properties = [title, seconds, added]
    song.properties.append(inAlbum)
    song.indexes = [
      NSFetchIndexDescription(
        name: "byTitle",
        elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
    ]

    let model = NSManagedObjectModel()
    model.entities = [album, song]
    model.setEntities([album, song], forConfigurationName: "Music")
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, isOptional: Bool = true
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = isOptional
    return attribute
  }
}
