import Commands

@main
struct Main {
  static func main() async { await Heavyweight.main() }
}
