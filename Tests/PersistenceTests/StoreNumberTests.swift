import Foundation
import Testing

@testable import Persistence

@Suite struct StoreNumberTests {
  /// Whatever an identifier looks like, it is given back as it was.
  @Test(arguments: [
    "6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "memory", "",
  ])
  func anIdentifierComesBack(_ text: String) {
    #expect(StoreNumber(of: text).identifier == text)
    #expect(StoreNumber(of: text) == StoreNumber(of: text))
  }

  @Test func caseTellsIdentifiersApart() {
    let upper = "6F9619FF-8B86-D011-B42D-00C04FC964FE"
    #expect(StoreNumber(of: upper) != StoreNumber(of: upper.lowercased()))
  }
}
