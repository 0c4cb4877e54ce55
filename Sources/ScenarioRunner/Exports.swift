@_exported import ScenarioLanguage
