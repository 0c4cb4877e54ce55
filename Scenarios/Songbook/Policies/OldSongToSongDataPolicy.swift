import CoreData

/// Moves a song's text into an object of its own.
class OldSongToSongDataPolicy: SongbookPolicy {
  /// `FUNCTION($entityPolicy, "contentsOfText:", $source.text)`
  @objc func contents(ofText text: String?) -> Data? {
    text.map { Data($0.utf8) }
  }
}
