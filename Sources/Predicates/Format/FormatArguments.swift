/// The arguments of a format, taken one after the other as its specifiers ask for them.
struct FormatArguments {
  private let arguments: [Any?]
  private var taken = 0

  /// Why a specifier can't be replaced.
  struct Problem: Error {
    let text: String
  }

  init(_ arguments: [Any?]) { self.arguments = arguments }

  /// The token for a specifier with the letter `conversion`.
  mutating func next(for conversion: Unicode.Scalar) throws(Problem) -> Token.Kind {
    switch conversion {
    case "@": return .argument(Value(evaluating: try next()))
    case "K": return .keyPathArgument(try keyPath(next()))
    case "d", "D", "i", "u", "U", "x", "X", "o": return .argument(try integer(next()))
    case "f", "F", "g", "G", "e", "E", "a": return .argument(try number(next()))
    case "s", "S": return .argument(.string(try text(next())))
    default: throw Problem(text: "no such specifier")
    }
  }

  private mutating func next() throws(Problem) -> Any? {
    guard taken < arguments.count else {
      throw Problem(text: "there is no argument for it (\(arguments.count) given)")
    }
    taken += 1
    return arguments[taken - 1]
  }

  private func keyPath(_ argument: Any?) throws(Problem) -> String {
    guard case .string(let text) = Value(argument), !text.isEmpty else {
      throw Problem(text: "its argument must be a key path as text")
    }
    return text
  }

  private func text(_ argument: Any?) throws(Problem) -> String {
    guard case .string(let text) = Value(argument) else {
      throw Problem(text: "its argument must be text")
    }
    return text
  }

  private func integer(_ argument: Any?) throws(Problem) -> Value {
    let value = Value(argument)
    guard case .integer = value else { throw Problem(text: "its argument must be an integer") }
    return value
  }

  private func number(_ argument: Any?) throws(Problem) -> Value {
    guard let number = Value(argument).doubleValue else {
      throw Problem(text: "its argument must be a number")
    }
    return .double(number)
  }
}
