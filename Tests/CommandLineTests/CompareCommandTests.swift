import Foundation
import TestSupport
import Testing

/// `heavyweight compare`: what a change of an app's files makes of a store.
@Suite(.serialized, .tags(.process, .compiles), .tiered) struct CompareCommandTests {
  private func repository() throws -> FieldStore {
    let field = try FieldStore()
    let script = """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null
      git init -q -b main .
      git add App.xcdatamodeld
      git -c user.name=t -c user.email=t@example.com commit -q -m one
      sed -i 's/attributeType="Integer 16" defaultValueString="1"/attributeType="Integer 16" defaultValueString="1" renamingIdentifier="isbn"/; s/name="isbn" optional/name="number" optional/' "App.xcdatamodeld/App 2.xcdatamodel/contents"
      git add App.xcdatamodeld
      git -c user.name=t -c user.email=t@example.com commit -q -m two
      """
    let made = try Tool.run(script: script, [], in: field.folder)
    try #require(made.status == 0, "\(made)")
    return field
  }

  /// The app with another second version, beside the old one in the folder `Old`.
  private func changed(_ change: (String) -> String) throws -> FieldStore {
    let field = try FieldStore()
    let old = field.folder.url.appending(path: "Old")
    try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: field.folder.url.appending(path: "App.xcdatamodeld"),
      to: old.appending(path: "App.xcdatamodeld"))
    let place = "App.xcdatamodeld/App 2.xcdatamodel/contents"
    try field.folder.write(change(field.text(place)), to: place)
    return field
  }

  /// Compares the old models with today's.
  private func compare(_ field: FieldStore, _ arguments: String...) throws -> Tool.Result {
    try Tool.run(
      ["compare", "--old", "Old", "--new", ".", "--models", "App.xcdatamodeld"] + arguments,
      in: field.folder)
  }

  private static let rating = "name=\"rating\" optional=\"YES\" attributeType=\"String\""

  @Test func tellsWhatCameOutDifferentlyObjectByObject() throws {
    let field = try changed {
      $0.replacing(Self.rating, with: Self.rating + " defaultValueString=\"none\"")
    }
    let result = try compare(
      field, "--limit", "1",
      field.store)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.replacing(/in [\d.]+ m?s/, with: "in …") == """
        old  Old
        new  .

        ✗ kept/Make.App.run/store.sqlite
            A  old  version App 2
            B  new  version App 2

               entity  matched by  in A  in B  equal  changed  only A  only B
               Book    row number     3     3      0        3       0       0
               Shelf   row number     2     2      2        0       0       0

            Book: 3 changed (rating 3)
              ~ Book p1 { bought: 2019-03-07T11:12:13Z, isbn: 9783161484100, note: "lent to Jonathan" }
                  rating: null -> "none"
              … and 2 more

            different: 3 changed, 0 only in A, 0 only in B; 2 equal, in …

        1 of 1 store gives a different result

        """)
    #expect(try field.listing == ["App.xcdatamodeld", "Make.scenario.yaml", "Old", "kept"])
  }

  /// The app reads other values, though the store has the same.
  @Test func tellsWhichAttributesHaveAnotherType() throws {
    let field = try changed {
      $0.replacing(Self.rating, with: Self.rating.replacing("String", with: "Binary"))
    }
    let result = try compare(
      field, field.store)
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("    only the old model has Book.rating: string\n"), "\(result)")
    #expect(result.output.contains("    only the new model has Book.rating: data\n"), "\(result)")
  }

  @Test func tellsAnotherValueTransformer() throws {
    let field = try changed {
      $0.replacing(
        Self.rating,
        with: Self.rating.replacing(
          "String\"", with: "Transformable\" valueTransformerName=\"New\""))
    }
    let old = "Old/App.xcdatamodeld/App 2.xcdatamodel/contents"
    try field.folder.write(
      field.text(old).replacing(
        Self.rating, with: Self.rating.replacing("String", with: "Transformable")),
      to: old)
    let result = try compare(
      field, field.store)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains("    only the new model has Book.rating: transformable(New)\n"),
      "\(result)")
  }

  @Test func tellsARelationshipThatIsOrderedNow() throws {
    let books = "name=\"books\""
    let field = try changed { $0.replacing(books, with: books + " ordered=\"YES\"") }
    let result = try compare(
      field, field.store)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains(
        """
            only the old model has Shelf.books: [Book]
            only the new model has Shelf.books: [Book] ordered

        """), "\(result)")
  }

  /// The same rows come out on both sides here, and a device may not give them.
  @Test func tellsWhatIsUnknownOnADeviceOnOneSideOnly() throws {
    let cover = "name=\"cover\" optional=\"YES\" attributeType=\"Binary\""
    let field = try changed {
      $0.replacing(cover, with: cover + " allowsExternalBinaryDataStorage=\"YES\"")
    }
    let result = try compare(field, field.store)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains("    new: unknown on a device: App -> App 2: Book.cover"), "\(result)")
    #expect(!result.output.contains("old: unknown"), "\(result)")
    let same = try Tool.run(
      ["compare", "--old", ".", "--new", ".", "--models", "App.xcdatamodeld", field.store],
      in: field.folder)
    #expect(same.status == 0 && same.output.contains("old: unknown on a device"), "\(same)")
  }

  @Test func whatIsPassedOverInAStoreIsTold() throws {
    let field = try changed { $0 }
    let script =
      "sqlite3 '\(field.store)' 'CREATE TRIGGER t AFTER UPDATE ON ZBOOK BEGIN DELETE FROM ZBOOK; END'"
    try #require(try Tool.run(script: script, [], in: field.folder).status == 0)
    let result = try compare(
      field, field.store)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors
        == "\(field.store): ZBOOK: its triggers never run here, and a migration doesn't take them along: 't'\n"
    )
  }

  @Test func twoThatMigrateNothingAreNotTheSame() throws {
    let field = try changed { $0 }
    let migrated = try field.run(
      "migrate", field.store, "--models", "App.xcdatamodeld", "-o", "New.sqlite")
    try #require(migrated.status == 0, "\(migrated)")
    let result = try compare(
      field, "New.sqlite")
    #expect(result.status == 5, "\(result)")
    #expect(
      result.output == """
        old  Old
        new  .

        ✗ New.sqlite  of the newest version on both sides, so nothing was migrated

        1 of 1 store is of the newest version on both sides, so nothing was migrated

        """)
  }

  /// Objects are compared by what both models have: what only one has isn't passed over.
  @Test func tellsWhatOnlyOneModelHas() throws {
    let field = try changed {
      $0.replacing(Self.rating, with: Self.rating + " renamingIdentifier=\"note\"")
        .replacing("<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/>", with: "")
    }
    let result = try compare(
      field, field.store)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output == """
        old  Old
        new  .

        ✗ kept/Make.App.run/store.sqlite  App 2: the same 5 objects
            only the old model has Book.note

        1 of 1 store gives a different result

        """)
  }

  @Test func tellsAMigrationThatOnlyFailsNow() throws {
    let field = try changed {
      $0.replacing(Self.rating, with: "name=\"rating\" attributeType=\"String\"")
    }
    let result = try compare(
      field, field.store)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains("    old: migrated to App 2\n    new: fails\n      "),
      "\(result.output)")
    #expect(
      result.output.contains("134140") || result.output.contains("134110"), "\(result.output)")
  }

  /// A customer's store of another app, say: that both sides fail is no result that is the same.
  @Test func aStoreOfNoVersionOnEitherSideIsNotPassed() throws {
    let field = try changed { $0 }
    for app in ["", "Old/"] {
      for version in ["App", "App 2"] {
        let place = "\(app)App.xcdatamodeld/\(version).xcdatamodel/contents"
        try field.folder.write(
          try field.text(place).replacing("name=\"title\"", with: "name=\"heading\""), to: place)
      }
    }
    let result = try compare(
      field, "--junit", "r.xml",
      field.store)
    #expect(result.status == 5, "\(result)")
    #expect(
      result.output.hasPrefix(
        """
        old  Old
        new  .

        ✗ \(field.store)  of no version on either side, so nothing was compared:

        """), "\(result.output)")
    #expect(result.output.contains("134130"), "\(result.output)")
    #expect(
      result.output.hasSuffix(
        "\n1 of 1 store is of no version on either side, so nothing was compared\n"),
      "\(result.output)")
    #expect(try field.text("r.xml").contains("<failure type=\"no-version\""))
  }

  @Test func aStoreOfNoVersionIsNamedBesideOthers() throws {
    let field = try changed { $0 }
    try field.folder.write(
      """
      scenario: Another app
      models: { v1: { Thing: { name: string } } }
      seed: { Thing: [{ name: One }] }
      chain: []
      expect:
        - count: { Thing: 1 }

      """, to: "Other.scenario.yaml")
    let made = try field.run(
      "run", "Other.scenario.yaml", "--backend", "sqlite", "--keep", "other")
    try #require(made.status == 0, "\(made)")
    let other = "other/Other.v1.run/store.sqlite"
    let result = try compare(
      field, field.store, other)
    #expect(result.status == 5, "\(result)")
    for text in [
      "✓ \(field.store)  App 2: the same 5 objects\n",
      "✗ \(other)  of no version on either side, so nothing was compared:\n",
      "\n1 of 2 stores is of no version on either side, so nothing was compared\n",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
  }

  @Test func stubsThatNoPoliciesCouldImportAreRefused() throws {
    let field = try changed { $0 }
    let result = try compare(
      field, field.store,
      "--stubs",
      "HealthKit=HealthKit.swift")
    #expect(result.status == 2, "\(result)")
    #expect(
      result.errors.contains(
        "--stubs: error: no policies were found that could import these modules"), "\(result)")
  }

  @Test func comparesCommitsInWhichAPolicyChanged() throws {
    let folder = try TemporaryFolder()
    let app = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scenarios/Smoke/Repaired").standardizedFileURL
    for part in ["Shop.xcdatamodeld", "Mappings", "Policies"] {
      try FileManager.default.copyItem(
        at: app.appending(path: part), to: folder.url.appending(path: part))
    }
    try folder.write(
      """
      scenario: The store
      models: { xcode: Shop.xcdatamodeld, versions: [Shop 7] }
      seed: { Supplier: [{ code: "17" }, { code: "18" }] }
      expect:
        - count: { Supplier: 2 }

      """, to: "Make.scenario.yaml")
    let store = try Tool.run(
      ["run", "Make.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    try #require(store.status == 0, "\(store)")
    let script = """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null
      git init -q -b main .
      git add Shop.xcdatamodeld Mappings Policies
      git -c user.name=t -c user.email=t@example.com commit -q -m one
      sed -i 's/"S-"/"T-"/' Policies/SupplierPolicy.swift
      git -c user.name=t -c user.email=t@example.com commit -q -a -m two
      """
    let made = try Tool.run(script: script, [], in: folder)
    try #require(made.status == 0, "\(made)")
    let names = ["Label", "Note", "Order", "Position", "Supplier"]
    let result = try Tool.run(
      [
        "compare", "kept/Make.Shop 7.run/store.sqlite", "--old", "HEAD~1", "--new", "HEAD",
        "--models", "Shop.xcdatamodeld", "--mappings", "Mappings/Shop7to8.xcmappingmodel",
        "Mappings/Shop6to7.xcmappingmodel", "--policies",
      ] + names.map { "Policies/\($0)Policy.swift" } + ["--module", "Shop"], in: folder)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains(
        """
            Contact: 2 only in A
              - Contact { code: "S-17" }
              - Contact { code: "S-18" }

            Contact: 2 only in B
              + Contact { code: "T-17" }
              + Contact { code: "T-18" }

        """), "\(result.output)")
    // From a folder that the commits have, too, with all that by a project file above it.
    try folder.write(
      """
      models: Shop.xcdatamodeld
      mappings: [Mappings/Shop7to8.xcmappingmodel, Mappings/Shop6to7.xcmappingmodel]
      policies: [\(names.map { "Policies/\($0)Policy.swift" }.joined(separator: ", "))]
      module: Shop

      """, to: "heavyweight.yaml")
    let tool = try Tool.executable().path
    for project in [nil, folder.url.path + "/heavyweight.yaml"] {
      let variable = project.map { "HEAVYWEIGHT_PROJECT='\($0)' " } ?? ""
      let byProject = try Tool.run(
        script: "cd Policies && \(variable)\"$0\" \"$@\"",
        [
          tool, "compare", "../kept/Make.Shop 7.run/store.sqlite", "--old", "HEAD~1", "--new",
          "HEAD",
        ], in: folder)
      #expect(byProject.status == 1, "\(byProject)")
      #expect(
        byProject.output.replacing("../kept", with: "kept").replacing(#/in [\d.]+ m?s/#, with: "")
          == result.output.replacing(#/in [\d.]+ m?s/#, with: ""))
      #expect(
        byProject.errors
          == "model \(project == nil ? "../" : folder.url.path + "/")Shop.xcdatamodeld, from "
          + "\(project ?? "../heavyweight.yaml")\n")
    }
  }

  @Test func comparesCommitsAndLeavesTheRepositoryAlone() throws {
    let field = try repository()
    let before = try Tool.run(
      script: "git status --porcelain; git worktree list", [], in: field.folder)
    let same = try field.run(
      "compare", "--old", "HEAD", "--new", "main", "--models", "App.xcdatamodeld", field.store)
    #expect(same.status == 0, "\(same)")
    #expect(same.output.contains("✓ \(field.store)  App 2: the same 5 objects\n"), "\(same.output)")
    let json = try field.run(
      "compare", "--old", "HEAD~1", "--new", "HEAD", "--models", "App.xcdatamodeld",
      field.store, "--json")
    #expect(json.status == 1, "\(json)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(report["exitStatus"] as? Int == 1)
    let schema = try #require(
      try JSONSerialization.jsonObject(
        with: Data(try field.run("schema", "compare").output.utf8)) as? [String: Any])
    #expect(SchemaCheck(schema).problems(report) == [])
    #expect(((report["old"] as? [String: Any])?["commit"] as? String)?.count == 40)
    let after = try Tool.run(
      script: "git status --porcelain; git worktree list", [], in: field.folder)
    #expect(before.output == after.output)
  }

  @Test func whatIsNeitherFolderNorCommitIsRefused() throws {
    let field = try repository()
    let result = try field.run(
      "compare", "--old", "nowhere", "--new", "HEAD", "--models", "App.xcdatamodeld", field.store)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "nowhere: error: this is neither a folder nor a commit of this repository\n")
    let path = try field.run(
      "compare", "--old", "HEAD", "--new", "HEAD", "--models", "Other.xcdatamodeld", field.store)
    #expect(path.status == 2)
    #expect(
      path.errors.hasPrefix("Other.xcdatamodeld: error: there is no such file or folder in HEAD ("))
  }

  // MARK: The sample

  /// The store of `Scenarios/Comparing` by the planted and the repaired app of `Scenarios/Smoke`.
  @Test func theSamplesDifferInWhatWasRepaired() throws {
    let folder = try TemporaryFolder()
    let scenarios = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scenarios").standardizedFileURL
    let store = try Tool.run(
      [
        "run", scenarios.appending(path: "Comparing/Store.scenario.yaml").path, "--backend",
        "sqlite", "--keep", "kept",
      ], in: folder)
    try #require(store.status == 0, "\(store)")
    let kept = try FileManager.default.subpathsOfDirectory(
      atPath: folder.url.appending(path: "kept").path)
    let path = "kept/" + (try #require(kept.first { $0.hasSuffix(".sqlite") }))
    let apps = ["Planted", "Repaired"].map { scenarios.appending(path: "Smoke/\($0)").path }
    let result = try Tool.run(
      [
        "compare", "--old", apps[0], "--new", apps[1], "--models", "Shop.xcdatamodeld",
        "--mappings", "Mappings/Shop4to5.xcmappingmodel", "--policies", "Policies/*.swift",
        "--module", "Shop", "--to", "Shop 5", path,
      ], in: folder)
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("~ Order"), "\(result.output)")
    #expect(result.output.contains("lines: "), "\(result.output)")
  }
}
