// SPDX-License-Identifier: MIT
// Attacks by path: reading what is hidden, writing what is read-only, links in and out.
#include "attack.hpp"

#include <array>
#include <cerrno>
#include <cstdint>

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace escape {
namespace {

// Outside may be hidden altogether (below /tmp), or shown and read-only.
constexpr const char* kNoWrite = "EROFS|ENOENT|EPERM|EACCES";
constexpr const char* kHidden = "ENOENT|EACCES|empty";

std::string outside(const Bait& bait, const char* name) {
  return bait.text("outside") + "/" + name;
}

std::string in_project(const Bait& bait, const std::string& name) {
  return bait.text("project") + "/" + name;
}

std::string list(const std::string& path) {
  DIR* dir = ::opendir(path.c_str());
  if (dir == nullptr) {
    return errno_name();
  }
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(dir)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") {
      names.push_back(name);
    }
  }
  ::closedir(dir);
  return names.empty() ? "empty" : held_unless(names);
}

// Every way to name a directory that starts from something this process has.
std::string list_roundabout(const std::string& path) {
  std::vector<std::string> seen;
  for (const char* start : {"/proc/self/root", "/proc/self/cwd/../../../../../../../..",
                            "/proc/thread-self/root", "/proc/self/task/../root", "/."}) {
    const std::string found = list(start + path);
    if (found.starts_with("LEAK")) {
      seen.emplace_back(start);
    }
  }
  return held_unless(seen);
}

std::string write_system(const Bait& /*bait*/) {
  std::vector<std::string> written;
  for (const char* place : {"/", "/etc", "/usr", "/usr/local/bin", "/var/lib", "/var/log", "/opt",
                            "/srv", "/boot", "/root", "/var/spool/cron/crontabs", "/etc/cron.d",
                            "/var/spool/at", "/etc/systemd/system", "/usr/lib/systemd/user"}) {
    const std::string file = std::string{place} + "/shadow-escape";
    if (try_open(file, O_WRONLY | O_CREAT) == "OK" || ::mkdir(file.c_str(), S_IRWXU) == 0) {
      written.emplace_back(place);
    }
  }
  for (const char* file : {"/etc/passwd", "/etc/ld.so.cache", "/etc/crontab", "/bin/sh"}) {
    if (try_open(file, O_WRONLY) == "OK" || try_open(file, O_RDWR) == "OK") {
      written.emplace_back(file);
    }
  }
  return held_unless(written);
}

// Everything but writing that changes a file.
std::string change_attributes(const Bait& bait) {
  const std::string file = outside(bait, "file");
  std::vector<std::string> done;
  const auto note = [&](const char* what, bool success) {
    if (success) {
      done.emplace_back(what);
    }
  };
  note("chmod", ::chmod(file.c_str(), S_IRUSR) == 0);
  note("chown", ::chown(file.c_str(), ::getuid(), ::getgid()) == 0);
  note("utimensat", ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0) == 0);
  note("setxattr", ::setxattr(file.c_str(), "user.escape", "x", 1, 0) == 0);
  note("truncate", ::truncate(file.c_str(), 0) == 0);
  note("rename", ::rename(file.c_str(), outside(bait, "renamed").c_str()) == 0);
  note("unlink", ::unlink(file.c_str()) == 0);
  note("symlink", ::symlink("x", outside(bait, "link").c_str()) == 0);
  note("mkfifo", ::mkfifo(outside(bait, "fifo2").c_str(), S_IRUSR) == 0);
  return held_unless(done);
}

std::string change_flags(const Bait& bait) {
  const int fd = ::open(outside(bait, "file").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return errno_name();
  }
  int flags = 0;
  if (::ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0) {
    return "EPERM";  // a filesystem without flags has none to change
  }
  flags |= FS_NODUMP_FL;
  return outcome(::ioctl(fd, FS_IOC_SETFLAGS, &flags));
}

