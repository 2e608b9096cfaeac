// SPDX-License-Identifier: MIT
#include "shadow/patch.hpp"

#include "shadow/error.hpp"

#include "base/posix_acl.hpp"
#include "base/text.hpp"
#include "git/objects/tree_entry.hpp"
#include "review/content.hpp"
#include "review/rows.hpp"
#include "review/text_diff.hpp"
#include "sys/namespaces/acl.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shadow {
namespace {

using review::Row;

// The limit of xdiff's own arithmetic (GIT_XDIFF_MAX_SIZE), and of what `git apply` reads.
constexpr std::uint64_t kMostOfPatch = std::uint64_t{1023} << 20U;

// Writes one row.
class Printer {
 public:
  Printer(const Row& row, const PatchOptions& options, const PatchSink& sink,
          const PatchWritten& written)
      : row_{row}, options_{options}, sink_{sink}, written_{written} {}

  void print();

 private:
  void header(const std::string& line) { sink_(PatchPart::FileHeader, line + '\n'); }
  void print_modes();
  void print_index(const std::string& old_id, const std::string& new_id);
  void print_names();
  void print_line(char origin, std::string_view line);
  void print_note_of_binary();
  bool print_text_in_place_of_binary(std::string_view text);
  void print_contents();
  void print_difference(const std::optional<std::string>& before,
                        const std::optional<std::string>& after);
  void report_written(const std::string* after) const;

  [[nodiscard]] std::string old_name() const { return git_quoted("a/" + row_.old_path()); }
  [[nodiscard]] std::string new_name() const { return git_quoted("b/" + row_.path()); }

  const Row& row_;
  const PatchOptions& options_;
  const PatchSink& sink_;
  const PatchWritten& written_;
};

void Printer::print_modes() {
  header(fmt::format("diff --git {} {}", old_name(), new_name()));
  if (row_.old_mode == 0) {
    header(fmt::format("new file mode {:06o}", row_.new_mode));
  } else if (row_.new_mode == 0) {
    header(fmt::format("deleted file mode {:06o}", row_.old_mode));
  } else if (row_.old_mode != row_.new_mode) {
    header(fmt::format("old mode {:06o}", row_.old_mode));
    header(fmt::format("new mode {:06o}", row_.new_mode));
  }
  if (row_.letter == 'R') {
    header(fmt::format("similarity index {}%", row_.similarity));
    header("rename from " + git_quoted(row_.old_path()));
    header("rename to " + git_quoted(row_.path()));
  }
}

void Printer::print_index(const std::string& old_id, const std::string& new_id) {
  // `git apply` takes a binary hunk only under whole ids; for people seven digits do.
  const std::size_t digits = options_.binary ? old_id.size() : 7;
  std::string line = "index " + old_id.substr(0, digits) + ".." + new_id.substr(0, digits);
  if (row_.old_mode == row_.new_mode) {
    line += fmt::format(" {:06o}", row_.new_mode);
  }
  header(line);
}

void Printer::print_names() {
  // git ends a name that holds a blank with a tab, so that patch(1) sees where it ends.
  const auto ended = [](const std::string& name) {
    return name.find(' ') == std::string::npos ? name : name + '\t';
  };
  header("--- " + (row_.old_mode == 0 ? "/dev/null" : ended(old_name())));
  header("+++ " + (row_.new_mode == 0 ? "/dev/null" : ended(new_name())));
}

void Printer::print_line(char origin, std::string_view line) {
  const PatchPart part = origin == '+'   ? PatchPart::Added
                         : origin == '-' ? PatchPart::Removed
                                         : PatchPart::Context;
  std::string piece{origin};
  piece += line;
  const bool ended = !line.empty() && line.back() == '\n';
  if (!ended) {
    piece += '\n';
  }
  sink_(part, piece);
  if (!ended) {
    sink_(PatchPart::Note, "\\ No newline at end of file\n");
  }
}

void Printer::print_note_of_binary() {
  sink_(PatchPart::Note, fmt::format("Binary files {} and {} differ\n",
                                     row_.old_mode == 0 ? "/dev/null" : old_name(),
                                     row_.new_mode == 0 ? "/dev/null" : new_name()));
}

// git has no form for a change of which one side can be read, and passes over such lines. False if
// there is nothing to be read.
bool Printer::print_text_in_place_of_binary(std::string_view text) {
  if (text.empty() || text.size() > options_.max_text_bytes || !review::is_text_with_nuls(text)) {
    return false;
  }
  sink_(PatchPart::Note, fmt::format("# {} is text now:\n", new_name()));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string line{text.substr(0, end)};
    if (line.back() != '\n') {
      line += '\n';
    }
    sink_(PatchPart::Added, "# +" + line);
    text.remove_prefix(end);
  }
  return true;
}

