// Landlock (which files) and seccomp (which system calls): both need no privileges, no namespaces and no
// mounts, so that they work in containers and for any user. See landlock(7) and seccomp(2).

#define _GNU_SOURCE
#include "include/sandbox.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Landlock, whose header may be older than the kernel

enum {
  create_ruleset = 444,
  add_rule = 445,
  restrict_self = 446,
};

struct ruleset {
  uint64_t files, network, scopes;
};

struct rule_beneath {
  uint64_t access;
  int32_t parent;
} __attribute__((packed));

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIR = 1 << 3,
  REMOVE_DIR = 1 << 4,
  REMOVE_FILE = 1 << 5,
  MAKE_CHAR = 1 << 6,
  MAKE_DIR = 1 << 7,
  MAKE_REG = 1 << 8,
  MAKE_SOCK = 1 << 9,
  MAKE_FIFO = 1 << 10,
  MAKE_BLOCK = 1 << 11,
  MAKE_SYM = 1 << 12,
  REFER = 1 << 13,
  TRUNCATE = 1 << 14,
  IOCTL_DEV = 1 << 15,
};

static const uint64_t of_files_alone = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

/// The number of Landlock's version; negative when there is none.
static long landlock_version(void) { return syscall(create_ruleset, NULL, 0, 1); }

/// Without version 2 no file could be moved from one folder to another.
static const long oldest_version = 2;

static uint64_t all_accesses(long version) {
  uint64_t all = (MAKE_SYM << 1) - 1;
  if (version >= 2) all |= REFER;
  if (version >= 3) all |= TRUNCATE;
  if (version >= 5) all |= IOCTL_DEV;
  return all;
}

static uint64_t accesses(enum hw_access access) {
  switch (access) {
    case HW_LIST: return READ_DIR;
    case HW_READ: return READ_DIR | READ_FILE;
    case HW_RUN: return READ_DIR | READ_FILE | EXECUTE;
    case HW_CHANGE:
      return READ_DIR | READ_FILE | WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER;
    case HW_OPEN: return READ_FILE;
    case HW_DEVICE: return READ_FILE | WRITE_FILE | TRUNCATE;
  }
  return 0;
}

static int allow(int ruleset, const struct hw_rule *rule, uint64_t handled) {
  int place = open(rule->path, O_PATH | O_CLOEXEC);
  if (place < 0) return errno == ENOENT || errno == ENOTDIR ? 0 : errno;
  struct stat facts;
  struct rule_beneath beneath = {accesses(rule->access) & handled, place};
  int error = 0;
  if (fstat(place, &facts) != 0) {
    error = errno;
  } else {
    if (!S_ISDIR(facts.st_mode)) beneath.access &= of_files_alone;
    if (beneath.access != 0 && syscall(add_rule, ruleset, 1, &beneath, 0) != 0) error = errno;
  }
  close(place);
  return error;
}

