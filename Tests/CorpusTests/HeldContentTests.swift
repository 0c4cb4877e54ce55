import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// The in-memory backend holds what a real store holds.
@Suite(
  "Memory holds the content of real stores", .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .tags(.corpus), .tiered)
struct HeldContentTests {
  @Test(arguments: InspectTests.all)
  func aCopyInMemoryHasTheSameContent(_ known: InspectTests.Known) throws {
    let family = try #require(InspectTests.families[known.models])
    let model = try #require(family.version(named: known.versions[0]))
    let file = try SQLiteStore.openReadOnly(at: Corpus.url(known.store), model: model)
    let memory = try InMemoryStore.copying(file, model: model)
    let (stored, held) = (
      try ContentSnapshot(of: file, provenance: Provenance()),
      try ContentSnapshot(of: memory, provenance: Provenance())
    )
    #expect(stored.objects.count == (try EntityCounts(of: file).total))
    #expect(stored.isEqual(to: held))
    #expect(stored.differences(from: held) == [])
    try file.close()
  }
}
