import Commands

@main
struct Main {
  @MainActor static func main() async { await Heavyweight.main() }
}
