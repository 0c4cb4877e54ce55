/// What commands have other processes do.
package enum CommandJob: JobRequest {
  case migrate(MigrateJob)
  case draft(DraftJob)
  case crash(CrashJob)
  case smoke(SmokeJob)
  case capture(CaptureJob)

  package var isJudgement: Bool {
    switch self {
    case .migrate(let job): job.isTrial
    case .draft, .crash, .smoke, .capture: true
    }
  }

  package func perform(answering file: URL, tell: (JobProgress) -> Void) async throws {
    switch self {
    case .migrate(let job): try ProcessAnswer.write(await job.perform(tell: tell), to: file)
    case .draft(let job): try ProcessAnswer.write(await job.perform(tell: tell), to: file)
    case .crash(let job): try ProcessAnswer.write(await job.perform(tell: tell), to: file)
    case .smoke(let job): try ProcessAnswer.write(await job.perform(tell: tell), to: file)
    case .capture(let job): try ProcessAnswer.write(await job.perform(tell: tell), to: file)
    }
  }
}
