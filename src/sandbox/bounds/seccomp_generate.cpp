// SPDX-License-Identifier: MIT
// Run by the build: writes the seccomp filter of src/sandbox/bounds/seccomp.hpp as an array.
// Building it with libseccomp costs 60 us (statically linked) to 290 us in each process, more than
// all other system calls of a run's last stage; the result depends on nothing but the architecture.
#include <seccomp.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <linux/filter.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace {

struct Family {
  const char* meson;  // as host_machine.cpu_family() calls it
  std::vector<const char*> abis;
};

// Every ABI through which a program of that machine can enter the kernel: one left out would be a
// way around the filter.
std::vector<Family> families() {
  return {{"x86_64", {"x86_64", "x86", "x32"}},
          {"x86", {"x86"}},
          {"aarch64", {"aarch64", "arm"}},
          {"arm", {"arm"}},
          {"riscv64", {"riscv64"}},
          {"s390x", {"s390x", "s390"}},
          {"ppc64", {"ppc64le"}}};
}

struct Release {
  void operator()(void* filter) const { seccomp_release(filter); }
};
struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Filter = std::unique_ptr<void, Release>;
using File = std::unique_ptr<std::FILE, Close>;

bool add_abis(void* filter, const char* family) {
  for (const Family& known : families()) {
    if (std::strcmp(known.meson, family) != 0) {
      continue;
    }
    for (const char* abi : known.abis) {
      const int error = seccomp_arch_add(filter, seccomp_arch_resolve_name(abi));
      if (error != 0 && error != -EEXIST) {
        return false;
      }
    }
    // The build machine's own ABI was there from the start; when cross-building it is not wanted.
    const std::uint32_t native = seccomp_arch_native();
    bool wanted = false;
    for (const char* abi : known.abis) {
      wanted = wanted || seccomp_arch_resolve_name(abi) == native;
    }
    return wanted || seccomp_arch_remove(filter, native) == 0;
  }
  return false;
}

// As SCMP_A0 and its like, which are compound literals of C.
scmp_arg_cmp argument_is(unsigned number, std::uint64_t bits, std::uint64_t value) {
  return {.arg = number, .op = SCMP_CMP_MASKED_EQ, .datum_a = bits, .datum_b = value};
}

// Rules for what a network namespace does not separate. Sockets to the hypervisor have no
// namespace; a ring makes and connects sockets past any filter of system calls. ENOSYS, on which
// programs do without.
bool add_network_rules(void* filter) {
  constexpr std::uint64_t kLow = 0xffffffffU;
  const scmp_arg_cmp hypervisor = argument_is(0, kLow, AF_VSOCK);
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1, hypervisor) ==
             0 &&
         seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(io_uring_setup), 0) == 0;
}

bool add_rules(void* filter) {
  // The kernel takes an ioctl's command as 32 bits; a filter that compared all 64 could be passed
  // with a bit set above them. The numbers are those of asm-generic/ioctls.h.
  constexpr std::uint64_t kLow = 0xffffffffU;
  for (const std::uint64_t command : {TIOCSTI, TIOCLINUX}) {
    const scmp_arg_cmp same = argument_is(1, kLow, command);
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1, same) != 0) {
      return false;
    }
  }
  // clone3(2) puts a child into any control group of which the user may write cgroup.procs, be it
  // mounted read-only (CLONE_INTO_CGROUP; cgroup_may_write asks the inode alone): out of the run's
  // limits. Its flags lie in memory, where no filter sees them. ENOSYS, on which libraries use
  // clone.
  if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) != 0) {
    return false;
  }
  // An object pinned in bpffs is opened for writing by whom its mode lets, also where that is
  // mounted read-only: for root's runs, the host's own. EPERM is what most kernels say to all but
  // root.
  if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(bpf), 0) != 0) {
    return false;
  }
  // The key service: request_key(2) makes the kernel start a helper outside of every namespace, and
  // a key outlives its run. ENOSYS, which Kerberos and others take as "no such kernel" and use
  // files.
  for (const int call : {SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(keyctl)}) {
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0) != 0) {
      return false;
    }
  }
  return seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
}

