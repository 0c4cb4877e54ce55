import CZlib

/// Deflate without zlib's header, as model caches use it.
enum RawDeflate {
  /// Window bits of zlib's largest window; negative for data without a header.
  private static let windowBits: Int32 = -15
  private static let chunkSize = 1 << 16
  /// The level Core Data's own caches were made with.
  private static let level: Int32 = 6
  private static let streamSize = Int32(MemoryLayout<z_stream>.size)

  static func compress(_ data: Data) throws(KeyedArchiveError) -> Data {
    var stream = z_stream()
    let status = deflateInit2_(
      &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, streamSize)
    guard status == Z_OK else { throw failure(stream, status) }
    defer { deflateEnd(&stream) }
    return try pump(data, through: &stream, limit: .max) { deflate(&$0, Z_FINISH) }
  }

  /// - Parameter limit: Most bytes to expand to; more is an error, so that small hostile data can't
  ///   fill the memory.
  static func expand(_ data: Data, limit: Int = 1 << 28) throws(KeyedArchiveError) -> Data {
    var stream = z_stream()
    let status = inflateInit2_(&stream, windowBits, ZLIB_VERSION, streamSize)
    guard status == Z_OK else { throw failure(stream, status) }
    defer { inflateEnd(&stream) }
    return try pump(data, through: &stream, limit: limit) { inflate(&$0, Z_NO_FLUSH) }
  }

  private static func pump(
    _ data: Data, through stream: inout z_stream, limit: Int, step: (inout z_stream) -> Int32
  ) throws(KeyedArchiveError) -> Data {
    guard let size = UInt32(exactly: data.count) else {
      throw KeyedArchiveError(.badCompression("it is larger than 4 GB"))
    }
    // zlib's interface takes input as changeable, though it never changes it.
    var input = Array(data)
    var output = Data()
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    let status = input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = size
      return run(&stream, into: &output, by: &chunk, limit: limit, step: step)
    }
    guard status == Z_STREAM_END else { throw failure(stream, status) }
    return output
  }

  private static func run(
    _ stream: inout z_stream, into output: inout Data, by chunk: inout [UInt8], limit: Int,
    step: (inout z_stream) -> Int32
  ) -> Int32 {
    while true {
      let status = chunk.withUnsafeMutableBufferPointer { chunk in
        stream.next_out = chunk.baseAddress
        stream.avail_out = UInt32(chunk.count)
        return step(&stream)
      }
      let count = chunk.count - Int(stream.avail_out)
      output.append(contentsOf: chunk[..<count])
      if status != Z_OK || output.count > limit { return status }
    }
  }

  private static func failure(_ stream: z_stream, _ status: Int32) -> KeyedArchiveError {
    switch status {
    case Z_OK: KeyedArchiveError(.badCompression("it expands to too much"))
    case Z_BUF_ERROR: KeyedArchiveError(.badCompression("it ends too early"))
    default:
      KeyedArchiveError(
        .badCompression(stream.msg.map { String(cString: $0) } ?? "zlib error \(status)"))
    }
  }
}
