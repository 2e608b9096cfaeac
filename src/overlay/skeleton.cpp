// SPDX-License-Identifier: MIT
#include "overlay/layer.hpp"
#include "overlay/prune.hpp"
#include "overlay/scan.hpp"
#include "overlay/look.hpp"
#include "shadow/error.hpp"
#include "sys/beneath.hpp"
#include "sys/dir.hpp"
#include "sys/xattr.hpp"
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <cerrno>
namespace shadow::overlay {
void create_layer(int dirfd, const std::string& name, int lower) {
  sys::Fd l = sys::make_dirs(dirfd, name, 0700);
  sys::Fd u = sys::make_dirs(l.get(), "upper", 0755);
  sys::make_dirs(l.get(), "work", 0700);
  struct stat st {};
  ::fstat(lower, &st);
  ::chmod(sys::proc_path(u.get()).c_str(), st.st_mode & 07777);
}
void clear_volatile_marker(int work) {
  if (::unlinkat(work, "work/incompat/volatile/dirty", 0) != 0 && errno == EACCES) {
    ::fchmodat(work, "work", 0700, 0);
    ::fchmodat(work, "work/incompat", 0700, 0);
    ::fchmodat(work, "work/incompat/volatile", 0700, 0);
    ::unlinkat(work, "work/incompat/volatile/dirty", 0);
  }
  if (::unlinkat(work, "work/incompat/volatile", AT_REMOVEDIR) == 0) ::unlinkat(work, "work/incompat", AT_REMOVEDIR);
}
void mask(int upper, int lower, const std::string& path) {
  const auto parts = sys::split_path(path);
  (void)lower;
  sys::Fd parent = sys::make_dirs(upper, parts.parent, 0755);
  if (::mknodat(parent.get(), std::string{parts.name}.c_str(), S_IFCHR, 0) != 0 && errno != EEXIST) throw_errno("mask " + path);
}
static void list(int upper, const std::string& path, std::vector<UpperEntry>& out) {
  sys::Fd d = sys::try_open_beneath(upper, path, O_RDONLY | O_DIRECTORY);
  if (!d) return;
  for (auto& e : sys::list_dir_sorted(d.get())) {
    UpperEntry u;
    u.path = sys::join_path(path, e.name);
    u.entry = look_at(d.get(), e.name);
    if (u.entry.kind == EntryKind::Device && u.entry.rdev == 0) u.kind = UpperKind::Whiteout;
    if (u.entry.kind == EntryKind::Directory) u.kind = UpperKind::MergedDir;
    bool dir = u.entry.kind == EntryKind::Directory;
    std::string p = u.path;
    out.push_back(std::move(u));
    if (dir) list(upper, p, out);
  }
}
std::vector<UpperEntry> list_upper(int upper) { std::vector<UpperEntry> o; list(upper, "", o); return o; }
}
