import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What becomes of Objective-C features before the compiler sees a policy.
struct SourceRewriterTests {
  private func rewritten(_ text: String) -> String { SourceRewriter(text).rewritten() }

  /// Expected without the blanks at the end that keep the length.
  @Test(arguments: [
    ("#keyPath(Song.createdAt)", "\"createdAt\""),
    ("#keyPath(Song.book.title)", "\"book.title\""),
    ("#keyPath(App.Song.title)", "\"title\""),
    ("#keyPath(title)", "\"title\""),
    ("#keyPath( Song . title )", "\"title\""),
    ("[#keyPath(A.b), 1]", "[\"b\"          , 1]"),
    ("#keyPath(\n  Song.title\n)", "\"title\"\n\n"),
    (
      "#selector(NSString.caseInsensitiveCompare(_:))", "Selector(\"caseInsensitiveCompare:\")"
    ),
    ("#selector(getter: Song.title)", "Selector(\"title\")"),
    ("#selector(setter: App.Song.title)", "Selector(\"setTitle:\")"),
    ("@objc func a() {}", "      func a() {}"),
    ("@objc(find:in:) func find(a: A) {}", "                func find(a: A) {}"),
    ("@objcMembers class A {}", "             class A {}"),
    ("import Foundation", "import CoreData"),
    ("@preconcurrency import Foundation", "@preconcurrency import CoreData"),
    // Foundation has no submodules outside Apple's systems.
    ("import Foundation.NSURL", "import CoreData"),
    ("import CoreData.NSFetchRequest", "import CoreData"),
    ("import class CoreData.NSFetchRequest", "import CoreData"),
    ("import os.log", "import os"),
    ("import class UIKit.UIColor", "import class UIKit.UIColor"),
  ])
  func rewritesInPlace(_ source: String, _ expected: String) {
    let result = rewritten(source)
    #expect(result.replacing(#/\x20+$/#, with: "") == expected)
    #expect(result.utf8.count == source.utf8.count)
  }

