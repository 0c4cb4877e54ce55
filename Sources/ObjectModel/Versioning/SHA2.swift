import CDigest

/// SHA-256 or SHA-512 of bytes that come piece by piece, as FIPS 180-4 has them.
package struct SHA2: Sendable {
  /// In bytes.
  package enum Size: Int, Sendable {
    case bits256 = 32
    case bits512 = 64
  }

  private var digest = sha2()

  /// - Parameter isPortable: Whether it is to be made as on a processor without instructions for SHA-256.
  package init(_ size: Size = .bits256, isPortable: Bool = false) {
    sha2_begin(&digest, size.rawValue)
    digest.is_portable = isPortable
  }

  package mutating func update(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes { sha2_update(&digest, $0.baseAddress, $0.count) }
  }

  /// What the bytes so far come to; more may follow.
  package var value: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: digest.size) { bytes, count in
      var end = digest
      sha2_finish(&end, bytes.baseAddress)
      count = end.size
    }
  }

  package static func hash(_ bytes: some ContiguousBytes, _ size: Size = .bits256) -> [UInt8] {
    var digest = SHA2(size)
    digest.update(bytes)
    return digest.value
  }
}
