@_exported import ScenarioRunner
