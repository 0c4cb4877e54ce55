/// What pages for a browser have in common, as it lies beside this file.
enum PageResource {
  static let style = text(PackageResources.page_css)
  static let script = text(PackageResources.page_js)
}

/// The texts of `heavyweight explain`, as they lie beside this file.
enum ExplanationTexts {
  static let text = Commands.text(PackageResources.explanations_md)
}

/// What all exported tests have in common, as it lies beside this file.
enum ExportedTests {
  static let common = text(PackageResources.exported_txt)
}

/// A text file, without the end of its last line.
private func text(_ bytes: [UInt8]) -> String {
  String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
}
