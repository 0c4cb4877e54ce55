/// What Git LFS leaves in place of a file that it hasn't fetched: a text of three lines.
package enum LargeFilePointer {
  package static let problem =
    "this is a pointer of Git LFS, not the file itself: fetch it with 'git lfs pull'"
}

extension Data {
  package var isLargeFilePointer: Bool {
    starts(with: Data("version https://git-lfs.github.com/spec/".utf8))
  }
}
