// SPDX-License-Identifier: MIT
// Attacks on the kernel's own state by system calls: modules, clocks, programs in the kernel, keys.
#include "attack.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/reboot.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <sys/io.h>
#endif

namespace escape {
namespace {

std::string load_module(const Bait& /*bait*/) {
  const char nothing[64] = {};
  if (::syscall(SYS_init_module, nothing, sizeof nothing, "") == 0) {
    return "OK";
  }
  const std::string refused = errno_name();
  const int file = ::open("/bin/true", O_RDONLY | O_CLOEXEC);
  return ::syscall(SYS_finit_module, file, "", 0) == 0 ? "OK" : refused;
}

std::string set_clock(const Bait& /*bait*/) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (::clock_settime(CLOCK_REALTIME, &now) == 0) {
    return "OK";
  }
  const std::string refused = errno_name();
  timex change{};
  change.modes = ADJ_STATUS;
  return ::adjtimex(&change) >= 0 ? "OK" : refused;
}

// A reboot inside a pid namespace ends the namespace and nothing else: only the kernel's own
// command, which is harmless where it is let through, is tried in this one.
std::string reboot(const Bait& /*bait*/) {
  return outcome(
      ::syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_CAD_OFF, 0));
}

std::string load_program(const Bait& /*bait*/) {
  const std::array<bpf_insn, 2> program = {bpf_insn{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
                                           bpf_insn{BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  union bpf_attr attr {};
  attr.prog_type = BPF_PROG_TYPE_KPROBE;
  attr.insns = reinterpret_cast<std::uintptr_t>(program.data());
  attr.insn_cnt = program.size();
  attr.license = reinterpret_cast<std::uintptr_t>("GPL");
  if (::syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr) >= 0) {
    return "OK";
  }
  return errno_name();
}

std::string list_programs(const Bait& /*bait*/) {
  union bpf_attr attr {};
  return outcome(::syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof attr));
}

std::string measure_machine(const Bait& /*bait*/) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_SOFTWARE;
  attr.size = sizeof attr;
  attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
  return outcome(::syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0));
}

std::string measure_kernel(const Bait& /*bait*/) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_SOFTWARE;
  attr.size = sizeof attr;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_type = PERF_SAMPLE_CALLCHAIN;
  return outcome(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}

// Faults of the kernel itself, which attacks use to stop it in the middle of something.
std::string catch_kernel_faults(const Bait& /*bait*/) {
  return outcome(::syscall(SYS_userfaultfd, O_CLOEXEC));
}

// The ring opens files with the caller's own view, not the kernel thread's.
std::string open_with_ring(const Bait& bait) {
  io_uring_params params{};
  const int ring = static_cast<int>(::syscall(SYS_io_uring_setup, 4, &params));
  if (ring < 0) {
    return errno_name();
  }
  const std::size_t sq_size = params.sq_off.array + params.sq_entries * sizeof(unsigned);
  const std::size_t cq_size = params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
  const auto map = [&](std::size_t size, off_t at) {
    return static_cast<char*>(
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, at));
  };
  char* sq = map(sq_size, IORING_OFF_SQ_RING);
  char* cq = map(cq_size, IORING_OFF_CQ_RING);
  char* entries = map(params.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
  if (sq == MAP_FAILED || cq == MAP_FAILED || entries == MAP_FAILED) {
    return "mmap: " + errno_name();
  }
  const std::string path = bait.text("outside") + "/file";
  io_uring_sqe open{};
  open.opcode = IORING_OP_OPENAT;
  open.fd = AT_FDCWD;
  open.addr = reinterpret_cast<std::uintptr_t>(path.c_str());
  open.open_flags = O_WRONLY;
  // Through a worker thread of the kernel, whose own root and credentials must not count.
  open.flags = IOSQE_ASYNC;
  std::memcpy(entries, &open, sizeof open);
  const unsigned first = 0;
  std::memcpy(sq + params.sq_off.array, &first, sizeof first);
  const unsigned tail = 1;
  std::memcpy(sq + params.sq_off.tail, &tail, sizeof tail);
  if (::syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) < 0) {
    return "enter: " + errno_name();
  }
  io_uring_cqe done{};
  std::memcpy(&done, cq + params.cq_off.cqes, sizeof done);
  if (done.res >= 0) {
    return "OK";
  }
  errno = -done.res;
  return errno_name();
}

std::string add_key(const Bait& /*bait*/) {
  return outcome(::syscall(SYS_add_key, "user", "shadow-escape", "x", 1, KEY_SPEC_USER_KEYRING));
}

std::string find_key(const Bait& /*bait*/) {
  return outcome(::syscall(SYS_request_key, "user", "shadow-escape-bait", nullptr, 0));
}

std::string read_key(const Bait& bait) {
  char buffer[64];
  return outcome(::syscall(SYS_keyctl, KEYCTL_READ, bait.number("key"), buffer, sizeof buffer));
}

std::string call_up(const Bait& /*bait*/) {
  // What request_key(2) starts when a key is missing is a program outside of every namespace.
  return outcome(::syscall(SYS_request_key, "user", "shadow-escape-none", "x", 0));
}

std::string set_host_name(const Bait& /*bait*/) {
  const std::string before = "shadow-escape";
  if (::sethostname(before.data(), before.size()) == 0) {
    return "OK";
  }
  const std::string refused = errno_name();
  return ::setdomainname(before.data(), before.size()) == 0 ? "OK" : refused;
}

