// SPDX-License-Identifier: MIT
#include "bases/capture/alike.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "overlay/read/compare.hpp"
#include "store/contents/blobs.hpp"
#include "sys/files/beneath.hpp"

#include <string>

#include <fcntl.h>

namespace shadow::bases {
namespace {

bool is_of_one_form(const Entry& a, const Entry& b) {
  return a.kind == b.kind && a.size == b.size && a.mode == b.mode && a.target == b.target;
}

bool has_content(int lower, const std::string& path, const std::string& hash) {
  const sys::Fd file = sys::open_beneath(lower, path, O_RDONLY | O_NONBLOCK);
  return to_hex(store::hash_file(file.get())) == hash;
}

}  // namespace

bool is_alike(int upper, int lower, const overlay::UpperEntry& own, const Entry& real) {
  const sys::SplitPath parts = sys::split_path(own.path);
  const sys::Fd above = sys::try_open_beneath(upper, parts.parent, sys::kDirPath);
  const sys::Fd below = sys::try_open_beneath(lower, parts.parent, sys::kDirPath);
  return above && below &&
         !overlay::compare(
              {above.get(), below.get(), std::string{parts.name}, own.path, own.entry, real})
              .any();
}

bool has_base_again(int upper, int lower, const overlay::UpperEntry& own, const Entry& real,
                    const Base& base) try {
  const bool is_file = real.kind == EntryKind::File;
  if (!base.is_known() || !(is_file || real.kind == EntryKind::Symlink) ||
      !is_of_one_form(own.entry, real) || !is_of_one_form(base.entry(), real) ||
      !is_alike(upper, lower, own, real)) {
    return false;
  }
  const std::string& hash = base.content().hash();
  return !is_file || hash.empty() || has_content(lower, own.path, hash);
} catch (const Error&) {
  return false;
}

}  // namespace shadow::bases
