@_exported import Migration
