// SPDX-License-Identifier: MIT
#include "git/objects/git_objects.hpp"

#include "base/wire.hpp"
#include "git/repository/confined.hpp"
#include "git/repository/handle.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace shadow::git {
namespace {

// A child's answer is limited.
constexpr std::uint64_t kMostOfOneAnswer = std::uint64_t{32} << 20U;

using ObjectHandle = Handle<git_odb_object, git_odb_object_free>;

// libgit2 compares what it reads with its id (GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, the
// default).
std::optional<std::string> read_blob(git_odb* odb, const WantedBlob& wanted) {
  git_oid id;
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (wanted.id.size() != GIT_OID_HEXSZ || git_oid_fromstr(&id, wanted.id.c_str()) < 0 ||
      git_odb_read_header(&size, &type, odb, &id) < 0 || type != GIT_OBJECT_BLOB ||
      size != wanted.size) {
    return std::nullopt;
  }
  git_odb_object* found = nullptr;
  if (git_odb_read(&found, odb, &id) < 0) {
    return std::nullopt;
  }
  const ObjectHandle object{found};
  const auto* bytes = static_cast<const char*>(git_odb_object_data(object.get()));
  return git_odb_object_size(object.get()) == wanted.size ? std::optional{std::string(bytes, size)}
                                                          : std::nullopt;
}

// In the child: of each blob whether it is there, and its bytes.
std::string read_all_of(const std::string& objects_dir, const WantedBlob* first,
                        const WantedBlob* last) {
  const auto odb = make<OdbHandle>("open the project's objects", git_odb_open, objects_dir.c_str());
  WireWriter answer;
  for (; first != last; ++first) {
    const auto text = read_blob(odb.get(), *first);
    answer.number(text ? 1 : 0);
    answer.text(text ? std::string_view{*text} : std::string_view{});
  }
  return answer.take();
}

}  // namespace

std::vector<std::optional<std::string>> read_blobs(const std::string& objects_dir,
                                                   const std::vector<WantedBlob>& wanted) {
  start_libgit2();
  std::vector<std::optional<std::string>> texts(wanted.size());
  for (std::size_t begin = 0; begin < wanted.size();) {
    std::size_t end = begin;
    std::uint64_t bytes = 0;
    do {
      bytes += wanted[end++].size;
    } while (end < wanted.size() && bytes + wanted[end].size <= kMostOfOneAnswer);
    const auto answer = run_confined(
        [&] { return read_all_of(objects_dir, wanted.data() + begin, wanted.data() + end); });
    WireReader in{answer ? std::string_view{*answer} : std::string_view{}};
    for (; begin < end; ++begin) {
      const bool there = in.number() == 1;
      std::string text = in.text();
      if (there && in.ok() && text.size() == wanted[begin].size) {
        texts[begin] = std::move(text);
      }
    }
  }
  return texts;
}

}  // namespace shadow::git
