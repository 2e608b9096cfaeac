// SPDX-License-Identifier: MIT
#include "review/text_diff.hpp"

#include "shadow/error.hpp"

#include "git/objects/tree_difference.hpp"
#include "git/repository/confined.hpp"
#include "git/repository/handle.hpp"

#include <algorithm>
#include <array>
#include <exception>

namespace shadow::review {
namespace {

// An exception must not travel through libgit2's C frames: it is kept, the library is told to stop,
// and it goes on after the call.
struct Receiver {
  const DiffEvents* events;
  std::exception_ptr failure;
};

template <class Call>
int guarded(void* payload, const Call& call) {
  auto& receiver = *static_cast<Receiver*>(payload);
  try {
    call(*receiver.events);
    return 0;
  } catch (...) {
    receiver.failure = std::current_exception();
    return GIT_EUSER;
  }
}

int on_file(const git_diff_delta* delta, float /*progress*/, void* payload) {
  return guarded(payload, [&](const DiffEvents& to) {
    if (to.file) {
      to.file(git::to_hex(delta->old_file.id), git::to_hex(delta->new_file.id));
    }
  });
}

int on_binary(const git_diff_delta* /*delta*/, const git_diff_binary* /*binary*/, void* payload) {
  return guarded(payload, [](const DiffEvents& to) {
    if (to.binary) {
      to.binary();
    }
  });
}

int on_hunk(const git_diff_delta* /*delta*/, const git_diff_hunk* hunk, void* payload) {
  return guarded(payload, [&](const DiffEvents& to) {
    if (to.hunk) {
      std::string header{static_cast<const char*>(hunk->header), hunk->header_len};
      if (header.empty() || header.back() != '\n') {
        header += '\n';  // the library cuts a header at 127 bytes
      }
      to.hunk(header, static_cast<std::size_t>(hunk->old_start),
              static_cast<std::size_t>(hunk->new_start));
    }
  });
}

int on_line(const git_diff_delta* /*delta*/, const git_diff_hunk* /*hunk*/,
            const git_diff_line* line, void* payload) {
  // The other origins say that a line has no newline, which the line itself tells.
  if (line->origin != GIT_DIFF_LINE_CONTEXT && line->origin != GIT_DIFF_LINE_ADDITION &&
      line->origin != GIT_DIFF_LINE_DELETION) {
    return 0;
  }
  return guarded(payload, [&](const DiffEvents& to) {
    to.line(line->origin, {line->content, line->content_len});
  });
}

// A null pointer tells libgit2 that there is no file; an empty one must not be null.
const char* pointer(const std::optional<std::string_view>& side) {
  if (!side) {
    return nullptr;
  }
  return side->data() != nullptr ? side->data() : "";
}

git_diff_options make_options() {
  git_diff_options options{};
  git::check(git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION), "compare files");
  // As git does since 2.14: hunks end where a reader would end them.
  options.flags = GIT_DIFF_INDENT_HEURISTIC;
  options.max_size = -1;  // what is too large was sorted out by the caller
  return options;
}

void finish(int result, const Receiver& receiver) {
  if (receiver.failure) {
    std::rethrow_exception(receiver.failure);
  }
  git::check(result, "compare files");
}

constexpr std::size_t kFirst = 8000;  // as far as git looks for a NUL

// What these begin holds no text, or nothing but its own beside it.
constexpr std::array<std::string_view, 35> kBinaries = {"\177ELF",
                                                        "\211PNG",
                                                        "\377\330\377",
                                                        "GIF87a",
                                                        "GIF89a",
                                                        "PK\3\4",
                                                        "PK\5\6",
                                                        "\37\213",
                                                        "BZh",
                                                        "\3757zXZ",
                                                        "\50\265\57\375",
                                                        "7z\274\257",
                                                        "Rar!",
                                                        "SQLite format 3",
                                                        "!<arch>\n",
                                                        "%PDF-",
                                                        "MZ",
                                                        "\312\376\272\276",
                                                        "\317\372\355\376",
                                                        "\316\372\355\376",
                                                        "\355\253\356\333",
                                                        "\320\317\21\340",
                                                        {"\0asm", 4},
                                                        {"\0\0\1\0", 4},
                                                        {"\0\1\0\0", 4},
                                                        "OTTO",
                                                        "wOFF",
                                                        "wOF2",
                                                        "OggS",
                                                        "ID3",
                                                        "fLaC",
                                                        "RIFF",
                                                        "PACK",
                                                        "DIRC",
                                                        "glTF"};

bool is_known_binary(std::string_view content) {
  constexpr std::size_t kTar = 257;
  return std::any_of(kBinaries.begin(), kBinaries.end(),
                     [content](std::string_view one) { return content.starts_with(one); }) ||
         (content.size() > kTar && content.substr(kTar).starts_with("ustar"));
}

bool is_printable(char c) {
  return (c >= ' ' && c <= '~') || c == '\t';
}

// A line that is three quarters printable is there to be read, whatever is put into the rest.
bool is_line_of_text(std::string_view line) {
  const auto printable =
      static_cast<std::size_t>(std::count_if(line.begin(), line.end(), is_printable));
  return printable >= 2 && 4 * printable >= 3 * line.size();
}

// An archive of object files and a PDF begin with lines, and go on otherwise.
bool begins_with_text(std::string_view first) {
  if (first.starts_with("!<arch>\n") || first.starts_with("%PDF-")) {
    return false;
  }
  std::string_view before = first.substr(0, first.find('\0'));
  for (std::size_t end = before.find('\n'); end != std::string_view::npos;
       end = before.find('\n')) {
    if (is_line_of_text(before.substr(0, end))) {
      return true;
    }
    before.remove_prefix(end + 1);
  }
  return false;
}

// Characters that are shown escaped; a text with too many of them cannot be read.
bool has_few_odd_characters(std::string_view first) {
  constexpr std::size_t kOneIn = 20;
  const auto odd = std::count_if(first.begin(), first.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20U && byte != '\n' && byte != '\t' && byte != '\r' && byte != '\f') ||
           byte == 0x7FU || (byte >= 0xF5U) || byte == 0xC0U || byte == 0xC1U;
  });
  return static_cast<std::size_t>(odd) * kOneIn <= first.size();
}

