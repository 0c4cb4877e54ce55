import Foundation
import ObjectModel
import TestSupport
import Testing

@Suite struct SHA2Tests {
  /// The examples of FIPS 180-4.
  @Test func digestsAreThoseOfTheStandard() {
    #expect(
      SHA2.hash(Data()).hexadecimal
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      SHA2.hash(Data("abc".utf8)).hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA2.hash(Data("abc".utf8), .bits512).hexadecimal
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  }

  /// Wherever the end of a block is, whole or in pieces, as coreutils have it.
  @Test(arguments: [
    (SHA2.Size.bits256, false, "sha256sum"), (.bits256, true, "sha256sum"),
    (.bits512, false, "sha512sum"),
  ])
  func digestsAreThoseOfAnotherProgram(
    _ size: SHA2.Size, _ isPortable: Bool, _ program: String
  ) throws {
    let folder = try TemporaryFolder()
    for count in [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 70_000] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
      let file = folder.url.appending(path: "bytes")
      try Data(bytes).write(to: file)
      let expected = try output(of: program, file.path).prefix { $0 != " " }
      var whole = SHA2(size, isPortable: isPortable)
      whole.update(bytes)
      #expect(whole.value.hexadecimal == expected, "\(count) bytes")
      var digest = SHA2(size, isPortable: isPortable)
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...200))
        digest.update(piece)
        _ = digest.value
        rest = rest.dropFirst(piece.count)
      }
      #expect(digest.value.hexadecimal == expected, "\(count) bytes in pieces")
    }
  }

  private func output(of program: String, _ argument: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program, argument]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