  @Test func objectiveCIsCalledThat() {
    let source = PolicySource(
      path: "P.swift", text: "// #import\n#import <CoreData/CoreData.h>\n@implementation P\n@end\n")
    #expect(
      source.problems.map(\.description) == [
        "P.swift:2:1: error: this is Objective-C: such policies have to be put into Swift"
      ])
  }

  @Test(arguments: [
    ("import HealthKit", "import CoreData"),
    ("import HealthKit.HKUnit // for grams", "import CoreData         // for grams"),
    ("@testable import HealthKit\nlet a = 1", "import CoreData\nlet a = 1"),
    ("@_spi(Units) private import HealthKit", "import CoreData"),
    ("@_exported import HealthKit", "import CoreData"),
    ("public import Persistence", "       import Persistence_App"),
    ("internal import Foundation", "         import CoreData"),
    ("let t: Foundation.ValueTransformer?", "let t: CoreData  .ValueTransformer?"),
    ("let t: Foundation.Data?", "let t: Foundation.Data?"),
    ("@preconcurrency\nimport HealthKit", "import CoreData\n"),
    ("import struct HealthKit.HKUnit; import os", "import CoreData               ; import os"),
    ("import Persistence", "import Persistence_App"),
    (
      "let a: Persistence.Store = b.Persistence.c", "let a: Persistence_App.Store = b.Persistence.c"
    ),
    ("#if canImport(Persistence)", "#if canImport(Persistence_App)"),
    ("import Cocoa", "import AppKit"),
    ("@_exported import Foundation", "           import CoreData"),
    ("@_exported import os", "           import os"),
  ])
  func importsFollowTheModulesThatAreThere(_ source: String, _ expected: String) {
    let rules = ImportRules(
      missing: ["HealthKit"], renamed: ["Persistence": "Persistence_App", "Cocoa": "AppKit"])
    let result = SourceRewriter(source, imports: rules).rewritten()
    let lines = result.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.replacing(#/\x20+$/#, with: "") }
    #expect(lines.joined(separator: "\n") == expected)
  }

  @Test func aTypeOfTheModulesNameIsMeantByIt() {
    let rules = ImportRules(renamed: ["Persistence": "Persistence_App"])
    let source = PolicySource(
      path: "A.swift", text: "enum Persistence { static let a = 1 }\nlet b = Persistence.a\n")
    #expect(
      PolicySource.module(of: [source], imports: rules, keyNames: [:]).sources[0].code
        == source.text)
  }

  @Test func overridesInExtensionsMoveToTheirClass() {
    let sources = [
      PolicySource(path: "A.swift", text: "class A: B {\n  class C {}\n}\n"),
      PolicySource(
        path: "E.swift",
        text: "extension A {\n  @available(*, deprecated)\n  override class func a() {}\n"
          + "  func b() {}\n}\nextension Other { override func c() {} }\n"),
    ]
    let module = PolicySource.module(of: sources, imports: ImportRules(), keyNames: [:])
    #expect(
      module.sources[0].code == """
        class A: B {
          class C {}

        #sourceLocation(file: "E.swift", line: 2)
          @available(*, deprecated)
          override class func a() {}
        #sourceLocation(file: "A.swift", line: 3)
        }

        """)
    let rest = module.sources[1].code.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rest.count == 7 && rest[3] == "  func b() {}")
    #expect(!module.sources[1].code.contains("func a"))
    #expect(module.sources[1].code.contains("extension Other { override func c() {} }"))
    #expect(module.files == [[0], [1]])
  }

  @Test(arguments: [
    "// #keyPath(Song.title) @objc",
    "/* a /* #keyPath(Song.title) */ @objc */ let a = 1",
    #"let text = "@objc #keyPath(Song.title) \" @objc""#,
    "let text = \"\"\"\n  @objc \" \"\" #keyPath(Song.title)\n  \"\"\"",
    ##"let text = #"@objc " \( @objc "#"##,
    ##"let pattern = #/@objc "/#"##,
    "let objc = a.objc",
  ])
  func leavesCommentsAndStringsAlone(_ source: String) {
    #expect(rewritten(source) == source)
  }

  @Test func rewritesCodeInsideInterpolations() {
    #expect(
      rewritten(#"print("a \(f(#keyPath(Song.title), ")")) #keyPath(b.c)")"#)
        == #"print("a \(f("title"             , ")")) #keyPath(b.c)")"#)
    #expect(rewritten(##"#"a \#(#keyPath(A.b)) \(c)"#"##) == ##"#"a \#("b"          ) \(c)"#"##)
  }

  @Test func givesManagedPropertiesAccessors() {
    let accessors =
      " { get { managedValue(forKey: \"name\") } "
      + "set { setManagedValue(newValue, forKey: \"name\") } }"
    #expect(
      rewritten("@NSManaged public var name: [String: Int]? // the name\nlet a = 1")
        == "           public var name: [String: Int]?\(accessors) // the name\nlet a = 1")
    #expect(
      rewritten("@objc(addTags:) @NSManaged public func addToTags(_ values: NSSet)\n}")
        == "                           public func addToTags(_ values: NSSet) "
        + "{ callManagedAccessor(\"addTags:\", values) }\n}")
  }

  @Test func catchesEveryErrorAsAnNSError() {
    #expect(
      rewritten("} catch let e as NSError {\n print(e) }")
        == "} catch let e            { let e = e as NSError;\n print(e) }")
    #expect(
      rewritten("catch var e as NSError\n  where e.code == f({ 1 }) {")
        == "catch var e           \n  where { (e: NSError) -> Bool in e.code == f({ 1 }) }(e as NSError) "
        + "{ var e = e as NSError;")
    for other in ["catch let e as MyError {", "catch let e as NSError, let e as B {", "catch {"] {
      #expect(rewritten(other) == other)
    }
  }

  @Test func cocoaErrorsAreCaughtWhenTheyCanBeConverted() {
    let blank = String(repeating: " ", count: "as CocoaError".count)
    #expect(
      rewritten("catch let e as CocoaError {")
        == "catch let e \(blank) where (e <~? CocoaError.self) != nil { let e = e <~! CocoaError.self;"
    )
    #expect(
      rewritten("catch let e as CocoaError where e.code == .x {")
        == "catch let e \(blank) where (e <~? CocoaError.self).map({ (e: CocoaError) -> Bool in "
        + "e.code == .x }) ?? false { let e = e <~! CocoaError.self;")
    #expect(
      rewritten("catch is CocoaError {") == "catch    where (error <~? CocoaError.self) != nil {")
  }

  @Test func castsThatOnlyObjectiveCMakesBecomeOperators() {
    #expect(
      rewritten("(e as? CocoaError)?.code; e as! NSError")
        == "(e <~? CocoaError.self)?.code; e <~! NSError.self")
    #expect(
      rewritten("T.fetchRequest() as! NSFetchRequest<T>")
        == "T.fetchRequest() <~! NSFetchRequest<T>.self")
    #expect(
      rewritten("r as? NSFetchRequest<A.B>") == "r <~? NSFetchRequest<A.B>.self")
    for other in ["e as? MyError", "e as? CocoaError.Code", "e as NSError", "x as? [NSError]"] {
      #expect(rewritten(other) == other)
    }
  }

  @Test(arguments: [
    ("#if os(iOS)", BuildConditions.Platform.ios, "#if true   "),
    ("#if os(iOS)", .macos, "#if false  "),
    ("#elseif !os(macOS) && DEBUG", .macos, "#elseif !true      && DEBUG"),
    ("#if canImport(UIKit)\n", .macos, "#if false           \n"),
    ("#if canImport(AppKit) || os(OSX)", .ios, "#if false             || false  "),
    ("#if targetEnvironment(simulator)", .ios, "#if false                       "),
    ("#if canImport(Combine)", .ios, "#if canImport(Combine)"),
    ("#if DEBUG\nos(iOS)", .ios, "#if DEBUG\nos(iOS)"),
  ])
  func conditionsAskForTheAppsPlatform(
    _ source: String, _ platform: BuildConditions.Platform, _ expected: String
  ) {
    let conditions = BuildConditions(platform: platform)
    #expect(SourceRewriter(source, conditions: conditions).rewritten() == expected)
  }

  @Test func platformsAnswersAreTold() {
    let source = PolicySource(path: "P.swift", text: "\n#if os(iOS) || DEBUG\n#endif")
    #expect(source.platformAnswers(BuildConditions()) == ["P.swift:2: os(iOS) is true"])
  }

  @Test func objectsInitializerIsRequired() {
    #expect(
      rewritten("  override private init(entity e: E, insertInto c: C?) {")
        == "  public required         init(entity e: E, insertInto c: C?) {")
    #expect(rewritten("override init(frame: F) {") == "override init(frame: F) {")
  }

  @Test(arguments: [
    ("class A: NSManagedObject { init(name: String) { super.init(b) } }", true),
    ("class A: B { @NSManaged var c: Int\ninit?(name: String) { super.init(b) } }", true),
    ("class A: NSManagedObject { convenience init(name: String) { self.init(b) } }", false),
    ("class A: NSManagedObject { required init(entity: E, insertInto: C?) {} }", false),
    ("class A<B: NSManagedObject>: C { init(name: String) { super.init(b) } }", false),
  ])
  func onlyClassesOfManagedObjectsGetTheInitializerThatTheyHide(_ source: String, _ isGiven: Bool) {
    #expect(rewritten(source).contains("required init(entity: NSEntityDescription") == isGiven)
  }

  @Test func observersOverrideNothing() {
    #expect(
      rewritten("public override func observeValue(forKeyPath k: String?) {")
        == "public          func observeValue(forKeyPath k: String?) {")
    for other in [
      "override func observeValue(_ k: String) {", "override var description: String {",
    ] {
      #expect(rewritten(other) == other)
    }
  }

  @Test func observersOverrideThoseOfTheModulesOwnClasses() {
    let method = "override func observeValue(forKeyPath k: String?) {}"
    let sources = [
      PolicySource(path: "Late.swift", text: "class Late<T>: A.Middle, P { \(method) }"),
      PolicySource(path: "Middle.swift", text: "class Middle: First {}"),
      PolicySource(path: "First.swift", text: "class First: NSObject { \(method) }"),
      PolicySource(
        path: "Other.swift", text: "class Other: NSObject {}; extension Other { \(method) }"),
    ]
    let code = PolicySource.module(of: sources, imports: ImportRules(), keyNames: [:]).sources.map(
      \.code)
    #expect(code[0] == sources[0].text)
    #expect(
      code[2] == "class First: NSObject {          func observeValue(forKeyPath k: String?) {} }")
    #expect(!code[3].contains("override"))
  }

  @Test func remembersWhatIsExposedUnderWhichName() {
    let exposure = SourceRewriter(
      """
      @objc(Legacy) final class Policy: NSObject {
        @objc private func a() {}
        @objc(b:) override public func bee(_ x: Int) {}
        func c() {}
      }
      @objcMembers class Other { func d() { } }
      """
    ).exposure
    func position(_ line: Int, _ character: Int) -> SourcePosition {
      SourcePosition(line: line, character: character)
    }
    #expect(exposure.explicitName(at: position(0, 26)) == "Legacy")
    #expect(exposure.isExposed(at: position(1, 21)))
    #expect(exposure.explicitName(at: position(1, 21)) == nil)
    #expect(exposure.explicitName(at: position(2, 33)) == "b:")
    #expect(!exposure.isExposed(at: position(3, 7)))
    #expect(!exposure.isExposed(at: position(5, 32)), "its type decides, which isn't known yet")
    #expect(exposure.memberClasses == [position(5, 19)])
  }

  @Test(arguments: [
    "", "\"", "#", "@", "#keyPath(", "@objc(", "/*", "\"\\(", "#\"", "@NSManaged var",
  ])
  func survivesUnfinishedText(_ source: String) {
    #expect(rewritten(source).utf8.count >= source.utf8.count)
  }
}
