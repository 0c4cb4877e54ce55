@_exported import ObjectModel
