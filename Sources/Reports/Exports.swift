@_exported import StoreTools
