/// A run that was played, with what its store held at each version.
struct PlayedRun {
  var result: RunResult
  /// Empty for a run that didn't get as far as a store.
  var snapshots: [(stage: String, content: ContentSnapshot)] = []
  /// The store that a run on files ended with.
  var ending: StoreEnding?
  /// Whether the run came to its end, be it a failure.
  var isComplete = true
}