void Printer::print_contents() {
  const auto read = [](const review::FileVersion& side, std::uint32_t mode) {
    return mode == 0 ? std::optional<std::string>{} : review::read_content(side, kMostOfPatch);
  };
  const std::optional<std::string> before = read(row_.before, row_.old_mode);
  const std::optional<std::string> after = read(row_.after, row_.new_mode);
  if (before != after) {
    print_difference(before, after);
  } else if (row_.old_mode != row_.new_mode || row_.letter == 'R') {
    print_modes();
  }
  report_written(after ? &*after : nullptr);
}

void Printer::print_difference(const std::optional<std::string>& before,
                               const std::optional<std::string>& after) {
  bool binary = false;
  bool named = false;
  review::DiffEvents events;
  events.file = [&](const std::string& old_id, const std::string& new_id) {
    print_modes();
    print_index(old_id, new_id);
  };
  events.binary = [&] { binary = true; };
  events.hunk = [&](std::string_view line, std::size_t, std::size_t) {
    if (!named) {
      print_names();
      named = true;
    }
    sink_(PatchPart::HunkHeader, line);
  };
  events.line = [&](char origin, std::string_view line) { print_line(origin, line); };
  const review::Nuls nuls = options_.binary                         ? review::Nuls::Binary
                            : row_.new_mode == git::kExecutableMode ? review::Nuls::Code
                                                                    : review::Nuls::Text;
  review::diff_contents(before, after, {options_.context_lines, options_.max_text_bytes, nuls},
                        events);
  if (binary && options_.binary) {
    sink_(PatchPart::Binary, review::binary_hunks(before, after));
  } else if (binary) {
    print_note_of_binary();
    print_text_in_place_of_binary(after.value_or(""));
  }
}

void Printer::report_written(const std::string* after) const {
  if (written_) {
    if (row_.letter == 'R') {
      written_(row_.old_path(), nullptr);
    }
    written_(row_.path(), after);
  }
}

void Printer::print() {
  if (!row_.content_changed) {
    print_modes();
    report_written(nullptr);
    return;
  }
  if (!options_.binary && review::stays_unread(row_, options_.max_text_bytes)) {
    print_modes();
    print_note_of_binary();
    if (row_.new_mode != 0 &&
        !review::stays_unread(row_.after, row_.new_mode, options_.max_text_bytes)) {
      const std::string after = review::read_content(row_.after, kMostOfPatch);
      if (print_text_in_place_of_binary(after)) {
        report_written(&after);
      }
    }
    return;
  }
  print_contents();
}

// git has no form for attributes: it passes over lines that begin so.
void report_written(const PatchFile& file, const PatchSink& sink) {
  std::string text;
  for (const auto& [name, value] : file.attributes) {
    text += text.empty() ? "" : ", ";
    if (name == sys::kAccessAcl || name == sys::kDefaultAcl) {
      text +=
          fmt::format("{} {}", name == sys::kAccessAcl ? "ACL" : "default ACL", acl_text(value));
    } else {
      text += fmt::format("{} {}", printable(name), quoted(value));
    }
  }
  sink(PatchPart::Note, fmt::format("# attributes of {}: {}\n", git_quoted(file.path),
                                    text.empty() ? "none any more" : text));
}

}  // namespace

void write_patch(const std::vector<PatchFile>& files, const PatchOptions& options,
                 const PatchSink& sink, const PatchWritten& written) {
  for (const PatchFile& file : files) {
    if (file.attributes_changed) {
      report_written(file, sink);
    }
  }
  for (const Row& row : review::make_rows(files, options)) {
    if (row.letter != 'T') {
      Printer{row, options, sink, written}.print();
      continue;
    }
    // git has no other form for a change of type, and wants the deletion first.
    Row deletion = row;
    deletion.letter = 'D';
    deletion.new_mode = 0;
    Printer{deletion, options, sink, {}}.print();
    Row creation = row;
    creation.letter = 'A';
    creation.old_mode = 0;
    Printer{creation, options, sink, written}.print();
  }
}

}  // namespace shadow