bool is_to_be_shown(const std::optional<std::string_view>& before,
                    const std::optional<std::string_view>& after, Nuls nuls) {
  if (nuls == Nuls::Binary) {
    return false;
  }
  const bool was_text = is_text_with_nuls(before.value_or(""));
  if (was_text && is_text_with_nuls(after.value_or(""))) {
    return true;
  }
  // A text does not become a binary by itself, and what is executed is read by somebody.
  return !is_known_binary(after.value_or("")) &&
         ((before && !before->empty() && was_text) ||
          (nuls == Nuls::Code && (was_text || !is_known_binary(*before))));
}

// Comparing takes a time that grows with the square of the lines where most of them are alike and
// none is at its place. What takes too long is tried in another process first, which can be ended.
bool takes_too_long(std::string_view before, std::string_view after,
                    const git_diff_options& options) {
  constexpr std::ptrdiff_t kFewLines = 100'000;
  constexpr git::Confinement kLimits{std::chrono::seconds{5}, std::size_t{1} << 30U};
  if (std::count(before.begin(), before.end(), '\n') +
          std::count(after.begin(), after.end(), '\n') <
      kFewLines) {
    return false;
  }
  const auto tried = git::run_confined(
      [&] {
        DiffEvents nobody;
        nobody.line = [](char, std::string_view) {};
        Receiver receiver{&nobody, nullptr};
        finish(
            git_diff_buffers(pointer(before), before.size(), nullptr, pointer(after), after.size(),
                             nullptr, &options, on_file, on_binary, on_hunk, on_line, &receiver),
            receiver);
        return std::string{};
      },
      kLimits);
  return !tried;
}

}  // namespace

bool is_text_with_nuls(std::string_view content) {
  const std::string_view first = content.substr(0, kFirst);
  if (first.find('\0') == std::string_view::npos || first.starts_with("#!")) {
    return true;
  }
  return has_few_odd_characters(first) || begins_with_text(first) ||
         (std::count(first.begin(), first.end(), '\0') == 1 && !is_known_binary(first));
}

void diff_contents(const std::optional<std::string_view>& before,
                   const std::optional<std::string_view>& after, const DiffLimits& limits,
                   const DiffEvents& events) {
  git::start_libgit2();
  git_diff_options options = make_options();
  options.context_lines = limits.context_lines;
  if (std::max(before ? before->size() : 0, after ? after->size() : 0) > limits.max_text_bytes) {
    options.flags |= GIT_DIFF_FORCE_BINARY;
  } else if (is_to_be_shown(before, after, limits.nuls)) {
    options.flags |= GIT_DIFF_FORCE_TEXT;
  }
  if (before && after && (options.flags & GIT_DIFF_FORCE_BINARY) == 0 &&
      takes_too_long(*before, *after, options)) {
    options.flags = (options.flags & ~std::uint32_t{GIT_DIFF_FORCE_TEXT}) | GIT_DIFF_FORCE_BINARY;
  }
  Receiver receiver{&events, nullptr};
  const int result =
      git_diff_buffers(pointer(before), before ? before->size() : 0, nullptr, pointer(after),
                       after ? after->size() : 0, nullptr, &options, on_file, on_binary, on_hunk,
                       events.line ? on_line : nullptr, &receiver);
  finish(result, receiver);
}

std::string binary_hunks(const std::optional<std::string_view>& before,
                         const std::optional<std::string_view>& after) {
  git::start_libgit2();
  git_diff_options options = make_options();
  options.flags |= GIT_DIFF_SHOW_BINARY | GIT_DIFF_FORCE_BINARY;
  options.id_abbrev = GIT_OID_HEXSZ;
  const auto patch = git::make<git::PatchHandle>(
      "compare files", git_patch_from_buffers, pointer(before), before ? before->size() : 0,
      nullptr, pointer(after), after ? after->size() : 0, nullptr, &options);
  std::string out;
  DiffEvents events;
  events.line = [&](char origin, std::string_view text) {
    if (origin == GIT_DIFF_LINE_BINARY) {
      out += text;
    }
  };
  Receiver receiver{&events, nullptr};
  const auto keep = [](const git_diff_delta* /*delta*/, const git_diff_hunk* /*hunk*/,
                       const git_diff_line* line, void* payload) {
    return guarded(payload, [&](const DiffEvents& to) {
      to.line(line->origin, {line->content, line->content_len});
    });
  };
  finish(git_patch_print(patch.get(), keep, &receiver), receiver);
  // libgit2 falls back to one line of words for contents that it finds too large.
  if (out.rfind("GIT binary patch\n", 0) != 0) {
    throw Error{"cannot make a binary patch: libgit2 gave none"};
  }
  return out;
}

}  // namespace shadow::review
