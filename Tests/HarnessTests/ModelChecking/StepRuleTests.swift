import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What happens to data from one version to the next.
@Suite struct StepRuleTests {
  private static func song(_ properties: String) -> String {
    #"<entity name="Song">\#(properties)</entity>"#
  }

  private static let title = #"<attribute name="title" attributeType="String" optional="YES"/>"#
  private static let step = "App -> App 2"

  private func findings(_ old: String, _ new: String) throws -> [String] {
    try ModelVersions(old, new).findings()
  }

  @Test(
    "Each change is named, with what it does to rows",
    arguments: [
      (
        song(title), song(title + #"<attribute name="seconds" attributeType="Double"/>"#),
        "error: \(step): Song.seconds: is new and required, without a default value: the migration "
          + "fails as soon as one row exists (134110) [required-without-default]"
      ),
      (
        song(title), song(#"<attribute name="title" attributeType="String"/>"#),
        "warning: \(step): Song.title: was optional and is now required, without a default value: one row without "
          + "a value fails the migration (134110) [now-required]"
      ),
      (
        song(title),
        song(
          title
            + "<uniquenessConstraints><uniquenessConstraint><constraint value='title'/>"
            + "</uniquenessConstraint></uniquenessConstraints>"),
        "warning: \(step): Song.title: must now be unique: two rows with equal values fail the "
          + "migration (134110) [constraint-added]"
      ),
      (
        song(title), song(""),
        "note: \(step): Song.title: is removed: its values are lost without an error "
          + "[removed-property]"
      ),
      (
        song(title), song(#"<attribute name="name" attributeType="String" optional="YES"/>"#),
        "warning: \(step): Song.title: is removed and 'name' added: if this is a rename, its values are "
          + "lost without an error [possible-rename]"
      ),
      (
        song(title), #"<entity name="Track">\#(title)</entity>"#,
        "warning: \(step): Song: is removed and 'Track' added: if this is a rename, its objects are lost "
          + "without an error [possible-entity-rename]"
      ),
      (
        song(title), #"<entity name="Album"/>"#,
        "note: \(step): Song: is removed: its objects are lost without an error [removed-entity]"
      ),
      (
        song(title) + #"<entity name="Thing"/>"#,
        #"<entity name="Song" parentEntity="Thing">\#(title)</entity><entity name="Thing"/>"#,
        "warning: \(step): Thing: Thing and Song, with tables of their own, become one entity hierarchy below "
          + "Thing: what a device does here isn't known. It may end in 134190, \"Cannot merge multiple root entity "
          + "source tables into one destination entity root table\", as where both get a new parent. [joined-tables]"
      ),
      (
        song(#"<attribute name="n" optional="YES" attributeType="Integer 64"/>"#),
        song(#"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#),
        "warning: \(step): Song.n: was Integer 64 and is Integer 16: values that don't fit are "
          + "changed without an error [narrowed-type]"
      ),
      (
        song(
          #"<attribute name="n" optional="YES" attributeType="String" maxValueString="9" regularExpressionString="A*"/>"#
        ),
        song(
          #"<attribute name="n" optional="YES" attributeType="String" minValueString="2" maxValueString="8"/>"#
            + #"<attribute name="new" optional="YES" attributeType="String"/>"#
        ),
        "warning: \(step): Song.n: minimum was none and is 2, maximum was 9 and is 8: objects that don't keep to "
          + "it can't be saved any more, and fail a step with a mapping model [bounds-narrowed]"
      ),
      (
        song(
          #"<relationship name="s" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Song" inverseName="s"/>"#
        ),
        song(
          #"<relationship name="s" optional="YES" toMany="YES" maxCount="5" deletionRule="Nullify" destinationEntity="Song" inverseName="s"/>"#
        ),
        "warning: \(step): Song.s: maximum count was none and is 5: objects that don't keep to it can't be "
          + "saved any more, and fail a step with a mapping model [bounds-narrowed]"
      ),
      (
        song(#"<attribute name="title" attributeType="String" optional="YES"/>"#),
        song(
          #"<attribute name="title" attributeType="String" optional="YES" elementID="name"/>"#
            + #"<attribute name="added" attributeType="Date" optional="YES"/>"#),
        "warning: \(step): Song.title: was known as 'title' and is known as 'name' now: what a device does here isn't "
          + "known. By the definition these are two elements, so that its content is lost; a device may keep it for "
          + "its name. [identifier-changed]"
      ),
      (
        song(
          #"<attribute name="second" attributeType="String" optional="YES" elementID="first"/>"#),
        song(
          #"<attribute name="third" attributeType="String" optional="YES" elementID="second"/>"#),
        "warning: \(step): Song.second: is removed, and 'third' has the renaming identifier 'second', which nothing "
          + "is known as in the version before: its values are lost without an error [lost-identifier]"
      ),
      (
        #"<entity name="Song" elementID="Piece">\#(title)</entity>"#,
        #"<entity name="Track" elementID="Song">\#(title)</entity>"#,
        "warning: \(step): Song: is removed, and 'Track' has the renaming identifier 'Song', which nothing is known "
          + "as in the version before: its objects are lost without an error [lost-identifier]"
      ),
      (
        song(
          #"<attribute name="art" attributeType="Transformable" optional="YES" "#
            + #"valueTransformerName="ToData"/>"#),
        song(
          #"<attribute name="art" attributeType="Transformable" optional="YES" "#
            + #"valueTransformerName="NSSecureUnarchiveFromData" versionHashModifier="s"/>"#),
        "warning: \(step): Song.art: was written by ToData and is read by "
          + "NSSecureUnarchiveFromData: values that this can't read, such as objects of other classes than it allows, "
          + "become unreadable [transformer-changed]"
      ),
    ])
  func changesAreNamed(old: String, new: String, finding: String) throws {
    #expect(try findings(old, new) == [finding])
  }

  @Test func conditionsOfCompiledModelsAreBounds() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "App.momd"), withIntermediateDirectories: false)
    for (name, conditions) in [("App", []), ("App 2", ["SELF != 'x'"])] {
      let song = EntityDescription(name: "Song")
      let title = AttributeDescription(name: "title", type: .string)
      title.validationConditions = conditions.map { .init(predicateFormat: $0) }
      let own = AttributeDescription(name: name.replacing(" ", with: ""), type: .string)
      song.ownProperties = [title, own]
      let model = try ManagedObjectModel(entities: [song], name: name)
      try ModelArchive.encodeCompiledModel(model, predicates: PredicateArchiver())
        .write(to: folder.url.appending(path: "App.momd/\(name).mom"))
    }
    let path = folder.url.appending(path: "App.momd").path
    let found = try CheckCommand.parse([path]).report(on: [path]).findings
    #expect(
      found.filter { $0.rule == .boundsNarrowed }.map(\.message) == [
        "condition was none and is SELF != \"x\": objects that don't keep to it can't be saved any more, and fail a "
          + "step with a mapping model"
      ])
  }

  @Test(arguments: [
    ("Integer 32", "9", "Double", "9", false), ("Double", "9", "Integer 32", "8", true),
    ("Integer 64", "9007199254740992", "Integer 64", "9007199254740993", false),
    ("Integer 64", "9007199254740993", "Integer 64", "9007199254740992", true),
  ])
  func boundsAreComparedAsNumbers(
    type: String, old: String, newType: String, new: String, isNarrower: Bool
  ) throws {
    func song(_ type: String, _ most: String) -> String {
      Self.song(
        #"<attribute name="n" optional="YES" attributeType="\#(type)" maxValueString="\#(most)"/>"#)
    }
    let found = try findings(song(type, old), song(newType, new))
    #expect(found.contains { $0.contains("[bounds-narrowed]") } == isNarrower, "\(found)")
  }

  /// What another rule says of the same change is said once.
  @Test func aMinimumThatIsDoubtedIsSaidOnce() throws {
    func song(_ least: String) -> String {
      Self.song(
        #"<relationship name="s" toMany="YES" \#(least) deletionRule="Nullify" destinationEntity="Song" inverseName="s"/>"#
      )
    }
    let found = try findings(song(""), song(#"minCount="2""#))
    #expect(found.count == 1 && found[0].contains("[minimum-added]"), "\(found)")
  }

  @Test(arguments: [
    (song(title), song(title + #"<attribute name="x" optional="YES" attributeType="Date"/>"#)),
    (
      song(title),
      song(title + #"<attribute name="x" attributeType="Integer 16" defaultValueString="0"/>"#)
    ),
    (
      song(title),
      song(#"<attribute name="name" attributeType="String" optional="YES" elementID="title"/>"#)
    ),
    (
      song(#"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#),
      song(#"<attribute name="n" optional="YES" attributeType="Integer 32"/>"#)
    ),
    (song(title), song(title) + #"<entity name="Album"/>"#),
  ])
  func harmlessChangesAreNotMentioned(old: String, new: String) throws {
    #expect(try findings(old, new) == [])
  }

  @Test func relationshipsAreComparedBeyondTheirHashes() throws {
    func model(_ rule: String, _ ordered: String) -> String {
      """
      <entity name="Album"><relationship name="songs" optional="YES" toMany="YES" \(ordered)
        deletionRule="\(rule)" destinationEntity="Song" inverseName="album"/></entity>
      <entity name="Song"><relationship name="album" optional="YES" maxCount="1"
        deletionRule="Nullify" destinationEntity="Album" inverseName="songs"/></entity>
      """
    }
    let findings = try findings(model("Cascade", "ordered='YES'"), model("Nullify", ""))
    #expect(
      findings == [
        "note: App -> App 2: Album.songs: was ordered and no longer is: the order is lost without "
          + "an error [order-lost]",
        "note: App -> App 2: Album.songs: delete rule was Cascade and is Nullify "
          + "[delete-rule-changed]",
      ])
  }

  @Test func anImpossibleStepIsNamedWithCoreDatasCodes() throws {
    let versions = try ModelVersions(
      Self.song(Self.title),
      Self.song(#"<attribute name="title" attributeType="Date" optional="YES"/>"#))
    let report = try versions.check()
    #expect(report.exitStatus == .failed)
    #expect(report.steps.map(\.verdict.name) == ["impossible"])
    #expect(report.steps[0].verdict.error?.code.rawValue == 134140)
    #expect(
      try versions.findings() == [
        "error: App -> App 2: Song.title: Source and destination attribute types are incompatible "
          + "(134140) [step-impossible]"
      ])
  }

  @Test func anInheritedPropertyIsNamedOnce() throws {
    let subentities =
      #"<entity name="A" parentEntity="Song"/><entity name="B" parentEntity="Song"/>"#
    #expect(
      try findings(Self.song(Self.title) + subentities, Self.song("") + subentities) == [
        "note: App -> App 2: Song.title: is removed: its values are lost without an error "
          + "[removed-property]"
      ])
  }

  @Test func elementsOfCompositesAreNamedLikeAttributes() throws {
    func home(_ elements: String..., type: String = "String") -> String {
      let attributes = elements.map {
        #"<attribute name="\#($0)" attributeType="\#(type)" optional="YES"/>"#
      }
      return Self.song(
        #"<attribute name="home" attributeType="Composite" composite="Home" optional="YES"/>"#)
        + #"<composite name="Home">\#(attributes.joined())</composite>"#
    }
    #expect(
      try findings(home("street", "city"), home("street", "town")) == [
        "warning: App -> App 2: Song.home.city: is removed and 'town' added: if this is a rename, its values are "
          + "lost without an error [possible-rename]"
      ])
    #expect(
      try findings(home("street", "city"), home("street")) == [
        "note: App -> App 2: Song.home.city: is removed: its values are lost without an error "
          + "[removed-property]"
      ])
    #expect(
      try findings(home("number", type: "Double"), home("number", type: "Integer 16")) == [
        "warning: App -> App 2: Song.home.number: was Double and is Integer 16: values that don't fit are changed "
          + "without an error [narrowed-type]"
      ])
    let other = #"Transformable" valueTransformerName="Sealed"#
    #expect(
      try findings(home("image", type: "Transformable"), home("image", type: other))
        .contains { $0.hasPrefix("warning: App -> App 2: Song.home.image: was written by ") })
  }

  // MARK: In one step

  @Test func valuesThatSurviveOnlyVersionByVersionAreNamed() throws {
    func named(_ name: String, was old: String) -> String {
      Self.song(
        #"<attribute name="\#(name)" attributeType="String" optional="YES" elementID="\#(old)"/>"#)
    }
    let other = #"<entity name="A"/>"#
    let versions = try ModelVersions(
      Self.song(Self.title), named("title", was: "tune") + other, named("name", was: "tune") + other
    )
    #expect(
      try versions.findings() == [
        "warning: App -> App 2: Song.title: was known as 'title' and is known as 'tune' now: what a device does here "
          + "isn't known. By the definition these are two elements, so that its content is lost; a device may keep it "
          + "for its name. [identifier-changed]",
        "warning: App -> App 3: Song.title: becomes Song.name version by version, but is lost in "
          + "one step [lost-in-one-step]",
      ])
  }

  @Test func versionsWithoutAWayInOneStepAreNamedTogether() throws {
    let other = Self.song(#"<attribute name="title" attributeType="Date" optional="YES"/>"#)
    let versions = try ModelVersions(
      Self.song(Self.title), Self.song(Self.title) + #"<entity name="A"/>"#, "", other)
    #expect(
      try versions.check().direct.map(\.verdict.name).prefix(2) == ["impossible", "impossible"])
    #expect(
      try versions.findings().filter { $0.contains("[no-direct-path]") } == [
        "warning: App ... App 2: no way to App 4 in one step: Song.title: Source and destination "
          + "attribute types are incompatible (134140) [no-direct-path]"
      ])
  }

  /// The hashes of both versions may be the same: a store of the configuration is migrated all the same.
  @Test func anEntityThatLeavesAConfigurationIsNamed() throws {
    func model(cloud: [String], local: [String], name: String = "Local") -> String {
      func configuration(_ name: String, _ members: [String]) -> String {
        let elements = members.map { #"<memberEntity name="\#($0)"/>"# }.joined()
        return #"<configuration name="\#(name)">\#(elements)</configuration>"#
      }
      return Self.song(Self.title) + #"<entity name="Setting"/>"# + configuration("Cloud", cloud)
        + configuration(name, local)
    }
    let old = model(cloud: ["Song"], local: ["Setting"])
    let left = try findings(old, model(cloud: ["Song", "Setting"], local: []))
    #expect(
      left.filter { $0.contains("[configuration-left]") } == [
        "warning: App -> App 2: Setting: leaves the configuration 'Local': stores of it have no place for its objects any "
          + "more [configuration-left]"
      ])
    // A store doesn't have its configuration's name, and an app may give it another one.
    for new in [
      model(cloud: ["Song", "Setting"], local: ["Setting"]),
      model(cloud: ["Song"], local: ["Setting"], name: "Device"),
    ] {
      #expect(try findings(old, new).allSatisfy { !$0.contains("[configuration-left]") })
    }
  }
}
