import Foundation

/// Classes that stand for ones of Apple's frameworks in archives.
///
/// On a device a class is archived by its bare name. Elsewhere the name has the module before it, so an
/// archive from a device would name a class that isn't there.
public enum ArchivedClass {
  public static func register(_ type: AnyClass, as name: String) {
    NSKeyedArchiver.setClassName(name, for: type)
    NSKeyedUnarchiver.setClass(type, forClassName: name)
  }
}
