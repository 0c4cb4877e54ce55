import Foundation

/// When a second thread reads rows ahead of the work on them, and writes those that are made.
package struct BackgroundIO: Sendable, Equatable {
  /// The least number of rows for which a thread and a connection to read them pay.
  let leastRows: Int64
  /// The least number of objects that are handed to a thread to be written.
  let leastObjects: Int

  package static let always = BackgroundIO(leastRows: 0, leastObjects: 0)
  package static let never = BackgroundIO(leastRows: .max, leastObjects: .max)

  /// What is used unless a task says otherwise: a second thread for much work, where there is a
  /// processor for it. `HEAVYWEIGHT_SECOND_THREAD` says `always` or `never`, to see that results don't
  /// hang on it.
  package static let standard: BackgroundIO =
    switch ProcessInfo.processInfo.environment["HEAVYWEIGHT_SECOND_THREAD"] {
    case "always": .always
    case "never": .never
    case _ where ProcessInfo.processInfo.activeProcessorCount < 2: .never
    default: BackgroundIO(leastRows: 4096, leastObjects: 256)
    }

  /// What is used in this task: tests try others.
  @TaskLocal package static var current = standard

  /// Has this thread, when it wakes up, wait for a free processor rather than take that of whoever calls
  /// the policies: woken by that one many times a second, it would be put before it.
  static func standBack() {
    #if os(Linux)
      var parameters = sched_param()
      // Where that may not be, it is slower and nothing else.
      _ = sched_setscheduler(0, batch, &parameters)
    #endif
  }

  /// Linux's `SCHED_BATCH`.
  private static let batch: Int32 = 3
}
