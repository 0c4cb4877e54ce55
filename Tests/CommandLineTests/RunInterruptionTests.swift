import Foundation
import TestSupport
import Testing

/// What is left when a run is cut off, and who goes on.
@Suite(.tags(.process), .tiered)
struct RunInterruptionTests {
  /// A policy that says through a pipe that it runs, and then never ends.
  private static let policy = """
    import CoreData
    class AppPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        let pipe = FileHandle(forWritingAtPath: ProcessInfo.processInfo.environment["HOLD_PIPE"]!)
        pipe?.write(Data("x".utf8))
        while manager.migrationProgress >= 0 {}
      }
    }

    """

  private static let models = """
    models:
      v1: { Event: { name: string } }
      v2: { Event: { name: string, length: int64? } }
    seed: { Event: [{ name: fine }] }

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Policy.swift")
    try folder.write(
      """
      scenario: A policy never ends
      \(Self.models)policies: { module: App, sources: Policy.swift }
      chain: [v1 -> v2: { EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy } }]
      expect: [{ count: { Event: 1 } }]

      """, to: "Held.scenario.yaml")
    try folder.write(
      """
      scenario: Nothing special
      \(Self.models)chain: [v1 -> v2]
      expect: [{ count: { Event: 1 } }]

      """, to: "Plain.scenario.yaml")
    return folder
  }

  /// Calls the tool in the background, sends a signal when the policy runs, and waits until all
  /// processes that have the pipe open are gone. `$0` is the tool, `$1` stands for what `kill` gets, `$2`
  /// for the call. A call that never comes to the policy is waited for no longer than 200 seconds.
  private static let template = """
    set -m; mkdir tmp; export TMPDIR="$PWD/tmp"; mkfifo pipe; export HOLD_PIPE="$PWD/pipe"
    echo '{}' >report.json
    printf '%s\\n' '<?xml version="1.0" encoding="UTF-8"?>' '<testsuites name="heavyweight"/>' >report.xml
    "$0" $2 >printed 2>complained &
    exec 3<>pipe; timeout 200 head -c 1 <&3 >/dev/null; exec 4<pipe 3<&-
    kill $1; wait $!; echo "status $?"; cat <&4

    """

  private static let interrupt = template.replacing(
    "$2",
    with:
      "run Held.scenario.yaml --backend sqlite --no-cache --json report.json --junit report.xml "
      + "--html page")

  /// To the process alone, as `kill` and CI do it, and to all of a terminal's, as Control-C does it.
  @Test(arguments: [
    ("-INT $!", 130), ("-INT -$!", 130), ("-TERM $!", 143), ("-HUP $!", 129),
  ])
  func anInterruptedRunEndsAllAndLeavesNothing(signal: String, status: Int) throws {
    let folder = try folder()
    let result = try Tool.run(
      script: Self.interrupt.replacing("$1", with: signal)
        + "ls -A tmp page; cat report.json report.xml printed complained; ls -A | sort",
      [Tool.executable().path], in: folder)
    #expect(
      result.output == """
        status \(status)
        page:

        tmp:
        {}
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="heavyweight"/>
        Held.scenario.yaml
        Plain.scenario.yaml
        Policy.swift
        complained
        page
        pipe
        printed
        report.json
        report.xml
        tmp

        """)
  }

  /// Those that had passed by then are told; the one that was cut off hasn't failed.
  @Test func anInterruptedRunSaysWhatHadPassed() throws {
    let folder = try folder()
    let result = try Tool.run(
      script: Self.template.replacing("$1", with: "-INT $!").replacing(
        "$2",
        with: "run Plain.scenario.yaml Held.scenario.yaml --backend sqlite --no-cache --jobs 1")
        + "cat printed complained", [Tool.executable().path], in: folder)
    let text = result.output.replacing(#/\d[\d.]* m?s\b/#, with: "TIME")
    #expect(
      text == """
        status 130
        ✓ Nothing special      Plain.scenario.yaml
          ✓ v1 -> v2  inferred  1 -> 1 object  sqlite TIME

        interrupted; of 2 runs:
        1 scenario, 1 run: 1 passed, in TIME

        """)
  }

  /// The policy runs in a process of its own there, too, which writes beside stores of any size.
  @Test(arguments: [("-INT $!", 130), ("-INT -$!", 130), ("-TERM $!", 143)])
  func anInterruptedBenchEndsAllAndLeavesNothing(signal: String, status: Int) throws {
    let script = Self.template.replacing("$1", with: signal)
      .replacing("$2", with: "bench Held.scenario.yaml --objects 10 --json report.json")
    let result = try Tool.run(
      script: script + "ls -A tmp; cat report.json printed complained",
      [Tool.executable().path], in: folder())
    #expect(result.output == "status \(status)\n{}\n")
  }

  @Test func whatAKilledRunLeavesIsRemovedByTheNext() throws {
    let folder = try folder()
    let result = try Tool.run(
      script: Self.interrupt.replacing("$1", with: "-KILL $!") + """
        [ -n "$(ls -A tmp)" ] && echo left
        "$0" run Plain.scenario.yaml --backend memory --no-cache >/dev/null; echo "then $?"; ls -A tmp
        """, [Tool.executable().path], in: folder)
    #expect(result.output.hasPrefix("status 137\nleft\nthen 0\n"), "\(result.output)")
    #expect(result.output.hasSuffix("then 0\n"), "\(result.output)")
  }

  /// What others use must stay, whatever it is called.
  @Test func whatALivingRunUsesStays() throws {
    let folder = try folder()
    let result = try Tool.run(
      script: Self.interrupt.replacing(
        "kill $1",
        with: """
          before=$(ls -A tmp); "$0" run Plain.scenario.yaml --no-cache >/dev/null; echo "other $?"
          [ "$before" = "$(ls -A tmp)" ] && echo kept; kill -TERM $!
          """), [Tool.executable().path], in: folder)
    #expect(result.output == "other 0\nkept\nstatus 143\n")
  }
}
