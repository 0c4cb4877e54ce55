/// Archives of texts, numbers, dates and null, and of lists and maps of these, with each number as it is: Foundation's
/// archiver, here, writes objects that are equal once, so that `1`, `1.0` and `true` in one list become whichever comes
/// first, in a map another each time. A device's goes by identity.
package enum PlainArchive {
  /// The archive; nil for an object of another class, or with one in it.
  package static func data(of object: Any) -> Data? {
    let writer = KeyedArchiveWriter()
    return writer.add(plain: object, depthLeft: 200).map { writer.data(root: $0) }
  }
}

extension KeyedArchiveWriter {
  fileprivate func add(plain object: Any, depthLeft: Int) -> Reference? {
    if depthLeft == 0 || object is NSMutableArray || object is NSMutableDictionary { return nil }
    switch object {
    case is NSMutableString, is NSDecimalNumber: return nil
    case let text as NSString: return add(text as String)
    case let number as NSNumber: return add(number)
    case let date as Date: return add(value: .date(date))
    case is NSNull: return add("NSNull", fields: [:])
    case let list as NSArray:
      let items = list.compactMap { add(plain: $0, depthLeft: depthLeft - 1) }
      return items.count == list.count ? add(array: items) : nil
    case let map as NSDictionary:
      guard let keys = map.allKeys as? [String] else { return nil }
      let entries = keys.sorted().compactMap { key in
        map[key].flatMap { add(plain: $0, depthLeft: depthLeft - 1) }.map { (add(key), $0) }
      }
      return entries.count == keys.count ? add(dictionary: entries) : nil
    default: return nil
    }
  }

  private func add(_ number: NSNumber) -> Reference? {
    switch String(cString: number.objCType) {
    case "c" where [0, 1].contains(number.intValue): add(bool: number.boolValue)
    case "d", "f": add(real: number.doubleValue)
    default: Int64(exactly: number).map { add(integer: $0) }
    }
  }
}