static int confine_files(const struct hw_rule *rules, size_t count, const char **what) {
  long version = landlock_version();
  uint64_t handled = all_accesses(version);
  // TCP, from version 4; abstract sockets and signals, from version 6: the filter below has them, too.
  struct ruleset attributes = {handled, version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  *what = "Landlock's rules can't be made";
  int ruleset = (int)syscall(create_ruleset, &attributes, size, 0);
  if (ruleset < 0) return errno;
  int error = 0;
  for (size_t index = 0; index < count && error == 0; index++) {
    *what = rules[index].path;
    error = allow(ruleset, &rules[index], handled);
  }
  if (error == 0) {
    *what = "Landlock refuses to confine the process";
    if (syscall(restrict_self, ruleset, 0) != 0) error = errno;
  }
  close(ruleset);
  return error;
}

// MARK: seccomp

#if defined(__x86_64__)
static const uint32_t architecture = AUDIT_ARCH_X86_64;
#else
static const uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

/// What Landlock doesn't see, of any file: its mode, its owner, its times. It is answered as done, since
/// Foundation takes no other answer where it copies a file, and nothing is done.
static const int ignored[] = {
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
    SYS_fchmod, SYS_fchown, SYS_fchmodat, SYS_fchownat, 452 /* fchmodat2 */, SYS_utimensat, SYS_setpriority,
};

/// What no migration needs, and what Landlock doesn't see either: sockets, other processes, mounts, the
/// kernel's own things. Of sockets the line to the other process is left, which has `sendto` and `recvfrom` without
/// an address; those of messages have theirs in memory, which no filter sees, and may carry open files.
static const int refused[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendmsg, SYS_sendmmsg, SYS_recvmsg,
    SYS_recvmmsg, SYS_setsockopt, SYS_shutdown,
    // Submits any of these behind the filter's back.
    425 /* io_uring_setup */, 426, 427,
    SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 463 /* setxattrat */,
    466 /* removexattrat */, 469 /* file_setattr */,
#ifdef SYS_mknod
    SYS_mknod,
#endif
    SYS_mknodat, SYS_open_by_handle_at, SYS_inotify_init1, SYS_fanotify_init,
#ifdef SYS_inotify_init
    SYS_inotify_init,
#endif
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, 434 /* pidfd_open */, 438 /* pidfd_getfd */,
    424 /* pidfd_send_signal */, 440 /* process_madvise */, SYS_tkill, SYS_setsid, SYS_setpgid,
    SYS_ioprio_set, SYS_kcmp, SYS_migrate_pages, SYS_move_pages,
    // Queues and semaphores of others need no `get` first: their numbers are easy to guess.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semctl, SYS_semop, SYS_semtimedop, SYS_msgget, SYS_msgctl,
    SYS_msgsnd, SYS_msgrcv, SYS_mq_open, SYS_mq_unlink,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, 428 /* open_tree */,
    429 /* move_mount */, 430 /* fsopen */, 431, 432, 433 /* fspick */, 442 /* mount_setattr */,
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname,
    SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_acct,
    SYS_quotactl, SYS_syslog, SYS_vhangup, SYS_personality,
};

/// Those whose first argument is a process: this one's own only.
static const int to_itself[] = {
    SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_prlimit64, SYS_sched_setaffinity,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
};

/// Those that may not do something that one of their arguments says.
static const struct {
  int call, argument;
  /// Of the argument only these bits count.
  uint32_t mask, value;
  /// Whether it may do nothing but this.
  int is_only;
} limited[] = {
    // Datagrams could be sent to any local socket; Foundation starts programs with a pair of streams.
    {SYS_socketpair, 1, 0xF, 1 /* SOCK_STREAM */, 1},
    {SYS_sendto, 4, ~0U, 0, 1},
    // Signals by way of a file: to whom, which one.
    {SYS_fcntl, 1, ~0U, 8 /* F_SETOWN */, 0},
    {SYS_fcntl, 1, ~0U, 15 /* F_SETOWN_EX */, 0},
    {SYS_fcntl, 1, ~0U, 10 /* F_SETSIG */, 0},
    // Whoever opens the file would wait, for most of a minute.
    {SYS_fcntl, 1, ~0U, 1024 /* F_SETLEASE */, 0},
    // New files that run as their owner.
    {SYS_openat, 3, 04000, 04000, 0},
    {SYS_openat, 3, 02000, 02000, 0},
#ifdef SYS_open
    {SYS_open, 2, 04000, 04000, 0},
    {SYS_open, 2, 02000, 02000, 0},
    {SYS_creat, 1, 04000, 04000, 0},
    {SYS_creat, 1, 02000, 02000, 0},
#endif
};

/// What may be asked of an open file beside reading and writing: its kind, what waits in it, to share its blocks. Others
/// change attributes of files that are open for reading, have signals sent, or type into a terminal.
static const uint32_t requests[] = {
    0x5401 /* TCGETS */, 0x540F /* TIOCGPGRP */, 0x5413 /* TIOCGWINSZ */, 0x541B /* FIONREAD */, 0x5421 /* FIONBIO */,
    0x5450 /* FIONCLEX */, 0x5451 /* FIOCLEX */, 0x40049409 /* FICLONE */, 0x4020940D /* FICLONERANGE */,
};

struct program {
  struct sock_filter steps[512];
  unsigned short count;
};

static void add(struct program *program, uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
  program->steps[program->count++] = (struct sock_filter){code, yes, no, value};
}

static void load(struct program *program, size_t offset) {
  add(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

/// Does the next step only if what was loaded is equal to a value; else passes over `length` steps.
static void when(struct program *program, uint32_t value, uint8_t length) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, length, value);
}

static void answer(struct program *program, uint32_t action) { add(program, BPF_RET | BPF_K, 0, 0, action); }

static const size_t number_at = offsetof(struct seccomp_data, nr);
static const size_t argument_at = offsetof(struct seccomp_data, args);

/// Both of these processors have the lower half first.
static size_t low(int argument) { return argument_at + 8 * (size_t)argument; }

static const uint32_t refusal = SECCOMP_RET_ERRNO | EPERM;

static void write_program(struct program *program, long version) {
  load(program, offsetof(struct seccomp_data, arch));
  add(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, architecture);
  answer(program, SECCOMP_RET_KILL_PROCESS);
  load(program, number_at);
#if defined(__x86_64__)
  // The calls of another binary interface, by numbers of their own.
  add(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
  answer(program, refusal);
#endif
  for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++) {
    when(program, (uint32_t)ignored[index], 1);
    answer(program, SECCOMP_RET_ERRNO | 0);
  }
  for (size_t index = 0; index < sizeof refused / sizeof *refused; index++) {
    when(program, (uint32_t)refused[index], 1);
    answer(program, refusal);
  }
  if (version < 3) {
    // Landlock doesn't see it yet.
    when(program, SYS_truncate, 1);
    answer(program, refusal);
  }
  for (size_t index = 0; index < sizeof to_itself / sizeof *to_itself; index++) {
    when(program, (uint32_t)to_itself[index], 6);
    load(program, low(0));
    when(program, (uint32_t)getpid(), 1);
    answer(program, SECCOMP_RET_ALLOW);
    // "This process" where the call names one; a group of processes where it sends a signal.
    int names_itself_by_zero = to_itself[index] != SYS_kill && to_itself[index] != SYS_tgkill;
    when(program, names_itself_by_zero ? 0 : (uint32_t)getpid(), 1);
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, refusal);
  }
  for (size_t index = 0; index < sizeof limited / sizeof *limited; index++) {
    int is_only = limited[index].is_only;
    when(program, (uint32_t)limited[index].call, 5);
    load(program, low(limited[index].argument));
    add(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, limited[index].mask);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, is_only ? 1 : 0, is_only ? 0 : 1, limited[index].value);
    answer(program, refusal);
    load(program, number_at);
  }
  // Half an address is none yet.
  when(program, SYS_sendto, 4);
  load(program, low(4) + 4);
  when(program, 0, 1);
  answer(program, SECCOMP_RET_ALLOW);
  answer(program, refusal);
  const size_t known = sizeof requests / sizeof *requests;
  when(program, SYS_ioctl, (uint8_t)(2 + 2 * known));
  load(program, low(1));
  for (size_t index = 0; index < known; index++) {
    when(program, requests[index], 1);
    answer(program, SECCOMP_RET_ALLOW);
  }
  answer(program, refusal);
  // Its arguments are in memory, which no filter sees; without them, the C library asks by others.
  when(program, 437 /* openat2 */, 1);
  answer(program, SECCOMP_RET_ERRNO | ENOSYS);
  when(program, 435 /* clone3 */, 1);
  answer(program, SECCOMP_RET_ERRNO | ENOSYS);
  when(program, SYS_clone, 4);
  load(program, low(0));
  // New namespaces.
  add(program, BPF_JMP | BPF_JSET | BPF_K, 0, 1, 0x7E020000);
  answer(program, refusal);
  answer(program, SECCOMP_RET_ALLOW);
  answer(program, SECCOMP_RET_ALLOW);
}

