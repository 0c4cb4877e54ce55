import Foundation

/// When a second thread reads rows ahead of the work on them, and writes those that are made.
package struct SecondThread: Sendable, Equatable {
  /// The least number of rows for which a thread and a connection to read them pay.
  let leastRows: Int64
  /// The least number of objects that are handed to a thread to be written.
  let leastObjects: Int
  /// How many batches are written at once after one that somebody had to wait for: where what was made is
  /// looked up again, the second thread only costs.
  let passedBatches: Int

  package static let always = SecondThread(leastRows: 0, leastObjects: 0, passedBatches: 0)
  package static let never = SecondThread(leastRows: .max, leastObjects: .max, passedBatches: 0)

  /// What is used unless a task says otherwise: a second thread for much work, where there is a
  /// processor for it. `HEAVYWEIGHT_SECOND_THREAD` says `always` or `never`, to see that results don't
  /// hang on it.
  package static let standard: SecondThread =
    switch ProcessInfo.processInfo.environment["HEAVYWEIGHT_SECOND_THREAD"] {
    case "always": .always
    case "never": .never
    case _ where ProcessInfo.processInfo.activeProcessorCount < 2: .never
    default: SecondThread(leastRows: 4096, leastObjects: 256, passedBatches: 32)
    }

  /// What is used in this task: tests try others.
  @TaskLocal package static var current = standard
}
