/// The uniform type identifiers that Apple's systems declare, as far as `UTI-CONFORMS-TO` needs
/// them: which type conforms to which.
///
/// An app's own declarations aren't known here: such a type conforms to itself only.
enum UniformTypes {
  /// Whether `type` is `other` or conforms to it, directly or not. Case doesn't matter.
  static func conforms(_ type: String, to other: String) -> Bool {
    let wanted = other.lowercased()
    var pending = [type.lowercased()]
    var seen = Set<String>()
    while let next = pending.popLast() {
      if next == wanted { return true }
      if seen.insert(next).inserted { pending += parents[next] ?? [] }
    }
    return false
  }

  /// Whether both name one type.
  static func areEqual(_ a: String, _ b: String) -> Bool { a.lowercased() == b.lowercased() }

  /// By type in lower case, the types it conforms to.
  private static let parents: [String: [String]] = {
    var parents: [String: [String]] = [:]
    for (parent, types) in children {
      for type in types.split(separator: " ") { parents[String(type), default: []].append(parent) }
    }
    return parents
  }()

  /// By type, the types that conform to it directly.
  private static let children: [(parent: String, types: String)] = [
    (
      "public.item",
      "public.data public.directory public.symlink com.apple.resolvable public.executable"
    ),
    (
      "public.content",
      "public.text public.image public.audiovisual-content public.composite-content "
        + "com.adobe.pdf public.contact public.message public.calendar-event "
        + "public.presentation public.spreadsheet"
    ),
    (
      "public.data",
      "public.text public.image public.audiovisual-content public.archive public.database "
        + "com.adobe.pdf public.vcard public.font public.zip-archive public.email-message "
        + "com.apple.ical.ics public.rtf"
    ),
    ("public.directory", "public.folder com.apple.package"),
    ("com.apple.package", "com.apple.bundle com.apple.rtfd"),
    ("com.apple.bundle", "com.apple.application-bundle com.apple.framework com.apple.plugin"),
    ("public.executable", "com.apple.application"),
    ("com.apple.application", "com.apple.application-bundle"),
    ("public.composite-content", "com.adobe.pdf com.apple.rtfd public.spreadsheet"),
    (
      "public.text",
      "public.plain-text public.rtf public.html public.xml public.source-code public.script "
        + "public.delimited-values-text public.json public.yaml public.vcard com.apple.ical.ics"
    ),
    (
      "public.plain-text",
      "public.utf8-plain-text public.utf16-plain-text public.log net.daringfireball.markdown "
        + "com.apple.traditional-mac-plain-text"
    ),
    (
      "public.delimited-values-text",
      "public.comma-separated-values-text public.tab-separated-values-text"
    ),
    ("public.xml", "public.svg-image com.apple.xml-property-list"),
    ("com.apple.property-list", "com.apple.xml-property-list com.apple.binary-property-list"),
    (
      "public.source-code",
      "public.c-source public.c-plus-plus-source public.objective-c-source public.swift-source "
        + "public.c-header public.assembly-source com.netscape.javascript-source"
    ),
    (
      "public.script",
      "public.shell-script public.python-script public.perl-script public.ruby-script "
        + "com.netscape.javascript-source"
    ),
    (
      "public.image",
      "public.jpeg public.png public.tiff public.heic public.heif public.svg-image "
        + "public.camera-raw-image com.compuserve.gif com.microsoft.bmp com.microsoft.ico "
        + "com.apple.icns org.webmproject.webp public.jpeg-2000"
    ),
    ("public.camera-raw-image", "com.adobe.raw-image com.canon.cr2-raw-image"),
    ("public.audiovisual-content", "public.audio public.movie"),
    (
      "public.audio",
      "public.mp3 public.mpeg-4-audio com.apple.m4a-audio com.microsoft.waveform-audio "
        + "public.aiff-audio public.midi-audio com.apple.coreaudio-format"
    ),
    ("public.mpeg-4-audio", "com.apple.protected-mpeg-4-audio"),
    (
      "public.movie",
      "public.video public.mpeg public.mpeg-4 public.avi com.apple.quicktime-movie"
    ),
    ("public.mpeg-4", "public.mpeg-4-audio com.apple.m4v-video"),
    (
      "public.archive",
      "public.zip-archive public.tar-archive org.gnu.gnu-zip-archive public.bzip2-archive "
        + "public.cpio-archive public.disk-image com.apple.archive"
    ),
    ("public.disk-image", "com.apple.disk-image public.iso-image"),
    ("public.font", "public.truetype-font public.opentype-font"),
    ("public.contact", "public.vcard"),
    ("public.message", "public.email-message"),
    ("public.calendar-event", "com.apple.ical.ics"),
    ("public.url", "public.file-url"),
  ]
}
