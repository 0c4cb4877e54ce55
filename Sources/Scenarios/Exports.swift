@_exported import PolicyCompiler
