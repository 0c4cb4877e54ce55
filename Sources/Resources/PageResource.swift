import Foundation

/// What pages for a browser have in common, as it lies beside this file.
public enum PageResource {
  public static let style = text(PackageResources.page_css)
  public static let script = text(PackageResources.page_js)
}

/// The texts of `heavyweight explain`, as they lie beside this file.
public enum ExplanationTexts {
  public static let text = Resources.text(PackageResources.explanations_md)
}

/// What all exported tests have in common, as it lies beside this file.
public enum ExportedTests {
  public static let common = text(PackageResources.exported_txt)
}

/// A text file, without the end of its last line.
private func text(_ bytes: [UInt8]) -> String {
  String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
}
