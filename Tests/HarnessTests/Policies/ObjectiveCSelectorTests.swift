import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

struct ObjectiveCSelectorTests {
  @Test(arguments: [
    ("defaultShelf()", "defaultShelf"),
    ("book(_:)", "book:"),
    ("filename(forLibraryWith:)", "filenameForLibraryWith:"),
    ("slug(for:)", "slugFor:"),
    ("filename(library:)", "filenameWithLibrary:"),
    ("priceFor(title:)", "priceForTitle:"),
    ("price(for:manager:)", "priceFor:manager:"),
    ("price(_:currency:)", "price:currency:"),
    ("pair(_:_:)", "pair::"),
    ("format(forms:)", "formatWithForms:"),
    ("sum(a:b:c:)", "sumWithA:b:c:"),
    ("title", "title"),
  ])
  func followsTheCompilersRule(_ swiftName: String, _ selector: String) {
    #expect(ObjectiveCSelector(swiftName: swiftName).name == selector)
  }

  @Test(arguments: [
    ("load()", "loadAndReturnError:"), ("load(from:)", "loadFrom:error:"),
  ])
  func countsTheErrorOfAThrowingMethod(_ swiftName: String, _ selector: String) {
    #expect(ObjectiveCSelector(swiftName: swiftName, isThrowing: true).name == selector)
  }
}