// A descriptor that may be read is opened anew for writing.
std::string reopen_for_writing(const Bait& bait) {
  const int fd = ::open(outside(bait, "file").c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) {
    return errno_name();
  }
  return try_open("/proc/self/fd/" + std::to_string(fd), O_WRONLY);
}

std::string link_into_project(const Bait& bait) {
  const std::string name = in_project(bait, "linked-in");
  if (::link(outside(bait, "file").c_str(), name.c_str()) == 0) {
    return try_write(name, "escaped");
  }
  std::string refused = errno_name();
  const int fd = ::open(outside(bait, "file").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && ::linkat(AT_FDCWD, ("/proc/self/fd/" + std::to_string(fd)).c_str(), AT_FDCWD,
                          name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
    return try_write(name, "escaped");
  }
  return refused;
}

// The driver compares the other name of the file afterwards.
std::string write_hard_link(const Bait& bait) {
  return try_write(in_project(bait, "hard"), "escaped");
}

std::string write_symlink(const Bait& bait) {
  return try_write(in_project(bait, "symlink"), "escaped");
}

std::string plant_symlink(const Bait& bait) {
  const std::string name = in_project(bait, "planted");
  ::unlink(name.c_str());
  if (::symlink(bait.text("outside").c_str(), name.c_str()) != 0) {
    return errno_name();
  }
  return try_open(name + "/created", O_WRONLY | O_CREAT);
}

std::string move_out(const Bait& bait) {
  const std::string file = in_project(bait, "moving");
  (void)try_open(file, O_WRONLY | O_CREAT);
  return outcome(::rename(file.c_str(), outside(bait, "moved").c_str()));
}

std::string move_project(const Bait& bait) {
  const std::string project = bait.text("project");
  if (::rename(project.c_str(), (project + "-away").c_str()) == 0) {
    return "OK";
  }
  const std::string refused = errno_name();
  return ::syscall(SYS_renameat2, AT_FDCWD, project.c_str(), AT_FDCWD, bait.text("outside").c_str(),
                   RENAME_EXCHANGE) == 0
             ? "OK"
             : refused;
}

std::string tmpfile_outside(const Bait& bait) {
  return try_open(bait.text("outside"), O_WRONLY | O_TMPFILE);
}

std::string read_whiteout(const Bait& bait) {
  return try_open(in_project(bait, "lower-only"), O_RDONLY);
}

std::string read_secret(const Bait& bait) {
  return try_open(bait.text("home") + "/.ssh/id_ed25519", O_RDONLY);
}

// Names with other case, doubled slashes and dots reach the same mask.
std::string read_secret_oddly(const Bait& bait) {
  std::vector<std::string> read;
  for (const char* name : {"/.ssh/./id_ed25519", "//.ssh//id_ed25519", "/x/../.ssh/id_ed25519",
                           "/.config/../.ssh/id_ed25519"}) {
    if (try_open(bait.text("home") + name, O_RDONLY) == "OK") {
      read.emplace_back(name);
    }
  }
  return held_unless(read);
}

std::string lift_mask(const Bait& bait) {
  const std::string mask = bait.text("home") + "/.ssh";
  ::unlink(mask.c_str());
  ::mkdir(mask.c_str(), S_IRWXU);  // a directory of one's own may be made: it must be empty
  return read_secret(bait);
}

// The driver looks whether the real ones are as they were.
std::string plant_start_files(const Bait& bait) {
  const std::string home = bait.text("home");
  const std::string units = home + "/.config/systemd/user/default.target.wants";
  std::string path = home;
  for (const char* part : {"/.config", "/systemd", "/user", "/default.target.wants"}) {
    path += part;
    ::mkdir(path.c_str(), S_IRWXU);
  }
  (void)try_open(units + "/escape.service", O_WRONLY | O_CREAT);
  ::mkdir((home + "/.config/autostart").c_str(), S_IRWXU);
  for (const char* name : {"/.bashrc", "/.profile", "/.config/autostart/escape.desktop",
                           "/.ssh/authorized_keys", "/.forward", "/.xprofile"}) {
    (void)try_open(home + name, O_WRONLY | O_CREAT);
    (void)try_write(home + name, "escaped");
  }
  return "only here";
}

std::string run_program(const std::vector<const char*>& words) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= 2; ++fd) {
      ::dup2(null, fd);
    }
    std::vector<const char*> argv = words;
    argv.push_back(nullptr);
    ::execvp(argv[0], const_cast<char**>(argv.data()));
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "OK" : "refused";
}

