public import Foundation

/// A color as a device archives it: in RGB, or as a grey.
public struct ColorComponents: Hashable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var alpha: Double
  /// The color was made as a grey, and is archived as one.
  public var isGrey = false

  public init(red: Double, green: Double, blue: Double, alpha: Double) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public init(white: Double, alpha: Double) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
    isGrey = true
  }

  public init(hue: Double, saturation: Double, brightness: Double, alpha: Double) {
    func channel(_ shift: Double) -> Double {
      let place = (shift + hue * 6).truncatingRemainder(dividingBy: 6)
      return brightness - brightness * saturation * max(0, min(place, 4 - place, 1))
    }
    self.init(red: channel(5), green: channel(3), blue: channel(1), alpha: alpha)
  }

  public var hueSaturationBrightness: (hue: Double, saturation: Double, brightness: Double) {
    let high = max(red, green, blue)
    let range = high - min(red, green, blue)
    guard range > 0 else { return (0, 0, high) }
    let sixths: Double
    switch high {
    case red: sixths = ((green - blue) / range + 6).truncatingRemainder(dividingBy: 6)
    case green: sixths = (blue - red) / range + 2
    default: sixths = (red - green) / range + 4
    }
    return (sixths / 6, range / high, high)
  }
}

// MARK: - Archives of UIColor

// Core Data: observed in property lists that apps on devices archived.
extension ColorComponents {
  public init?(uiColorIn coder: NSCoder) {
    if coder.containsValue(forKey: "UIWhite") {
      self.init(
        white: Self.number("UIWhite", in: coder), alpha: Self.number("UIAlpha", in: coder))
    } else if coder.containsValue(forKey: "UIRed") {
      self.init(
        red: Self.number("UIRed", in: coder), green: Self.number("UIGreen", in: coder),
        blue: Self.number("UIBlue", in: coder), alpha: Self.number("UIAlpha", in: coder))
    } else {
      return nil
    }
  }

  public func encodeUIColor(in coder: NSCoder) {
    let parts =
      isGrey
      ? [("UIWhite", red), ("UIAlpha", alpha)]
      : [("UIRed", red), ("UIGreen", green), ("UIBlue", blue), ("UIAlpha", alpha)]
    coder.encode(Int32(parts.count), forKey: "UIColorComponentCount")
    for (key, value) in parts {
      coder.encode(Float(value), forKey: key)
      coder.encode(value, forKey: "\(key)-Double")
    }
    encodeBytes(in: coder)
  }

  /// Newer systems write each number twice, the second time in full.
  private static func number(_ key: String, in coder: NSCoder) -> Double {
    let full = "\(key)-Double"
    if coder.containsValue(forKey: full) { return coder.decodeDouble(forKey: full) }
    return Double(coder.decodeFloat(forKey: key))
  }
}

// MARK: - Archives of NSColor

// Core Data: observed in property lists that apps on devices archived.
extension ColorComponents {
  /// Spaces by number: RGB is 1 or 2, grey is 3 or 4. Others, such as named colors, aren't known here.
  public init?(nsColorIn coder: NSCoder) {
    let space = coder.decodeInteger(forKey: "NSColorSpace")
    let key = (1...2).contains(space) ? "NSRGB" : "NSWhite"
    let data = coder.decodeObject(of: NSData.self, forKey: key) as Data?
    let numbers = data.map(Self.numbers) ?? []
    switch (space, numbers.count) {
    case (1...2, 3...):
      self.init(
        red: numbers[0], green: numbers[1], blue: numbers[2],
        alpha: numbers.count > 3 ? numbers[3] : 1)
    case (3...4, 1...):
      self.init(white: numbers[0], alpha: numbers.count > 1 ? numbers[1] : 1)
    default: return nil
    }
  }

  public func encodeNSColor(in coder: NSCoder) { encodeBytes(in: coder) }

  /// The numbers as text that ends with a zero, as in `1 0 0.5`.
  private static func numbers(_ data: Data) -> [Double] {
    String(decoding: data.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
      .compactMap { Double($0) }
  }

  private func encodeBytes(in coder: NSCoder) {
    let numbers = (isGrey ? [red] : [red, green, blue]) + (alpha == 1 ? [] : [alpha])
    let text = numbers.map { Int64(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: " ")
    coder.encode(isGrey ? 4 : 2, forKey: "NSColorSpace")
    coder.encode(NSData(data: Data(text.utf8) + [0]), forKey: isGrey ? "NSWhite" : "NSRGB")
  }
}
