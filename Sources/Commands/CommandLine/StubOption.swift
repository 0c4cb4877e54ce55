import ArgumentParser

extension StubFile: ExpressibleByArgument {}

/// Stand-ins for modules that the policies import, for commands that take policies as files.
struct StubOption: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Swift files used as stubs for imported modules that aren't available here, as in "
        + "HealthKit=Stubs/HealthKit.swift.",
      valueName: "module=swift-file"))
  var stubs: [StubFile] = []
}