std::string install_crontab(const Bait& bait) {
  const std::string table = bait.text("project") + "/crontab-escape";
  (void)try_open(table, O_WRONLY | O_CREAT);
  (void)try_write(table, "* * * * * touch /tmp/shadow-escape\n");
  return run_program({"crontab", table.c_str()});
}

std::string queue_at_job(const Bait& /*bait*/) {
  return run_program({"sh", "-c", "echo true | at now"});
}

std::string start_user_unit(const Bait& /*bait*/) {
  return run_program({"systemd-run", "--user", "--quiet", "true"});
}

// Copies of cat with the setuid bit, owned by root and, where root set the scene, really so.
std::string run_setuid_copy(const Bait& bait) {
  const std::string program = outside(bait, "setuid-cat");
  const std::string secret = outside(bait, "only-root");
  return run_program({program.c_str(), secret.c_str()});
}

std::string open_device(const Bait& bait) {
  return try_open(outside(bait, "device"), O_RDWR);
}

std::string make_device(const Bait& bait) {
  constexpr mode_t kMode = 0600;
  const std::string name = in_project(bait, "made-device");
  constexpr unsigned kMemory = 1;
  for (const mode_t kind : {mode_t{S_IFCHR}, mode_t{S_IFBLK}}) {
    if (::mknod(name.c_str(), kind | kMode, makedev(kMemory, kMemory)) == 0) {
      const std::string opened = try_open(name, O_RDWR);
      ::unlink(name.c_str());
      return opened == "OK" ? "OK" : "made, " + opened;
    }
  }
  return errno_name();
}

// Where root has rights over the files of the project's owner: what it may do with others, and
// outside.
std::string give_away(const std::string& path, uid_t owner) {
  return outcome(::chown(path.c_str(), owner, owner));
}

std::string give_from_the_view(const Bait& bait) {
  constexpr uid_t kAnother = 12345;
  const std::string name = in_project(bait, "given-away");
  (void)try_open(name, O_WRONLY | O_CREAT);
  return give_away(name, kAnother);
}

// In its oldest form, whose rights would be those of the machine's root.
std::string give_capabilities(const Bait& bait) {
  const std::string name = in_project(bait, "capable");
  (void)try_open(name, O_WRONLY | O_CREAT);
  constexpr std::array<std::uint32_t, 5> kEverything{0x02000001, ~0U, 0, ~0U, 0};
  return outcome(
      ::setxattr(name.c_str(), "security.capability", kEverything.data(), sizeof kEverything, 0));
}

Attack attack(const char* name, const char* how, const char* expected,
              std::function<std::string(const Bait&)> attempt, Levels levels = Levels::All) {
  return {"files", name, how, expected, levels, std::move(attempt)};
}

Attacks reading() {
  return {attack("list the state directory", "opendir", kHidden,
                 [](const Bait& bait) { return list(bait.text("state")); }),
          attack("list the state directory by a link to it", "opendir of a symlink outside",
                 kHidden, [](const Bait& bait) { return list(bait.text("state-link")); }),
          attack("list the state directory in roundabout ways", "/proc/self/root, cwd/.., task/..",
                 "held", [](const Bait& bait) { return list_roundabout(bait.text("state")); }),
          attack("open the session's upper", "opendir", kHidden,
                 [](const Bait& bait) { return list(bait.text("upper")); }),
          attack("read what the session deleted", "open", "ENOENT", read_whiteout, Levels::Plain),
          attack("read a masked key", "open ~/.ssh/id_ed25519", kHidden, read_secret),
          attack("read a masked key by odd names", "., //, x/..", "held", read_secret_oddly),
          attack("lift a mask", "unlink and mkdir ~/.ssh, open the key", kHidden, lift_mask),
          attack("list another session's files", "opendir below the state", kHidden,
                 [](const Bait& bait) { return list(bait.text("other-upper")); })};
}

