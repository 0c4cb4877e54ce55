import Testing

/// A model that was rebuilt by hand, held against the one it was rebuilt from: what gets lost on the
/// way, and nothing else, is named.
@Suite struct SeededFaultsTests {
  private static func model(
    rule: String, inverse: Bool, _ song: String = ""
  ) -> String {
    let back = inverse ? #"inverseName="album" inverseEntity="Song""# : ""
    return """
      <entity name="Album">
        <attribute name="title" attributeType="String"/>
        <relationship name="songs" optional="YES" toMany="YES" destinationEntity="Song"
          deletionRule="\(rule)" \(back)/>
      </entity>
      <entity name="Song">
        <attribute name="title" optional="YES" attributeType="String"/>\(song)
        <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album"
          deletionRule="Nullify" \(inverse ? #"inverseName="songs" inverseEntity="Album""# : "")/>
      </entity>
      """
  }

  @Test func aModelRebuiltWithCareHasNoFindings() throws {
    let whole = Self.model(rule: "Cascade", inverse: true)
    let versions = try ModelVersions(
      whole,
      Self.model(
        rule: "Cascade", inverse: true,
        #"<attribute name="length" optional="YES" attributeType="Double"/>"#))
    #expect(try versions.findings() == [])
  }

  @Test func exactlyTheSeededFaultsAreListed() throws {
    let versions = try ModelVersions(
      Self.model(rule: "Cascade", inverse: true),
      Self.model(
        rule: "Nullify", inverse: false, #"<attribute name="length" attributeType="Double"/>"#))
    #expect(
      try versions.findings() == [
        "error: App -> App 2: Song.length: is new and required, without a default value: the "
          + "migration fails as soon as one row exists (134110) [required-without-default]",
        "warning: App -> App 2: Album.songs: had the inverse 'album' and has none now: what a device "
          + "does here isn't known. A device may drop the links: without an inverse they are in "
          + "another column. [inverse-removed]",
        "warning: App 2: Album.songs: has no inverse: a deleted Song leaves a dangling reference "
          + "[missing-inverse]",
        "warning: App 2: Song.album: has no inverse: a deleted Album leaves a dangling reference "
          + "[missing-inverse]",
        "note: App -> App 2: Album.songs: delete rule was Cascade and is Nullify "
          + "[delete-rule-changed]",
      ])
  }
}
