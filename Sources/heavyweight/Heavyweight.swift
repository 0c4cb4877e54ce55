import ArgumentParser
import Harness

@main
struct Heavyweight: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tests, times and debugs Core Data migration chains.")
}
