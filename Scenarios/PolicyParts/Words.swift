enum Words {
  static let made = "made"
}
