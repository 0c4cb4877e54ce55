@_exported import Reports
