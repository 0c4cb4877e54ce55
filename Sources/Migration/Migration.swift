@_exported import Persistence
