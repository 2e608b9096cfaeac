// SPDX-License-Identifier: MIT
#include "apply/choice/sensitive_message.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "changes/lines.hpp"
#include "session/project/git_dir.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace shadow::apply {

namespace {

// In the order of what there is to fear.
enum class Danger : std::uint8_t {
  Rights,     // rights of others, devices
  Elsewhere,  // what is written or read through it lies outside of the project
  Git,        // run by what everybody does all the time
  Tool,       // run by another program on this machine
  Server      // run elsewhere, after a push
};

Danger danger_of(const ReviewItem& item) {
  constexpr std::uint32_t kSetIds = 06000;
  const Entry& after = item.change.after;
  if (after.kind == EntryKind::Device || (after.mode & kSetIds & ~item.change.before.mode) != 0) {
    return Danger::Rights;
  }
  if (after.kind == EntryKind::Symlink) {
    return Danger::Elsewhere;
  }
  if (session::git_dir_of(item.change.path) ||
      item.sensitive.str().find("git") != std::string::npos) {
    return Danger::Git;
  }
  return item.sensitive.str().find("CI ") != std::string::npos ? Danger::Server : Danger::Tool;
}

SensitiveError error_of(const char* doing, const std::vector<ReviewItem>& blocked,
                        std::string_view place, const char* hint) {
  std::vector<ReviewItem> items = listable(blocked);
  std::stable_sort(items.begin(), items.end(), [](const ReviewItem& a, const ReviewItem& b) {
    return danger_of(a) < danger_of(b);
  });
  std::string text = fmt::format(
      "cannot {} {} sensitive change{}, which can act on your side without being "
      "asked to; nothing was written",
      doing, items.size(), items.size() == 1 ? "" : "s");
  std::vector<std::string> paths;
  for (const ReviewItem& item : items) {
    paths.push_back(item.change.path);
    text += fmt::format("\n  {} ({})", printable(relative_path(item.change.path, place)),
                        item.sensitive.str());
  }
  return SensitiveError{text, hint, ExitCode::Refused, paths};
}

}  // namespace

SensitiveError sensitive_error(const std::vector<ReviewItem>& blocked, std::string_view place) {
  return error_of("apply", blocked, place,
                  "look at them with 'shadow diff PATH'; --allow-sensitive=PATH takes one, "
                  "--allow-sensitive all of them, --skip-sensitive applies the rest");
}

SensitiveError sensitive_undo_error(const std::vector<ReviewItem>& blocked,
                                    std::string_view place) {
  return error_of("bring back", blocked, place,
                  "'shadow undo -n' lists what it would write; --allow-sensitive=PATH allows one, "
                  "--allow-sensitive all of them");
}

}  // namespace shadow::apply