Attacks writing() {
  return {
      attack("write into the system", "create in /, /etc, /usr, spool directories, ...", "held",
             write_system),
      attack("write a file outside", "open(O_WRONLY)", kNoWrite,
             [](const Bait& bait) { return try_open(outside(bait, "file"), O_WRONLY); }),
      attack("create a file outside", "open(O_CREAT)", kNoWrite,
             [](const Bait& bait) { return try_open(outside(bait, "new"), O_WRONLY | O_CREAT); }),
      attack("make an unnamed file outside", "open(O_TMPFILE)", kNoWrite, tmpfile_outside),
      attack("change a file outside", "chmod, chown, utimensat, setxattr, truncate, rename, ...",
             "held", change_attributes),
      attack("change a file's flags", "FS_IOC_SETFLAGS", kNoWrite, change_flags),
      attack("open a descriptor anew for writing", "/proc/self/fd/N of an O_PATH one", kNoWrite,
             reopen_for_writing),
      attack("write through a hard link into the project", "write; the driver compares", "OK",
             write_hard_link, Levels::Plain),
      attack("write through a symbolic link of the project", "write", kNoWrite, write_symlink),
      attack("write through a symbolic link of its own", "symlink, create below it", kNoWrite,
             plant_symlink),
      attack("link a file outside into the project", "link, linkat of a descriptor, write",
             "EXDEV|ENOENT|EPERM|EROFS", link_into_project),
      attack("move a file out of the project", "rename", "EXDEV|ENOENT|EROFS", move_out),
      attack("move the project", "rename, RENAME_EXCHANGE", "EBUSY|EROFS|EXDEV|EPERM",
             move_project)};
}

// Of the project's owner where that is not who runs it, and of a third user.
Attacks of_others() {
  constexpr const char* kRefused = "EACCES|EPERM|ENOENT|EROFS";
  return {attack("read a closed file of somebody else", "open, mode 600", kRefused,
                 [](const Bait& bait) { return try_open(outside(bait, "only-root"), O_RDONLY); }),
          attack("read a closed file of the project's owner", "open, mode 600",
                 "open: Root in a project of somebody else",
                 [](const Bait& bait) { return try_open(outside(bait, "owners"), O_RDONLY); }),
          attack("write a file of the project's owner outside", "open(O_WRONLY)", kRefused,
                 [](const Bait& bait) { return try_open(outside(bait, "owners"), O_WRONLY); }),
          attack("take a file of the project's owner outside", "chown", kRefused,
                 [](const Bait& bait) { return give_away(outside(bait, "owners"), ::getuid()); }),
          attack("give a file to somebody else", "chown in the view", "EPERM|EINVAL",
                 give_from_the_view),
          attack("give a program capabilities", "setxattr security.capability in the view", "EPERM",
                 give_capabilities, Levels::Plain)};
}

Attacks staying() {
  return {
      attack("leave something that starts later", "~/.bashrc, user units, autostart; compared",
             "only here", plant_start_files, Levels::Plain),
      attack("leave a cron job", "crontab FILE", "refused", install_crontab, Levels::Plain),
      attack("leave an at job", "at now", "refused", queue_at_job, Levels::Plain),
      attack("start a unit of the user's systemd", "systemd-run --user", "refused", start_user_unit,
             Levels::Plain),
      attack("use a setuid program", "a copy of cat owned by root", "refused", run_setuid_copy),
      attack("open a device outside of /dev", "open(O_RDWR) of a node in a directory",
             "EACCES|ENOENT|EPERM|EROFS", open_device),
      attack("make a device", "mknod of /dev/mem and a disk in the project", "EPERM", make_device)};
}

}  // namespace

Attacks file_attacks() {
  Attacks all = reading();
  for (const Attacks& more : {writing(), of_others(), staying()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace escape
