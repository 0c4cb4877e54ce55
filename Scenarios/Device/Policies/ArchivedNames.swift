import CoreData
import UIKit

@objc(Conductor)
final class Conductor: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { return true }
  let name: String
  init(name: String) { self.name = name }
  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
  }
  func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }
}

final class Plain: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { return true }
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) {}
}

final class ArchivePolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do { return try find(question) } catch { return "\(error)" }
  }

  private func find(_ question: String) throws -> String {
    switch question {
    case "objc": return classes(try archive(Conductor(name: "Ada")))
    case "swift": return classes(try archive(Plain()))
    case "color": return classes(try archive(UIColor.red))
    case "archiver": return classes(encoded(Conductor(name: "Ada")) { _ in })
    case "own name":
      return classes(encoded(Plain()) { $0.setClassName("Simple", for: Plain.self) })
    case "written":
      let data = NSMutableData()
      let archiver = NSKeyedArchiver(forWritingWith: data)
      archiver.encode(Conductor(name: "Ada"), forKey: NSKeyedArchiveRootObjectKey)
      archiver.finishEncoding()
      return classes(data as Data)
    case "read":
      let data = try archive(Conductor(name: "Ada"))
      return try NSKeyedUnarchiver.unarchivedObject(ofClass: Conductor.self, from: data)?.name ?? "nobody"
    default: return "unknown"
    }
  }

  private func archive(_ object: Any) throws -> Data {
    return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  private func encoded(_ object: Any, _ prepare: (NSKeyedArchiver) -> Void) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    prepare(archiver)
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return archiver.encodedData
  }

  /// The names of the classes in an archive.
  private func classes(_ data: Data) -> String {
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    let objects = (list as? [String: Any])?["$objects"] as? [Any] ?? []
    return objects.compactMap { ($0 as? [String: Any])?["$classname"] as? String }
      .joined(separator: ", ")
  }
}
