#ifndef HEAVYWEIGHT_SANDBOX_H
#define HEAVYWEIGHT_SANDBOX_H

#include <stddef.h>

/// What may be done with a file, or with all that is in a folder.
enum hw_access {
  /// List folders.
  HW_LIST = 1,
  /// List folders and read files.
  HW_READ = 2,
  /// That, and run programs.
  HW_RUN = 3,
  /// List, read, write, make, move and remove files and folders; nothing that isn't an ordinary file or a folder.
  HW_CHANGE = 4,
  /// Read and write a device.
  HW_DEVICE = 5,
  /// Read files whose names one knows.
  HW_OPEN = 6,
};

struct hw_rule {
  const char *path;
  enum hw_access access;
};

/// Whether this system can confine a process, without doing it.
/// - Returns: 0, or the number of the error; `what` says what there isn't.
int hw_sandbox_probe(const char **what);

/// Confines the calling thread, and what it executes from then on, for ever: the files of the rules and
/// no others (a path that isn't there is passed over), no sockets, no signals to other processes, no
/// new privileges. To be followed by `execve`, after which the process has no other thread.
/// - Returns: 0, or the number of the error; `what` says what failed.
int hw_sandbox_enter(const struct hw_rule *rules, size_t count, const char **what);

#endif
