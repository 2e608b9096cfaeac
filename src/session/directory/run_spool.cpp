// SPDX-License-Identifier: MIT
#include "session/directory/run_spool.hpp"

#include "shadow/error.hpp"

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "session/directory/run_lifecycle.hpp"
#include "store/tables/run_words.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::session {
namespace {

constexpr const char* kDirectory = "runs";

std::string name_of(const store::RunRow& row) {
  return fmt::format("{}-{}", row.started_ns, row.supervisor);
}

// The end of a run is a line of fixed length before the rest, so that one write fills it in.
constexpr std::size_t kEndLine = 80;

std::string end_line(const store::RunRow& row) {
  return fmt::format("{:20} {:4} {:4} {:15} {:15} {:<16}\n", row.ended_ns.value_or(0),
                     row.exit_code.value_or(-1), row.signal.value_or(-1), row.memory_kills,
                     row.forks_refused, name_of(row.ending));
}

// Fields separated by NUL, which none of them can hold; the words of the command last, and after
// them, once the run has ended, what was denied.
std::string to_note(const store::RunRow& row) {
  std::string note = end_line(row) + fmt::format("{}", row.started_ns) + '\0' +
                     fmt::format("{}", row.supervisor) + '\0' +
                     fmt::format("{}", row.supervisor_start) + '\0' + row.policy + '\0' +
                     row.limits_note + '\0' + row.cwd + '\0' + fmt::format("{}", row.argv.size());
  for (const std::string& word : row.argv) {
    note += '\0' + word;
  }
  return note;
}

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void read_end(const std::string& line, store::RunRow& row) {
  std::int64_t ended = 0;
  int exit_code = -1;
  int signal = -1;
  const auto ending =
      read_numbers(line, ended, exit_code, signal, row.memory_kills, row.forks_refused);
  if (!ending || ended == 0) {
    return;
  }
  mark_ended(row, ended);
  if (exit_code >= 0) {
    row.exit_code = exit_code;
  }
  if (signal >= 0) {
    row.signal = signal;
  }
  constexpr std::string_view kWords = "abcdefghijklmnopqrstuvwxyz ";
  std::string word{ending->substr(0, ending->find_first_not_of(kWords))};
  word.erase(0, word.find_first_not_of(' '));
  word.erase(word.find_last_not_of(' ') + 1);
  row.ending = store::run_ending_of(word);
}

std::optional<store::RunRow> read_note(const SessionDir& session, int notes,
                                       const std::string& name) {
  const auto note = sys::read_file_at(notes, name);
  return note ? parse_note(session.id(), *note) : std::nullopt;
}

sys::Fd notes_of(const SessionDir& session) {
  return sys::try_open_at(session.fd(), kDirectory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

}  // namespace

RunNote::RunNote(const SessionDir& session, const store::RunRow& row) {
  const std::string name = std::string{kDirectory} + "/" + name_of(row);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  file_ = sys::try_open_at(session.fd(), name, kFlags, S_IRUSR | S_IWUSR);
  if (!file_ && errno == ENOENT) {
    sys::make_dirs(session.fd(), kDirectory, S_IRWXU);
    file_ = sys::try_open_at(session.fd(), name, kFlags, S_IRUSR | S_IWUSR);
  }
  if (!file_) {
    throw_errno("note the run");
  }
  sys::write_all(file_.get(), to_note(row));
}

void RunNote::end(const store::RunRow& row) const {
  // The descriptor is where the note's start left it: at its end.
  if (file_ && !row.denied.empty()) {
    sys::write_all(file_.get(), '\0' + row.denied);
  }
  const std::string line = end_line(row);
  if (file_ && ::pwrite(file_.get(), line.data(), line.size(), 0) < 0) {
    throw_errno("note the end of the run");
  }
}

std::optional<store::RunRow> parse_note(const std::string& session, const std::string& note) {
  if (note.size() < kEndLine) {
    return std::nullopt;
  }
  std::vector<std::string> fields = split(note.substr(kEndLine), '\0');
  constexpr std::size_t kFixed = 7;
  if (fields.size() <= kFixed) {
    return std::nullopt;
  }
  const auto words = static_cast<std::size_t>(std::max<std::int64_t>(number(fields[6]), 0));
  if (words == 0 || words > fields.size() - kFixed) {
    return std::nullopt;
  }
  store::RunRow row;
  row.session = session;
  row.started_ns = number(fields[0]);
  row.supervisor = number(fields[1]);
  row.supervisor_start = number(fields[2]);
  row.policy = fields[3];
  row.limits_note = fields[4];
  row.cwd = fields[5];
  const auto after_words = fields.begin() + static_cast<std::ptrdiff_t>(kFixed + words);
  row.argv.assign(fields.begin() + kFixed, after_words);
  if (after_words != fields.end()) {
    row.denied = *after_words;
  }
  read_end(note.substr(0, kEndLine), row);
  return row;
}

void import_runs(const SessionDir& session, store::Database& db) {
  const sys::Fd notes = notes_of(session);
  if (!notes) {
    return;
  }
  std::vector<std::string> over;
  std::int64_t last = 0;
  const std::vector<sys::DirEntry> entries = sys::list_dir_sorted(notes.get());
  if (entries.empty()) {
    return;
  }
  store::Transaction transaction{db};
  for (const sys::DirEntry& entry : entries) {
    auto row = read_note(session, notes.get(), entry.name);
    const bool lives = row && supervisor_lives(*row);
    if (row && !lives && row->state == RunState::Running) {
      // It may have noted its end between the two looks.
      row = read_note(session, notes.get(), entry.name);
    }
    if (!row) {
      continue;
    }
    last = std::max(last, row->started_ns);
    record_run(db, *row);
    if (row->state == RunState::Ended || !lives) {
      over.push_back(entry.name);
    }
  }
  if (last > 0) {
    store::touch_session(db, session.id(), last);
  }
  transaction.commit();
  for (const std::string& name : over) {
    ::unlinkat(notes.get(), name.c_str(), 0);
  }
}

bool has_noted_runs(const SessionDir& session) {
  const sys::Fd notes = notes_of(session);
  return notes && !sys::is_empty_dir(notes.get());
}

bool has_ended_run(const SessionDir& session) {
  const sys::Fd notes = notes_of(session);
  const std::vector<sys::DirEntry> entries =
      notes ? sys::list_dir(notes.get()) : std::vector<sys::DirEntry>{};
  return std::any_of(entries.begin(), entries.end(), [&](const sys::DirEntry& entry) {
    const auto row = read_note(session, notes.get(), entry.name);
    return row && row->state == RunState::Ended;
  });
}

std::int64_t last_noted_ns(const SessionDir& session) {
  struct stat st {};
  if (::fstatat(session.fd(), kDirectory, &st, AT_SYMLINK_NOFOLLOW) != 0) {
    return 0;
  }
  constexpr std::int64_t kSecond = 1'000'000'000;
  return st.st_mtim.tv_sec * kSecond + st.st_mtim.tv_nsec;
}

}  // namespace shadow::session
