import Foundation
import TestSupport
import Testing

@testable import PolicyCompiler

/// The faults that are made in Swift files.
@Suite struct SourceMutantsTests {
  /// `kind line: title` of each fault in a policy's method.
  private func mutants(inBody body: String, returning type: String = "") -> [String] {
    let text = """
      class SongPolicy: NSEntityMigrationPolicy {
        func helper()\(type.isEmpty ? "" : " -> \(type)") {
      \(body)
        }
      }
      """
    return SourceMutants(text).all().map { "\($0.kind.rawValue) \($0.line): \($0.title)" }
  }

  private func mutated(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    return SourceMutants(text).all().map { mutant in
      String(decoding: bytes[..<mutant.range.lowerBound], as: UTF8.self) + mutant.replacement
        + String(decoding: bytes[mutant.range.upperBound...], as: UTF8.self)
    }
  }

  // MARK: Hooks

  @Test func anOverriddenHookIsLeftToTheSuperclassAndLinesStay() {
    let text = """
      class SongPolicy: NSEntityMigrationPolicy {
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
          count += 1
        }
        func begin(_ song: Song) { count += 1 }
      }
      """
    #expect(
      mutated(text) == [
        """
        class SongPolicy: NSEntityMigrationPolicy {
          


          func begin(_ song: Song) { count += 1 }
        }
        """
      ])
    #expect(SourceMutants(text).all().map(\.title) == ["leave out 'begin' of SongPolicy"])
  }

  // MARK: Conditions

  @Test func conditionsAreNegatedOneByOneAndBindingsAreNot() {
    let found = mutants(
      inBody: """
            if let name, name.isEmpty, count > 1 { stop = true }
            guard names.contains("a, b") else { return }
            while index < names.count { index += 1 }
            if #available(iOS 16, *) {}
        """)
    #expect(
      found == [
        "condition 3: negate 'name.isEmpty'", "condition 3: negate 'count > 1'",
        "condition 4: negate 'names.contains(\"a, b\")'",
        "condition 5: negate 'index < names.count'",
      ])
  }

  @Test func aNegatedConditionIsPutInBrackets() {
    let text = "func f() { if a == b || c == \"x\" { return } }"
    #expect(mutated(text) == ["func f() { if !(a == b || c == \"x\") { return } }"])
  }

  // MARK: Returns

  @Test(arguments: [
    ("[String]", "return names", "[]"), ("[String: Any]", "return values", "[:]"),
    ("String?", "return name", "nil"), ("String", "return name", "\"\""),
    ("Int", "return 3 + count", "0"), ("Bool", "return isNew", "!(isNew)"),
    ("Set<String>", "return all", "[]"),
  ])
  func whatIsReturnedIsEmptiedInItsType(_ type: String, _ statement: String, _ empty: String) {
    let value = statement.dropFirst("return ".count)
    #expect(
      mutants(inBody: "    \(statement)", returning: type) == [
        "return 3: return '\(empty)' instead of '\(value)'"
      ])
  }

  @Test func theOnlyExpressionOfAFunctionIsWhatItReturns() {
    #expect(
      mutants(inBody: "    names.filter { !$0.isEmpty }", returning: "[String]") == [
        "return 3: return '[]' instead of 'names.filter { !$0.isEmpty }'"
      ])
    #expect(mutants(inBody: "    NSPredicate(format: \"x\")", returning: "NSPredicate") == [])
  }

  @Test func nothingIsDoneToWhatIsEmptyOrOfATypeWithoutAnEmptyValue() {
    #expect(mutants(inBody: "    return []", returning: "[Song]") == [])
    #expect(mutants(inBody: "    return song", returning: "Song") == [])
    #expect(mutants(inBody: "    if x { return }") == ["condition 3: negate 'x'"])
  }

  @Test func aReturnedLiteralEndsItsStatement() {
    let found = mutants(
      inBody: """
            switch kind {
            case 1: return flag ? "a" : "b"
            case 2: return \"\\(kind)\"
            default: return "c"
            }
        """, returning: "String")
    #expect(
      found == [
        #"return 4: return '""' instead of 'flag ? "a" : "b"'"#,
        #"return 5: return '""' instead of '"\(kind)"'"#,
        #"return 6: return '""' instead of '"c"'"#,
      ])
  }

  // MARK: Statements

  @Test func callsAndAssignmentsToMembersAreLeftOut() {
    let found = mutants(
      inBody: """
            let name = song.title()
            try manager.associate(
              sourceInstance: a, withDestinationInstance: b, for: mapping)
            song.title = name
              .uppercased()
            count = 3
            values["a"] = 1
            _ = try context.fetch(request)
        """)
    #expect(
      found == [
        "call 4: leave out 'try manager.associate( sourceInstance: a, withDestinationInstance: b, for: mapping)'",
        "assignment 6: leave out 'song.title = name .uppercased()'",
        "assignment 9: leave out 'values[\"a\"] = 1'",
        "call 10: leave out '_ = try context.fetch(request)'",
      ])
  }

  @Test func whatOnlySaysSomethingIsLeftAlone() {
    #expect(
      mutants(
        inBody: """
              print("begun")
              NSLog("%@", name)
              assert(count > 0)
              signposter.endInterval("song", interval)
              if count > 1 {
                print("several")
                NSLog("%d", count)
              }
              // song.save()
          """) == [])
  }

  @Test func aConditionIsNegatedWhereMoreThanSayingDependsOnIt() {
    #expect(
      mutants(
        inBody: """
              if count > 1 { print("several") } else { stop = true }
              if count > 2 { print("many"); stop = true }
              if count > 3 {}
          """) == [
          "condition 3: negate 'count > 1'", "condition 4: negate 'count > 2'",
          "condition 5: negate 'count > 3'",
        ])
  }

  @Test func callsOfHooksThatDoNothingInCoreDataAreLeftAlone() {
    let text = """
      class SongPolicy: NSEntityMigrationPolicy {
        func helper() throws {
          try super.end(mapping, manager: manager)
          try super.createRelationships(forDestination: a, in: mapping, manager: manager)
        }
      }
      class Other: SongPolicy {
        func helper() throws {
          try super.end(mapping, manager: manager)
        }
      }
      class Song: NSManagedObject {
        override func awakeFromInsert() {
          super.awakeFromInsert()
        }
      }
      class Single: Song {
        override func awakeFromInsert() {
          super.awakeFromInsert()
        }
      }
      """
    #expect(SourceMutants(text).all().map(\.line) == [4, 9, 19])
  }

  // MARK: Names

  @Test func declaredNamesAndWordsSayWhichFilesBelongTogether() {
    let mutants = SourceMutants("class A: B { func c() { d() } }\nextension E { }\n")
    #expect(mutants.declaredNames == ["A", "c", "E"])
    #expect(mutants.words.isSuperset(of: ["A", "B", "d"]))
  }
}
