// SPDX-License-Identifier: MIT
#include "cli/render/summary.hpp"

#include "base/text.hpp"
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace shadow::cli {

namespace {

std::string display_name(const FileSummary& file) {
  return file.letter == 'R' ? rename_text(file.old_path, file.path) : git_quoted(file.path);
}

std::string marked(std::uint64_t count, std::string_view noun, std::string_view mark) {
  return plural(count, noun) + std::string{mark};
}

struct Totals {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t most = 0;
  std::size_t name_width = 0;
};

Totals totals_of(const std::vector<FileSummary>& files) {
  Totals totals;
  for (const FileSummary& file : files) {
    totals.added += file.added;
    totals.removed += file.removed;
    totals.most = std::max(totals.most, file.added + file.removed);
    totals.name_width = std::max(totals.name_width, display_name(file).size());
  }
  return totals;
}

// Scaled down to `room` columns; something stays of what is not zero.
std::uint64_t scaled(std::uint64_t count, std::uint64_t most, std::uint64_t room) {
  if (most <= room || count == 0) {
    return count;
  }
  return std::max<std::uint64_t>(1, count * room / most);
}

std::string bar(const FileSummary& file, const Totals& totals, std::uint64_t room, bool color) {
  const auto part = [&](std::uint64_t count, char sign) {
    return std::string(static_cast<std::size_t>(scaled(count, totals.most, room)), sign);
  };
  return painted(Paint::Green, part(file.added, '+'), color) +
         painted(Paint::Red, part(file.removed, '-'), color);
}

}  // namespace

std::string rename_text(const std::string& from, const std::string& to) {
  // A quoted name is shown whole: its parts would not be what the quotes say.
  if (git_quoted(from) != from || git_quoted(to) != to) {
    return git_quoted(from) + " => " + git_quoted(to);
  }
  std::size_t head = 0;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()) && from[i] == to[i]; ++i) {
    if (from[i] == '/') {
      head = i + 1;
    }
  }
  std::size_t tail = 0;
  // The '/' that ends the head may begin the tail as well, as in "a/{ => b}/c".
  const std::size_t most = std::min(from.size(), to.size()) - head + (head > 0 ? 1 : 0);
  for (std::size_t i = 1; i <= most && from[from.size() - i] == to[to.size() - i]; ++i) {
    if (from[from.size() - i] == '/') {
      tail = i;
    }
  }
  if (head == 0 && tail == 0) {
    return from + " => " + to;
  }
  const auto middle = [head, tail](const std::string& path) {
    return head + tail > path.size() ? std::string{} : path.substr(head, path.size() - head - tail);
  };
  return fmt::format("{}{{{} => {}}}{}", from.substr(0, head), middle(from), middle(to),
                     from.substr(from.size() - tail));
}

std::string stat_text(const std::vector<FileSummary>& files, const SummaryStyle& style) {
  if (files.empty()) {
    return {};
  }
  Totals totals = totals_of(files);
  constexpr std::size_t kLeastBar = 10;
  constexpr std::size_t kFrame = 4;  // " name | count bar"
  const std::size_t count_width = std::max<std::size_t>(std::to_string(totals.most).size(), 3);
  const std::size_t room_for_name = style.width - count_width - kFrame - kLeastBar;
  totals.name_width = std::min(totals.name_width, room_for_name);
  const std::uint64_t room = style.width - totals.name_width - count_width - kFrame - 1;
  std::string text;
  for (const FileSummary& file : files) {
    std::string name = display_name(file);
    if (name.size() > totals.name_width) {
      name = "..." + name.substr(name.size() - totals.name_width + 3);
    }
    text += fmt::format(" {:<{}} | ", name, totals.name_width);
    if (file.binary && file.same_content) {
      text += fmt::format("{:>{}}\n", "Bin", count_width);
    } else if (file.binary) {
      text +=
          fmt::format("{:>{}} {} -> {} bytes\n", "Bin", count_width, file.old_size, file.new_size);
    } else {
      const std::string line = bar(file, totals, room, style.color);
      text += fmt::format("{:>{}}{}{}\n", file.added + file.removed, count_width,
                          line.empty() ? "" : " ", line);
    }
  }
  text += fmt::format(" {} changed", marked(files.size(), "file", ""));
  if (totals.added > 0 || totals.removed == 0) {
    text += ", " + marked(totals.added, "insertion", "(+)");
  }
  if (totals.removed > 0 || totals.added == 0) {
    text += ", " + marked(totals.removed, "deletion", "(-)");
  }
  return text + "\n";
}

std::string numstat_text(const std::vector<FileSummary>& files, const SummaryStyle& style) {
  std::string text;
  for (const FileSummary& file : files) {
    text += file.binary ? std::string{"-\t-\t"} : fmt::format("{}\t{}\t", file.added, file.removed);
    if (!style.null_terminated) {
      text += display_name(file) + "\n";
    } else if (file.letter == 'R') {
      text += '\0' + file.old_path + '\0' + file.path + '\0';
    } else {
      text += file.path + '\0';
    }
  }
  return text;
}

std::string names_text(const std::vector<FileSummary>& files, DiffFormat format,
                       const SummaryStyle& style) {
  const char end = style.null_terminated ? '\0' : '\n';
  const char gap = style.null_terminated ? '\0' : '\t';
  const auto name = [&style](const std::string& path) {
    return style.null_terminated ? path : git_quoted(path);
  };
  std::string text;
  for (const FileSummary& file : files) {
    if (format == DiffFormat::NameStatus) {
      text += file.letter;
      if (file.letter == 'R') {
        text += fmt::format("{:03}", file.similarity);
        text += gap + name(file.old_path);
      }
      text += gap;
    }
    text += name(file.path) + end;
  }
  return text;
}

JsonText summary_json(const std::vector<FileSummary>& files, const std::vector<ReviewItem>& items) {
  const auto item_of = [&items](const std::string& path) {
    const auto found = std::lower_bound(items.begin(), items.end(), path,
                                        [](const ReviewItem& item, const std::string& wanted) {
                                          return item.change.path < wanted;
                                        });
    return found != items.end() && found->change.path == path ? &*found : nullptr;
  };
  JsonText top;
  top.list("files", files, [&item_of](const FileSummary& file) {
    Json record;
    set_bytes(record, "path", file.path);
    record["status"] = std::string{file.letter};
    if (file.letter == 'R') {
      set_bytes(record, "old_path", file.old_path);
      record["similarity"] = file.similarity;
    }
    record["binary"] = file.binary;
    if (!file.binary) {
      record["added"] = file.added;
      record["removed"] = file.removed;
    }
    record["old_mode"] = fmt::format("{:06o}", file.old_mode);
    record["new_mode"] = fmt::format("{:06o}", file.new_mode);
    record["old_size"] = file.old_size;
    record["new_size"] = file.new_size;
    if (const ReviewItem* item = item_of(file.path)) {
      add_other_side(record, *item);
    }
    return record;
  });
  return top;
}

}  // namespace shadow::cli
