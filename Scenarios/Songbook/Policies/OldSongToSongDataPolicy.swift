import CoreData

/// Moves a song's text into an object of its own.
class OldSongToSongDataPolicy: SongbookPolicy {
  /// `FUNCTION($entityPolicy, "contentsOfText:", $source.text)`
  func contents(ofText text: String?) -> Data? {
    text.map { Data($0.utf8) }
  }
}
