// SPDX-License-Identifier: MIT
#include "cli/render/promotion.hpp"

#include "base/text.hpp"
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"
#include "session/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace shadow::cli {

namespace {

struct Reason {
  LeftBecause because;
  const char* text;
};

constexpr std::array kReasons = {
    Reason{LeftBecause::Sensitive, "sensitive, and skipped"},
    Reason{LeftBecause::GitDir, "in a git directory; files there are not applied"},
    Reason{LeftBecause::NotEmpty, "a directory in which something is left"},
    Reason{LeftBecause::Device, "a device node"},
    Reason{LeftBecause::Ignored, "ignored by git; --ignored takes it"},
};

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Each path of a few; of many (an ignored build directory, a git directory) how many.
std::string left_text(const ChosenChanges& chosen) {
  constexpr std::size_t kMostNamed = 10;
  std::string text;
  for (const Reason& reason : kReasons) {
    std::vector<std::string> paths;
    for (const LeftItem& left : chosen.left) {
      if (left.because == reason.because) {
        paths.push_back(shown_path(left.item.change));
      }
    }
    if (paths.empty()) {
      continue;
    }
    text += fmt::format("left in the session ({}):\n", reason.text);
    if (paths.size() > kMostNamed) {
      text += fmt::format("  {}, such as {}\n", plural(paths.size(), "path"), paths.front());
    } else {
      for (const std::string& path : paths) {
        text += "  " + path + "\n";
      }
    }
  }
  return text;
}

Json left_json(const ChosenChanges& chosen) {
  Json list = Json::array();
  for (const LeftItem& left : chosen.left) {
    Json record;
    set_bytes(record, "path", left.item.change.path);
    record["because"] = to_word(left.because);
    list.push_back(std::move(record));
  }
  return list;
}

Json items_json(const std::vector<ReviewItem>& items) {
  Json list = Json::array();
  for (const ReviewItem& item : items) {
    list.push_back(to_json(item));
  }
  return list;
}

}  // namespace

std::string promotion_text(const Promotion& promotion, bool color) {
  const ChosenChanges& chosen = promotion.chosen;
  std::string text;
  const auto section = [&](const char* title, const std::vector<ReviewItem>& items) {
    if (items.empty()) {
      return;
    }
    text += fmt::format("{}:\n", title);
    for (const ReviewItem& item : items) {
      const std::string remark = remarks(item);
      text += fmt::format(
          "  {}  {}{}\n",
          painted(paint_of(item.change.kind), std::string{to_letter(item.change.kind)}, color),
          shown_path(item.change), remark.empty() ? "" : "  (" + remark + ")");
    }
  };
  section("to be written", worth_a_line(chosen.taken));
  section("in conflict", chosen.conflicts);
  section("sensitive, and not allowed", chosen.blocked);
  if (text.empty()) {
    text = "nothing to apply\n";
  }
  return text + left_text(chosen);
}

std::string promoted_text(const Promotion& promotion, const ApplyResult& result) {
  if (result.id == 0) {
    return "nothing to apply\n" + left_text(promotion.chosen);
  }
  return fmt::format("applied {}; 'shadow undo {}' takes it back\n",
                     plural(worth_a_line(promotion.chosen.taken).size(), "change"), result.id) +
         left_text(promotion.chosen);
}

Json promotion_json(const Promotion& promotion, const ApplyResult* result) {
  Json top;
  if (result != nullptr) {
    top["apply"] = result->id;
  }
  top["steps"] = Json::array();
  for (const Step& step : promotion.plan.steps) {
    Json record;
    set_bytes(record, "path", step.path);
    record["action"] = to_word(step.action);
    top["steps"].push_back(std::move(record));
  }
  top["conflicts"] = items_json(promotion.chosen.conflicts);
  top["sensitive"] = items_json(promotion.chosen.blocked);
  top["left"] = left_json(promotion.chosen);
  return top;
}

std::string undo_text(const UndoPlan& undo, const ApplyResult& result) {
  std::string text =
      result.id == 0 ? fmt::format("nothing of apply {} could be taken back\n", undo.of.id)
                     : fmt::format("took back {} of apply {}; 'shadow undo {}' does it again\n",
                                   plural(undo.plan.steps.size(), "path"), undo.of.id, result.id);
  for (const Kept& kept : undo.kept) {
    text += fmt::format("left as it is: {} ({})\n", printable(kept.path), printable(kept.reason));
  }
  return text;
}

Json undo_json(const UndoPlan& undo, const ApplyResult& result) {
  Json top;
  top["undo"] = result.id;
  top["of"] = undo.of.id;
  top["steps"] = Json::array();
  for (const Step& step : undo.plan.steps) {
    Json record;
    set_bytes(record, "path", step.path);
    record["action"] = to_word(step.action);
    top["steps"].push_back(std::move(record));
  }
  top["kept"] = Json::array();
  for (const Kept& kept : undo.kept) {
    Json record;
    set_bytes(record, "path", kept.path);
    record["reason"] = kept.reason;
    top["kept"].push_back(std::move(record));
  }
  return top;
}

}  // namespace shadow::cli
