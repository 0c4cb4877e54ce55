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

  @OptionGroup var missing: MissingStubOption
}

/// Asks for stubs of whatever the policies use and nothing declares.
struct MissingStubOption: ParsableArguments {
  @Option(
    help: .taking(
      "folder",
      "Where policies don't compile, write stubs of all that they use and nothing declares into this folder."
    ))
  var stubMissing: String?

  func note(in files: inout CommandFiles) { files.stubFolder = stubMissing }
}
