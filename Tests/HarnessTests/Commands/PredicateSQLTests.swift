import TestSupport
import Testing

@testable import Commands

@Suite struct PredicateSQLTests {
  private func sql(_ format: String, _ object: String, variables: [String] = []) -> String {
    var call = PredicateCall(format, object: object)
    call.request.wantsSQL = true
    call.request.variables = variables
    let output = call.run().output
    return output.firstRange(of: "SQL for ").map { String(output[$0.lowerBound...]) } ?? output
  }

  @Test func theModelFollowsTheObject() {
    let object = """
      {"name": "Anna", "age": 3, "height": 1.5, "born": {"$date": 1}, "nick": null,
       "tags": ["a"], "none": [], "city": {"name": "Oslo"}, "pets": [{"age": 1}, {"age": 1.5}],
       "not a name": 1}
      """
    #expect(
      sql("TRUEPREDICATE", object) == """
        SQL for Object: age Integer 64, born Date, city City, height Double, name String, \
        nick String, none Transformable, pets [Pets], tags Transformable
          SELECT * FROM ZOBJECT AS t0 WHERE 1 ORDER BY Z_PK

        """)
  }

  @Test func parametersHaveTheirValues() {
    #expect(
      sql("age > $n AND name == 'x'", #"{"age": 3, "name": "y"}"#, variables: ["n=2"]) == """
        SQL for Object: age Integer 64, name String
          SELECT * FROM ZOBJECT AS t0 WHERE (t0.ZAGE > ? AND t0.ZNAME = ?) ORDER BY Z_PK
          ?1 = 2
          ?2 = "x"

        """)
  }

  @Test func relationshipsAreFollowed() {
    #expect(
      sql("ANY pets.age > 1", #"{"pets": [{"age": 1, "owner": null}, {"age": 1.5}]}"#) == """
        SQL for Object: pets [Pets]
          SELECT * FROM ZOBJECT AS t0 WHERE EXISTS (SELECT 1 FROM ZPETS AS hw1 WHERE \
        hw1.ZOWNER2 = t0.Z_PK AND hw1.ZAGE > ?) ORDER BY Z_PK
          ?1 = 1

        """)
    #expect(sql("city.name == 'x'", #"{"city": {"name": "y"}}"#).contains("FROM ZCITY AS hw1"))
  }

  @Test func sameNamesAtSeveralPlacesAreSeveralEntities() {
    let text = sql(
      "a.object.x == 1 AND object.x == 'x'", #"{"a": {"object": {"x": 1}}, "object": {"x": "y"}}"#)
    #expect(text.contains("SQL for Object: a A, object Object3\n"))
    #expect(text.contains("ZOBJECT2"))
    #expect(!text.contains("none"))
  }

  @Test func whatHasNoSQLSaysWhy() {
    #expect(
      sql("age > 'x'", #"{"age": null, "at": 1}"#).contains("WHERE t0.ZAGE > ?"))
    #expect(
      sql("AGE == 1", #"{"age": 1}"#) == """
        SQL for Object: age Integer 64
          none; fetches evaluate it in memory
          No SQL for AGE: keypath AGE not found in entity Object
          refused by Core Data's SQLite store: keypath AGE not found in entity Object
          do: Use a stored property of the model, or fetch without this part and filter in memory.

        """)
    #expect(
      sql("ALL pets.age > 1", #"{"pets": [{"age": 1}]}"#).hasSuffix(
        """
          ?1 = 1
          refused by Core Data's SQLite store: unimplemented SQL generation for predicate : \
        (ALL pets.age > 1)
          do: ALL can be written SUBQUERY(…, $x, NOT …).@count == 0; ANY needs a to-many key; \
        anything else is for a filter in memory.

        """))
  }

  @Test(arguments: [("ALL pets.age > 1", Terminal.ExitStatus.failed), ("pets.@count > 1", .passed)])
  func whatADeviceRefusesIsAFailure(_ format: String, _ status: Terminal.ExitStatus) {
    var call = PredicateCall(format, object: #"{"pets": [{"age": 1}]}"#)
    call.request.wantsSQL = true
    #expect(call.run().status == status)
  }

  @Test func anObjectWithoutKeysHasNoModel() {
    var call = PredicateCall("SELF > 1", object: "3")
    call.request.wantsSQL = true
    let result = call.run()
    #expect(result.status == .badInput)
    #expect(
      result.errors
        == "error: --sql needs an --object with keys, or --models and --entity.\n")
  }
}

// MARK: - Models of Xcode's

@Suite struct PredicateModelTests {
  private func models() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (version, attribute) in [("App", "title"), ("App 2", "name")] {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Book" representedClassName="Book">
            <attribute name="\(attribute)" optional="YES" attributeType="String"/>
          </entity>
        </model>

        """, to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    return folder
  }

  private func run(
    _ folder: TemporaryFolder, entity: String = "Book", version: String?
  ) -> (status: Terminal.ExitStatus, output: String, errors: String) {
    var call = PredicateCall("name == 'x'")
    call.request.wantsSQL = true
    call.request.models = folder.url.appending(path: "App.xcdatamodeld").path
    call.request.entity = entity
    call.request.version = version
    let result = call.run()
    return (result.status, result.output, result.errors.replacing(folder.url.path + "/", with: ""))
  }

  @Test func theVersionDecides() throws {
    let folder = try models()
    #expect(
      run(folder, version: "App 2").output.hasSuffix(
        """
        SQL for Book: name String
          SELECT * FROM ZBOOK AS t0 WHERE t0.ZNAME = ? ORDER BY Z_PK
          ?1 = "x"

        """))
    #expect(
      run(folder, version: "App").output.hasSuffix(
        """
          No SQL for name: keypath name not found in entity Book
          refused by Core Data's SQLite store: keypath name not found in entity Book
          do: Use a stored property of the model, or fetch without this part and filter in memory.

        """))
  }

  @Test func namesThatDoNotExistAreMistakes() throws {
    let folder = try models()
    let version = run(folder, version: "Ap")
    #expect(version.status == .badInput)
    #expect(version.errors.hasPrefix("error: App.xcdatamodeld has no version 'Ap'; did you mean"))
    // Without a file that says so, the newest version is current.
    #expect(run(folder, entity: "Bok", version: nil).errors.hasPrefix("error: App 2 has no entity"))
    #expect(
      run(folder, entity: "Bok", version: "App").errors
        == "error: App has no entity 'Bok'; did you mean 'Book'?\n")
  }
}
