// SPDX-License-Identifier: MIT
#include "review/merge.hpp"

#include "git/repository/handle.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow::review {
namespace {

// The limit of xdiff's own arithmetic.
constexpr std::size_t kMostOfMerge = std::size_t{1023} << 20U;

enum class LineEnds : std::uint8_t { None, Lf, CrLf, Mixed };

LineEnds line_ends(std::string_view text) {
  LineEnds found = LineEnds::None;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    const LineEnds one = at > 0 && text[at - 1] == '\r' ? LineEnds::CrLf : LineEnds::Lf;
    if (found != LineEnds::None && found != one) {
      return LineEnds::Mixed;
    }
    found = one;
  }
  return found;
}

std::string with_lf(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') {
      out += text[i];
    }
  }
  return out;
}

std::string with_crlf(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    if (c == '\n') {
      out += '\r';
    }
    out += c;
  }
  return out;
}

// Conflict markers have one character more than the longest that already stand in the text, say
// from a merge that nobody resolved. Up to a length at which nobody would see a marker in them.
unsigned short marker_size(std::string_view text, unsigned short least) {
  constexpr std::size_t kLongest = 60;
  std::size_t size = least;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '<' || c == '>') {
      const std::size_t end = std::min(text.find_first_not_of(c, at), text.size());
      const std::size_t run = end - at;
      if (run >= size && run < kLongest && (end == text.size() || text[end] == ' ')) {
        size = run + 1;
      }
    }
    at = text.find('\n', at);
    at = at == std::string_view::npos ? text.size() : at + 1;
  }
  return static_cast<unsigned short>(size);
}

git_merge_file_input input(std::string_view bytes) {
  git_merge_file_input side{};
  side.version = GIT_MERGE_FILE_INPUT_VERSION;
  side.ptr = bytes.data() != nullptr ? bytes.data() : "";
  side.size = bytes.size();
  return side;
}

class FileResult {
 public:
  FileResult() = default;
  FileResult(const FileResult&) = delete;
  FileResult(FileResult&&) = delete;
  FileResult& operator=(const FileResult&) = delete;
  FileResult& operator=(FileResult&&) = delete;
  ~FileResult() { git_merge_file_result_free(&value); }

  git_merge_file_result value{};
};

MergeResult merge_as_they_are(std::string_view base, std::string_view ours, std::string_view theirs,
                              const MergeLabels& labels) {
  const git_merge_file_input ancestor = input(base);
  const git_merge_file_input left = input(ours);
  const git_merge_file_input right = input(theirs);
  git_merge_file_options options{};
  options.version = GIT_MERGE_FILE_OPTIONS_VERSION;
  options.ancestor_label = labels.base.c_str();
  options.our_label = labels.ours.c_str();
  options.their_label = labels.theirs.c_str();
  // As git merge-file --diff3 does: the base belongs in the conflict, because it is nowhere else.
  options.flags = GIT_MERGE_FILE_STYLE_DIFF3 | GIT_MERGE_FILE_SIMPLIFY_ALNUM;
  constexpr unsigned short kUsual = GIT_MERGE_CONFLICT_MARKER_SIZE;
  options.marker_size =
      std::max({marker_size(base, kUsual), marker_size(ours, kUsual), marker_size(theirs, kUsual)});

  FileResult result;
  git::check(git_merge_file(&result.value, &ancestor, &left, &right, &options), "merge a file");
  if (result.value.ptr == nullptr) {
    return {MergeResult::Outcome::Binary, {}};
  }
  return {result.value.automergeable != 0 ? MergeResult::Outcome::Clean
                                          : MergeResult::Outcome::Conflict,
          std::string{result.value.ptr, result.value.len}};
}

}  // namespace

MergeResult merge_text(std::string_view base, std::string_view ours, std::string_view theirs,
                       const MergeLabels& labels) {
  git::start_libgit2();
  if (std::max({base.size(), ours.size(), theirs.size()}) > kMostOfMerge) {
    return {MergeResult::Outcome::Binary, {}};
  }
  const std::array ends{line_ends(base), line_ends(ours), line_ends(theirs)};
  const auto has = [&](LineEnds one) {
    return std::find(ends.begin(), ends.end(), one) != ends.end();
  };
  // A side whose line ends were all changed differs in every line, and everything would conflict:
  // the lines are merged without their ends, and the ends by themselves.
  if (has(LineEnds::Mixed) || !has(LineEnds::Lf) || !has(LineEnds::CrLf)) {
    return merge_as_they_are(base, ours, theirs, labels);
  }
  const auto [before, left, right] = ends;
  LineEnds wanted = left == before || left == LineEnds::None ? right : left;
  if (wanted == LineEnds::None) {
    wanted = left;
  }
  MergeResult result = merge_as_they_are(with_lf(base), with_lf(ours), with_lf(theirs), labels);
  if (wanted == LineEnds::CrLf) {
    result.text = with_crlf(result.text);
  }
  return result;
}

}  // namespace shadow::review
