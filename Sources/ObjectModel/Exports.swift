// Re-exported so that the engine's `Predicate`, `Expression` and `SortDescriptor` win over
// Foundation's types of the same name in every module above: a name declared in a module that
// re-exports Foundation shadows Foundation's own.
@_exported import Foundation