std::string swap_on(const Bait& bait) {
  if (::swapon(bait.text("root-device").c_str(), 0) == 0) {
    return "OK";
  }
  return errno_name();
}

std::string account(const Bait& bait) {
  const std::string file = bait.text("project") + "/account";
  (void)try_open(file, O_WRONLY | O_CREAT);
  return outcome(::acct(file.c_str()));
}

std::string set_quota(const Bait& bait) {
  constexpr int kQuotaOff = 0x800003 << 8;
  return outcome(::syscall(SYS_quotactl, kQuotaOff, bait.text("root-device").c_str(), 0, nullptr));
}

std::string clear_log(const Bait& /*bait*/) {
  constexpr int kClear = 5;
  return outcome(::klogctl(kClear, nullptr, 0));
}

std::string read_log(const Bait& /*bait*/) {
  constexpr int kReadAll = 3;
  char buffer[64];
  return outcome(::klogctl(kReadAll, buffer, sizeof buffer));
}

std::string use_ports(const Bait& /*bait*/) {
#if defined(__x86_64__) || defined(__i386__)
  constexpr int kAll = 3;
  if (::iopl(kAll) == 0) {
    return "OK";
  }
  const std::string refused = errno_name();
  constexpr unsigned kKeyboard = 0x60;
  return ::ioperm(kKeyboard, 1, 1) == 0 ? "OK" : refused;
#else
  return "ENOSYS";
#endif
}

std::string load_kernel(const Bait& /*bait*/) {
  return outcome(::syscall(SYS_kexec_load, 0, 0, nullptr, 0));
}

// Lower addresses and readable-implies-executable weaken setuid programs, if any would gain.
std::string weaken_setuid(const Bait& /*bait*/) {
  constexpr unsigned long kWeak = ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC | MMAP_PAGE_ZERO;
  if (::personality(kWeak) < 0) {
    return errno_name();
  }
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2; ++fd) {
      ::dup2(null, fd);
    }
    ::execlp("su", "su", "root", "-c", "true", nullptr);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "OK" : "own process only";
}

std::string watch_filesystem(const Bait& /*bait*/) {
  constexpr unsigned kContent = 0x04;  // FAN_CLASS_CONTENT: may hold up others' opens
  return outcome(::syscall(SYS_fanotify_init, kContent, O_RDONLY));
}

// A core of a crashing process is given to the program that core_pattern names, outside.
std::string dump_core(const Bait& bait) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::chdir(bait.text("project").c_str()) == 0) {
      ::abort();
    }
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WCOREDUMP(status) ? "OK" : "no core";
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt) {
  return {"kernel", name, how, expected, Levels::All, std::move(attempt)};
}

}  // namespace

Attacks kernel_attacks() {
  constexpr const char* kNoKeys = "ENOSYS";
  return {
      attack("load a module", "init_module, finit_module", "EPERM|ENOSYS", load_module),
      attack("set the clock", "clock_settime, adjtimex", "EPERM", set_clock),
      attack("reboot", "reboot(CAD_OFF)", "EPERM|EINVAL", reboot),
      attack("load another kernel", "kexec_load", "EPERM|ENOSYS", load_kernel),
      attack("use the machine's ports", "iopl, ioperm", "EPERM|ENOSYS", use_ports),
      attack("set the host's name", "sethostname, setdomainname", "EPERM", set_host_name),
      attack("swap to the disk", "swapon", "EPERM|ENOSYS", swap_on),
      attack("switch accounting on", "acct", "EPERM|ENOSYS", account),
      attack("switch quotas off", "quotactl", "EPERM|ENOENT|ENOSYS|ENOTBLK|ENODEV|EACCES|ESRCH",
             set_quota),
      attack("run a program in the kernel", "bpf(PROG_LOAD)", "EPERM|ENOSYS", load_program),
      attack("list programs in the kernel", "bpf(PROG_GET_NEXT_ID)", "EPERM|ENOSYS", list_programs),
      attack("measure the whole machine", "perf_event_open(pid -1)",
             "open: Information from the kernel", measure_machine),
      attack("sample the kernel", "perf_event_open with the kernel's stack",
             "open: Information from the kernel", measure_kernel),
      attack("stop the kernel at a page fault", "userfaultfd", "EPERM|ENOSYS", catch_kernel_faults),
      attack("write outside with the kernel's worker", "io_uring, OPENAT, ASYNC",
             "EROFS|ENOENT|EPERM|EACCES|ENOSYS", open_with_ring),
      attack("store a key", "add_key", kNoKeys, add_key),
      attack("find the caller's key", "request_key", kNoKeys, find_key),
      attack("read the caller's key", "keyctl(READ)", kNoKeys, read_key),
      attack("have the kernel start a helper", "request_key with callout", kNoKeys, call_up),
      attack("have the kernel write or pipe a core", "abort()", "no core", dump_core),
      attack("weaken setuid programs", "personality, su", "own process only|EPERM", weaken_setuid),
      attack("hold up others' file accesses", "fanotify_init(CLASS_CONTENT)", "EPERM|ENOSYS|EINVAL",
             watch_filesystem),
      attack("clear the kernel's log", "syslog(CLEAR)", "EPERM|ENOSYS", clear_log),
      attack("read the kernel's log", "syslog(READ_ALL)", "open: Information from the kernel",
             read_log)};
}

}  // namespace escape
