import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Migration
@testable import ObjectModel
@testable import Persistence
@testable import Scenarios

/// What is looked for in an anonymized scenario, and found in whatever form it stands there.
@Suite struct LeakProofTests {
  private let model: ManagedObjectModel
  private let proof: LeakProof

  init() throws {
    let text = """
      scenario: A song
      models: { v1: { Song: { title: string, bytes: data?, key: uuid?, link: uri?, code: int64?, day: date? } } }
      seed: { Song: [{ title: Waltz }] }
      expect: [{ count: { Song: 1 } }]
      """
    let file = SourceFile(path: "Song.scenario.yaml", text: text)
    let checked = try CheckedScenario.check(
      ScenarioReader.read(file, in: FileManager.default.temporaryDirectory))
    model = try checked.model("v1")
    let vocabulary = try AppVocabulary(models: [model], mappings: [], policies: [])
    var proof = LeakProof(
      vocabulary: vocabulary, bareText: "scenario seed Song title bytes Waltz count")
    let song = try #require(model.entity(named: "Song"))
    func add(_ value: Value, _ name: String) throws {
      proof.add(value, of: try #require(song.attribute(named: name)))
    }
    try add(.string("Jonathan Süß, Oslo"), "title")
    try add(.string("1"), "title")
    try add(.string("Waltz"), "title")
    try add(.string("4711815"), "title")
    try add(.data(Data("a secret blob".utf8)), "bytes")
    try add(.uuid(try #require(UUID(uuidString: "0A6B35E1-5B44-4C2C-9B1A-9D3C8F4E7A11"))), "key")
    try add(.uri(try #require(URL(string: "https://jonathan.example/p"))), "link")
    self.proof = proof
  }

  private func isFound(_ bytes: Data) -> Bool { !proof.leaks(inFile: Array(bytes), "f").isEmpty }

  @Test func textsAreFoundInEveryEncoding() throws {
    for encoding in [String.Encoding.utf8, .utf16BigEndian, .utf16LittleEndian] {
      #expect(isFound(try #require("x: Jonathan Süß, Oslo".data(using: encoding))), "\(encoding)")
      #expect(isFound(try #require("only Jonathan".data(using: encoding))), "\(encoding)")
    }
    #expect(!isFound(Data("x: Nobody, Rome".utf8)))
  }

  /// A name such as Abed, or a cafe, would be found in any photo.
  @Test func wordsThatDataSpellByChanceAreNoLeaks() throws {
    var proof = proof
    let title = try #require(model.entity(named: "Song")?.attribute(named: "title"))
    proof.add(.string("cafe Abed"), of: title)
    func isFound(_ text: String) -> Bool { !proof.leaks(inFile: Array(text.utf8), "f").isEmpty }
    #expect(!isFound("bytes: 0x00cafe11abed22"))
    #expect(isFound("title: the cafe") && isFound("title: Abed, Rome"))
    #expect(isFound("bytes: 0x20\(Data(" Abed ".utf8).map { String($0, radix: 16) }.joined())20"))
  }

  /// The new words of a large store have every short word somewhere in them.
  @Test func shortWordsWithinOthersAreNoLeaks() throws {
    var proof = proof
    let title = try #require(model.entity(named: "Song")?.attribute(named: "title"))
    for word in ["Rums", "Tonic", "Lavender"] { proof.add(.string(word), of: title) }
    func isFound(_ text: String) -> Bool { !proof.leaks(inFile: Array(text.utf8), "f").isEmpty }
    #expect(!isFound("title: DRumsy, aTonic"))
    #expect(isFound("title: \"Rums\"") && isFound("Tonic_2") && isFound("xLavenderx"))
  }

  @Test func archivesBase64AndHexadecimalDigitsAreLookedInto() throws {
    let list = ["name": "Süß Jonathan", "at": 1] as [String: Any]
    let binary = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    #expect(isFound(binary))
    #expect(isFound(Data("cover: \(binary.base64EncodedString())".utf8)))
    #expect(isFound(Data("cover: 0x\(binary.hexadecimal)".utf8)))
    #expect(isFound(Data("cover: 0x\(Data("a secret blob".utf8).hexadecimal)".utf8)))
    #expect(isFound(Data("cover: xx\(Data("..a secret blob".utf8).base64EncodedString())".utf8)))
  }

  @Test func identifiersAreFoundAsTextAndAsBytes() throws {
    #expect(isFound(Data("0a6b35e1-5b44-4c2c-9b1a-9d3c8f4e7a11".utf8)))
    #expect(
      isFound(
        Data([
          0x0A, 0x6B, 0x35, 0xE1, 0x5B, 0x44, 0x4C, 0x2C, 0x9B, 0x1A, 0x9D, 0x3C, 0x8F, 0x4E, 0x7A,
          0x11,
        ])))
    #expect(isFound(Data("https://jonathan.example/p".utf8)))
  }

  @Test func identifiersInTextsAreFoundAsAWhole() throws {
    var proof = proof
    let title = try #require(model.entity(named: "Song")?.attribute(named: "title"))
    proof.add(.string("1D2C3B4A-FACE-4BAD-8ABE-C0FFEEC0FFEE"), of: title)
    func isFound(_ text: String) -> Bool { !proof.leaks(inFile: Array(text.utf8), "f").isEmpty }
    #expect(isFound(#"["1d2c3b4a-face-4bad-8abe-c0ffeec0ffee"]"#))
    #expect(!isFound("00112233-FACE-4BAD-8ABE-001122334455"))
  }

  @Test func shortTextsAndTheAppsOwnWordsArePassedOver() {
    #expect(!isFound(Data("1 Waltz 1".utf8)))
    #expect(proof.passedOver > 0)
    // Digits alone count where they stand alone.
    #expect(isFound(Data("id: 4711815".utf8)))
    #expect(!isFound(Data("id: 847118153".utf8)))
  }

  @Test func numbersAndDatesAreFoundAsAFileWritesThem() throws {
    var proof = proof
    let song = try #require(model.entity(named: "Song"))
    let number = try #require(song.attribute(named: "code"))
    let date = try #require(song.attribute(named: "day"))
    let day = Date(timeIntervalSince1970: 1_551_957_133)
    proof.add(number: .integer(9_783_161_484_100), of: number)
    proof.add(number: .date(day), of: date)
    let (count, passedOver) = (proof.count, proof.passedOver)
    proof.add(number: .integer(1234), of: number)
    #expect(proof.count == count && proof.passedOver == passedOver + 1)
    func isFound(_ text: String) -> Bool { !proof.leaks(inFile: Array(text.utf8), "f").isEmpty }
    #expect(isFound("{ code: 9783161484100 }"))
    #expect(isFound("{ day: 2019-03-07T11:12:13Z }"))
    #expect(!isFound("{ code: 97831614841001, day: 2019-03-07T11:12:14Z }"))
  }

  @Test func filesOfAFolderAndTheirNamesAreLookedAt() throws {
    let folder = try TemporaryFolder()
    try folder.write("nothing", to: "a/Plain.yaml")
    #expect(try proof.leaks(in: folder.url).isEmpty)
    try folder.write("nothing", to: "a/jonathan.example.Jonathan.yaml")
    #expect(try proof.leaks(in: folder.url).map(\.form).contains("in the file's name"))
  }
}

/// Words that look like others, and hang together like them.
@Suite struct WordAnonymizerTests {
  private func replaced(_ texts: [String], keeping kept: Set<String> = []) -> [String] {
    let words = WordAnonymizer(keeping: kept)
    for text in texts { words.learn(text) }
    words.choose()
    return texts.map(words.replacement)
  }

  @Test func lengthsKindsAndSeparatorsStay() {
    for _ in 0..<20 {
      let text = "Anna-Lena <anna@mail.example>, 42 Größe"
      let new = replaced([text])[0]
      #expect(new != text && new.unicodeScalars.count == text.unicodeScalars.count)
      for (old, new) in zip(text.unicodeScalars, new.unicodeScalars) {
        #expect(old.properties.generalCategory == new.properties.generalCategory, "\(old) \(new)")
        #expect(old.utf8.count == new.utf8.count)
      }
    }
  }

  @Test func equalWordsStayEqualInAnyCaseAndAnywhere() {
    let new = replaced(["Food", "food, friends", "FOOD", "foodie"])
    #expect(new[0].lowercased() == new[2].lowercased())
    #expect(new[1].hasPrefix(new[0].lowercased() + ", "))
    #expect(new[3].hasPrefix(new[0].lowercased()))
    #expect(Set(new).count == 4)
  }

  @Test func orderStaysWhereThereIsRoom() {
    let words = [
      "alder", "birch", "cedar", "cherry", "elm", "fir", "maple", "oak", "pine", "willow",
    ]
    for _ in 0..<20 {
      let new = replaced(words)
      #expect(new == new.sorted())
      #expect(zip(words, new).allSatisfy { $0 != $1 })
    }
  }

  @Test func whatTheAppLooksAtStays() {
    #expect(replaced(["draft", "Draft of Anna"], keeping: ["draft"])[0] == "draft")
    #expect(replaced(["draft", "Draft of Anna"], keeping: ["draft"])[1].hasPrefix("Draft "))
  }
}

/// Numbers and dates in their order.
@Suite struct NumberAnonymizerTests {
  @Test func largeNumbersAndFractionsAreReplacedInOrder() {
    let old = [3.0, 59.3243, 59.9, 1200, 4711, 978_316_148_4100, -1.5]
    for _ in 0..<20 {
      var numbers = NumberAnonymizer(keeping: [4711])
      for number in old { numbers.learn(number) }
      numbers.choose()
      let new = old.map(numbers.replacement)
      #expect(new[0] == 3 && new[4] == 4711)
      #expect(new[1] != old[1] && new[1] < new[2] && new[2] <= old[2])
      #expect(new[5] != old[5] && new[5] >= 1e12 && new[5] < 1e13 && new[5] == new[5].rounded())
      #expect(new[6] < 0 && new[6] > -10)
    }
  }

  /// Powers of ten that aren't exact, the largest whole number, and one that the next multiple is above.
  @Test func replacementsAreNeverLarger() {
    let powers = (3...200).map { Double("1e\($0)") ?? 0 }
    for number in powers + [Double(Int64.max), 1_000_000_000_000_006_784, 1.5, 1234.56] {
      var numbers = NumberAnonymizer(keeping: [])
      numbers.learn(number)
      numbers.choose()
      let new = numbers.replacement(of: number)
      #expect(new <= number && new > number / 10, "\(number) \(new)")
      if number == Double(Int64.max) { #expect(Int64(exactly: new) != nil) }
    }
  }

  /// As many as a store keeps of a Decimal.
  @Test func noReplacementHasMoreThan15Digits() {
    for _ in 0..<20 {
      var numbers = NumberAnonymizer(keeping: [])
      numbers.learn(4e29)
      numbers.choose()
      let new = numbers.replacement(of: 4e29)
      #expect(new >= 1e29 && new < 4e29 && "\(new)".count <= "1.23456789012345e+29".count, "\(new)")
    }
  }

  @Test func datesKeepTheirOrderAndWhatStandsForNone() throws {
    let seconds: [Double] = [0, 864_000, 864_061.5, 3e8, 3e8 + 1]
    let old = seconds.map(Date.init(timeIntervalSinceReferenceDate:))
    var dates = DateAnonymizer()
    for date in old { dates.learn(date) }
    dates.choose()
    let new = old.map(dates.replacement)
    #expect(new[0] == old[0])
    #expect(Array(new.dropFirst()) == new.dropFirst().sorted())
    #expect(zip(old, new).dropFirst().allSatisfy { $0 != $1 })
    #expect(new[1].timeIntervalSinceReferenceDate.remainder(dividingBy: 86_400) == 0)
  }
}

/// The smallest part of a list that still does what all of it does.
@Suite struct DeltaDebuggingTests {
  private func minimum(
    of count: Int, fails: @escaping ([Int]) -> Bool
  ) async throws -> (part: [Int], tries: Int) {
    var tries = 0
    let part = try await DeltaDebugging<Int> { parts in
      tries += parts.count
      return parts.firstIndex(where: fails)
    }.minimum(of: Array(0..<count))
    return (part, tries)
  }

  @Test func findsOneOfTenThousandInFewTries() async throws {
    let (part, tries) = try await minimum(of: 10_000) { $0.contains(7321) }
    #expect(part == [7321])
    #expect(tries < 60)
  }

  @Test func findsElementsThatOnlyFailTogether() async throws {
    let (part, _) = try await minimum(of: 1000) { Set([17, 500, 999]).isSubset(of: $0) }
    #expect(part == [17, 500, 999])
  }

  @Test func findsThatNothingIsNeeded() async throws {
    let (part, tries) = try await minimum(of: 100) { _ in true }
    #expect(part.isEmpty && tries == 1)
  }
}

/// Numbers and dates that stand for others are none of the old ones, if that can be.
@Suite struct OldAndNewValueTests {
  @Test func noneIsAnOldOneWhereThereIsRoom() {
    for _ in 0..<20 {
      let old = (0..<200).map { 100_000 + Double($0 * 7) } + [999_999, 12.25, 99.5]
      var numbers = NumberAnonymizer(keeping: [])
      for number in old { numbers.learn(number) }
      numbers.choose()
      let new = old.map(numbers.replacement)
      #expect(Set(new.prefix(201)).isDisjoint(with: old))
      #expect(new.prefix(201).sorted() == Array(new.prefix(201)))
      #expect(numbers.crowded.isEmpty)
    }
  }

  @Test func numbersThatLieCloseAreSaidTo() {
    var numbers = NumberAnonymizer(keeping: [])
    for number in 100_000...100_005 { numbers.learn(Double(number)) }
    numbers.choose()
    #expect(numbers.crowded.count == 6)
  }

  @Test func noDateIsAnOldOne() {
    let start = Date(timeIntervalSince1970: 1_500_000_000)
    let old = (0..<400).map { start + Double($0) * 86_400 }
    var dates = DateAnonymizer()
    for date in old { dates.learn(date) }
    dates.choose()
    #expect(dates.crowded.isSubset(of: old))
    #expect(
      Set(old.map(dates.replacement)).intersection(old) == dates.crowded
        && Set(old.map(dates.replacement)).count == 400)
  }
}