// Calls that shadow-proxy never makes once it has started its threads.
bool add_proxy_rules(void* filter) {
  for (const int call :
       {SCMP_SYS(clone), SCMP_SYS(clone3), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve),
        SCMP_SYS(execveat), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
        SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_getfd), SCMP_SYS(unshare), SCMP_SYS(setns),
        SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
        SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(mount_setattr),
        SCMP_SYS(open_by_handle_at),
        // Landlock refuses it since Linux 6.2.
        SCMP_SYS(truncate), SCMP_SYS(truncate64), SCMP_SYS(bpf), SCMP_SYS(perf_event_open),
        SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(memfd_create), SCMP_SYS(add_key),
        SCMP_SYS(request_key), SCMP_SYS(keyctl)}) {
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) != 0) {
      return false;
    }
  }
  return seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
}

std::vector<sock_filter> exported(void* filter) {
  std::vector<sock_filter> program;
  const File file{std::tmpfile()};
  if (!file || seccomp_export_bpf(filter, fileno(file.get())) != 0) {
    return program;
  }
  std::rewind(file.get());
  sock_filter instruction{};
  while (std::fread(&instruction, sizeof instruction, 1, file.get()) == 1) {
    program.push_back(instruction);
  }
  return program;
}

bool write_array(std::FILE* out, const char* name, const std::vector<sock_filter>& program) {
  bool written =
      !program.empty() && std::fprintf(out, "inline constexpr std::array<sock_filter, %zu> %s{{\n",
                                       program.size(), name) > 0;
  for (const sock_filter& step : program) {
    written = written && std::fprintf(out, "    {0x%x, %u, %u, 0x%x},\n", step.code, step.jt,
                                      step.jf, step.k) > 0;
  }
  return written && std::fputs("}};\n\n", out) >= 0;
}

bool write_header(const char* name, const std::vector<sock_filter>& terminal,
                  const std::vector<sock_filter>& no_network,
                  const std::vector<sock_filter>& proxy) {
  const File out{std::fopen(name, "we")};
  return out &&
         std::fputs(
             "// Written by the build from src/sandbox/bounds/seccomp_generate.cpp.\n"
             "#pragma once\n\n#include <array>\n\n#include <linux/filter.h>\n\n"
             "namespace shadow::sandbox {\n\n",
             out.get()) >= 0 &&
         write_array(out.get(), "kTerminalFilter", terminal) &&
         write_array(out.get(), "kNoNetworkFilter", no_network) &&
         write_array(out.get(), "kProxyFilter", proxy) &&
         std::fputs("}  // namespace shadow::sandbox\n", out.get()) >= 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: seccomp_generate CPU_FAMILY HEADER\n", stderr);
    return 2;
  }
  const Filter filter{seccomp_init(SCMP_ACT_ALLOW)};
  if (!filter || !add_abis(filter.get(), argv[1]) || !add_rules(filter.get())) {
    std::fprintf(stderr, "cannot make the seccomp filter for %s\n", argv[1]);
    return 1;
  }
  const std::vector<sock_filter> terminal = exported(filter.get());
  if (!add_network_rules(filter.get())) {
    std::fprintf(stderr, "cannot make the seccomp filter without network for %s\n", argv[1]);
    return 1;
  }
  const Filter proxy{seccomp_init(SCMP_ACT_ALLOW)};
  if (!proxy || !add_abis(proxy.get(), argv[1]) || !add_proxy_rules(proxy.get())) {
    std::fprintf(stderr, "cannot make the proxy's seccomp filter for %s\n", argv[1]);
    return 1;
  }
  const bool written =
      write_header(argv[2], terminal, exported(filter.get()), exported(proxy.get()));
  return written ? 0 : 1;
}
