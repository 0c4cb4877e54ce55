@_exported import Scenarios
