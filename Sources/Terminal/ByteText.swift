/// Sizes as people read them.
package enum ByteText {
  package static func text(_ count: Int64) -> String {
    switch count {
    case ..<1024: "\(count) bytes"
    case ..<(1024 * 1024): "\(count / 1024) KB"
    case ..<(1024 * 1024 * 1024): String(format: "%.1f MB", Double(count) / 1_048_576)
    default: String(format: "%.2f GB", Double(count) / 1_073_741_824)
    }
  }
}