static int confine_calls(const char **what) {
  static struct program program;
  program.count = 0;
  write_program(&program, landlock_version());
  struct sock_fprog filter = {program.count, program.steps};
  *what = "the filter of system calls is refused";
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0 ? 0 : errno;
}

// MARK: Capabilities

/// Root keeps the right to files that Landlock leaves: those of the folders may be another user's. Anything
/// else that root may do, such as reading other processes' memory, isn't asked about by Landlock.
static int drop_capabilities(const char **what) {
  *what = "root's capabilities can't be dropped";
  const uint32_t kept = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH;
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
    if (capability < 32 && (kept >> capability & 1)) continue;
    // Whoever may not drop it has none that `execve` could give.
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return errno;
  }
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) return errno;
  for (int half = 0; half < 2; half++) {
    uint32_t mask = half == 0 ? kept : 0;
    data[half].effective &= mask;
    data[half].permitted &= mask;
    data[half].inheritable = 0;
  }
  return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

// MARK: Both

int hw_sandbox_probe(const char **what) {
  long version = landlock_version();
  if (version < 0) {
    *what = errno == EOPNOTSUPP ? "Landlock is switched off in this kernel" : "this kernel, or the container, has no Landlock";
    return errno;
  }
  if (version < oldest_version) {
    *what = "this kernel's Landlock is too old: Linux 5.19 or newer is needed";
    return EOPNOTSUPP;
  }
  uint32_t action = SECCOMP_RET_ERRNO;
  *what = "this kernel, or the container, has no filters of system calls (seccomp)";
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ? 0 : errno;
}

int hw_sandbox_enter(const struct hw_rule *rules, size_t count, const char **what) {
  // Whatever was open stays outside, but for the three that everybody has.
  *what = "open files can't be kept out";
  if (syscall(436 /* close_range */, 3, ~0U, 4 /* at execve */) != 0) return errno;
  // Its process and those that it starts are one group, which can be ended as one.
  (void)setsid();
  // Landlock knows files by their inodes; this one's would be another when nobody has it open.
  int process = open("/proc/self", O_PATH);
  struct hw_rule all[count + 2];
  for (size_t index = 0; index < count; index++) all[index] = rules[index];
  all[count] = (struct hw_rule){"/proc/self", HW_READ};
  // libdispatch asks for `/proc/THREAD/stat`, and ends the process that may not. What is in memory of others
  // (and their variables and open files) is out of reach all the same.
  all[count + 1] = (struct hw_rule){"/proc", HW_OPEN};
  *what = "this process can't do without new privileges";
  if (process < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  int error = drop_capabilities(what);
  if (error == 0) error = confine_files(all, count + 2, what);
  return error != 0 ? error : confine_calls(what);
}

#else

#include <errno.h>

int hw_sandbox_probe(const char **what) {
  *what = "there is a sandbox for Linux on x86-64 and AArch64 only";
  return ENOTSUP;
}

int hw_sandbox_enter(const struct hw_rule *rules, size_t count, const char **what) {
  (void)rules;
  (void)count;
  return hw_sandbox_probe(what);
}

#endif
