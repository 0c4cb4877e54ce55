/// An app's policy that tries what a sandbox is to prevent.
enum HostilePolicy {
  /// - Parameters:
  ///   - outside: A folder with `secret` and `victim` that isn't to be touched.
  ///   - name: The class.
  ///   - isGentle: Whether it only reads, and opens what does no harm.
  ///   - members: What else the class has.
  /// - Returns: Swift that prints and throws what succeeds.
  static func source(
    outside: String, name: String = "AppPolicy", isGentle: Bool = false, members: String = ""
  ) -> String {
    """
    import CoreData
    import Glibc

    private let outside = "\(outside)"
    private var reached: [String] = []

    private func attempt(_ what: String, _ body: () throws -> Bool) {
      if (try? body()) == true { reached.append(what) }
    }

    private func spawn(_ arguments: String..., waits: Bool) -> Bool {
      var process: pid_t = 0
      var words = arguments.map { strdup($0) } + [nil]
      guard posix_spawn(&process, "/bin/sh", nil, nil, &words, nil) == 0 else { return false }
      var status: Int32 = 0
      if waits { waitpid(process, &status, 0) }
      return status == 0
    }

    private func pair(_ type: __socket_type) -> [Int32]? {
      var ends: [Int32] = [-1, -1]
      return socketpair(AF_UNIX, Int32(type.rawValue), 0, &ends) == 0 ? ends : nil
    }

    /// A message to a local socket of that name, over an end of a pair.
    private func send(to path: String, over end: Int32, asMessage: Bool) -> Int {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      var text = Array("told".utf8)
      return withUnsafeMutablePointer(to: &address) { place in
        if !asMessage {
          return place.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(end, text, 4, 0, $0, size) }
        }
        return text.withUnsafeMutableBytes { bytes in
          var part = iovec(iov_base: bytes.baseAddress, iov_len: 4)
          return withUnsafeMutablePointer(to: &part) {
            var message = msghdr()
            message.msg_name = UnsafeMutableRawPointer(place)
            message.msg_namelen = size
            message.msg_iov = $0
            message.msg_iovlen = 1
            return sendmsg(end, &message, 0)
          }
        }
      }
    }

    class \(name): NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        read()
        \(isGentle ? "" : "try change()")
        for what in reached { print("REACHED", what) }
        if !reached.isEmpty { throw NSError(domain: "REACHED \\(reached)", code: 1) }
      }

      private func read() {
        let files = FileManager.default
        for file in ["/etc/passwd", "\\(outside)/secret", "\\(outside)/A.scenario.yaml.bak"] {
          attempt("the content of \\(file)") { try !Data(contentsOf: URL(fileURLWithPath: file)).isEmpty }
        }
        for folder in ["\\(outside)", "/", "/etc", "/home", "/proc"] {
          attempt("the names in \\(folder)") { try !files.contentsOfDirectory(atPath: folder).isEmpty }
        }
        attempt("the network") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }
        attempt("a local socket") { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 }
        attempt("a pair for datagrams") { pair(SOCK_DGRAM) != nil }
        attempt("a pair for packets") { pair(SOCK_SEQPACKET) != nil }
        for type in [SOCK_DGRAM, SOCK_STREAM] {
          guard let end = pair(type)?.first else { continue }
          for path in ["\\(outside)/socket", "/dev/log"] {
            attempt("a datagram to \\(path)") { send(to: path, over: end, asMessage: false) >= 0 }
            attempt("a message to \\(path)") { send(to: path, over: end, asMessage: true) >= 0 }
          }
        }
        attempt("a signal to another process") { kill(getppid(), 0) == 0 }
        attempt("the parent's variables") {
          try !Data(contentsOf: URL(fileURLWithPath: "/proc/\\(getppid())/environ")).isEmpty
        }
        typealias Call = @convention(c) (Int32, UnsafeMutableRawPointer, Int, Int, Int32) -> Int
        let place = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        for name in ["msgrcv", "semop"] {
          let call = unsafeBitCast(dlsym(nil, name), to: Call.self)
          attempt("others' \\(name)") {
            errno = 0
            _ = call(0, place, 1, 0, 0o4000)
            return errno != EPERM
          }
        }
        attempt("a secret variable") { getenv("SECRET_TOKEN") != nil }
      }

      private func change() throws {
        let files = FileManager.default
        for place in ["\\(outside)/new", "/tmp/\\(UUID().uuidString)", "/dev/shm/\\(UUID().uuidString)"] {
          attempt("a new file: \\(place)") {
            defer { unlink(place) }
            try Data("x".utf8).write(to: URL(fileURLWithPath: place))
            return true
          }
        }
        let own = NSTemporaryDirectory() + "/" + UUID().uuidString
        try files.createDirectory(atPath: own, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: own) }
        attempt("a link out") {
          try files.createSymbolicLink(atPath: own + "/link", withDestinationPath: "/etc/passwd")
          return true
        }
        attempt("a second name") { link("\\(outside)/secret", own + "/secret") == 0 }
        attempt("a second name of a source") { link(#filePath, own + "/source") == 0 }
        attempt("a pipe") { mkfifo(own + "/pipe", 0o600) == 0 }
        attempt("a program that runs as its owner") { open(own + "/owned", O_CREAT | O_WRONLY, 0o4755) >= 0 }
        attempt("a file removed") { unlink("\\(outside)/victim") == 0 }
        attempt("a file renamed") { rename("\\(outside)/victim", own + "/victim") == 0 }
        attempt("a file cut off") { truncate("\\(outside)/victim", 0) == 0 }
        attempt("the scenario changed") {
          try Data("x".utf8).write(to: URL(fileURLWithPath: "\\(outside)/A.scenario.yaml"))
          return true
        }
        chmod("\\(outside)/victim", 0o777)
        let handle = open(#filePath, O_RDONLY)
        fchmod(handle, 0o777)
        attempt("the attributes of a source") {
          var flags = 0
          guard ioctl(handle, 0x8008_6601, &flags) == 0 else { return false }
          flags |= 0x40  // Not to be backed up.
          return ioctl(handle, 0x4008_6602, &flags) == 0
        }
        attempt("signals by a pipe") {
          var ends: [Int32] = [-1, -1]
          return pipe(&ends) == 0 && fcntl(ends[0], F_SETOWN, getppid()) == 0
        }
        attempt("a lease of a source") { fcntl(handle, 1024 /* F_SETLEASE */, 0) == 0 }
        attempt("another session") { setsid() >= 0 }
        attempt("a program that writes") {
          spawn("sh", "-c", "echo x > \\(outside)/by-program", waits: true)
        }
        _ = spawn("sh", "-c", "sleep 98765", waits: false)
        try Data("x".utf8).write(to: URL(fileURLWithPath: own + "/fine"))
        try files.copyItem(atPath: own + "/fine", toPath: own + "/copy")
        try Data("x".utf8).write(to: files.homeDirectoryForCurrentUser.appendingPathComponent(".heavyweight-fine"))
        try files.removeItem(at: files.homeDirectoryForCurrentUser.appendingPathComponent(".heavyweight-fine"))
        if reached.isEmpty { print("its own folders are there") }
      }
    \(members)
    }

    """
  }
}
