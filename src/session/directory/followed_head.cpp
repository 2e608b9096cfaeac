// SPDX-License-Identifier: MIT
#include "session/directory/followed_head.hpp"

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "sys/files/file.hpp"

#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::session {
namespace {

constexpr const char* kFollowed = "followed-head";
constexpr const char* kUsualIndex = "project/upper/.git/index";

}  // namespace

std::optional<FollowedHead> read_followed_head(const SessionDir& session) {
  const auto text = sys::read_file_at(session.fd(), kFollowed);
  const std::vector<std::string> words = text ? split(*text, '\0') : std::vector<std::string>{};
  constexpr std::size_t kWords = 4;
  FollowedHead head;
  if (words.size() < kWords || !read_numbers(words[1], head.log_size)) {
    return std::nullopt;
  }
  head.commit = words[0];
  head.index = words[2];
  head.log = words[3];
  return head;
}

void write_followed_head(const SessionDir& session, const FollowedHead& head) {
  sys::replace_file_at(session.fd(), kFollowed,
                       head.commit + '\0' + std::to_string(head.log_size) + '\0' + head.index +
                           '\0' + head.log + '\0',
                       S_IRUSR | S_IWUSR);
}

std::uint64_t log_size(const std::string& log) {
  struct stat st {};
  return ::lstat(log.c_str(), &st) == 0 ? static_cast<std::uint64_t>(st.st_size) : 0;
}

bool is_index_behind(const SessionDir& session) {
  const auto head = read_followed_head(session);
  const std::string index = head ? head->index : kUsualIndex;
  return ::faccessat(session.fd(), index.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
         (!head || log_size(head->log) != head->log_size);
}

}  // namespace shadow::session
