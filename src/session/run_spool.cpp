// SPDX-License-Identifier: MIT
#include "session/run_spool.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/dir.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

constexpr const char* kDirectory = "runs";

std::string name_of(const store::RunRow& row) {
  return fmt::format("{}-{}", row.started_ns, row.supervisor);
}

// Fields separated by NUL, which none of them can hold; the words of the command last.
std::string to_note(const store::RunRow& row) {
  std::string note = fmt::format("{}", row.started_ns) + '\0' + fmt::format("{}", row.supervisor) +
                     '\0' + fmt::format("{}", row.supervisor_start) + '\0' + row.policy + '\0' +
                     row.cwd;
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

// nullopt for a note that its writer was killed over.
std::optional<store::RunRow> from_note(const std::string& session, const std::string& note) {
  std::vector<std::string> fields = split(note, '\0');
  constexpr std::size_t kFixed = 5;
  if (fields.size() <= kFixed) {
    return std::nullopt;
  }
  store::RunRow row;
  row.session = session;
  row.started_ns = number(fields[0]);
  row.supervisor = number(fields[1]);
  row.supervisor_start = number(fields[2]);
  row.policy = fields[3];
  row.cwd = fields[4];
  row.argv.assign(fields.begin() + kFixed, fields.end());
  return row;
}

bool supervisor_lives(const store::RunRow& row) {
  const auto start = sys::start_time(static_cast<pid_t>(row.supervisor));
  return start && static_cast<std::int64_t>(*start) == row.supervisor_start;
}

sys::Fd notes_of(const SessionDir& session) {
  return sys::try_open_at(session.fd(), kDirectory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

}  // namespace

void note_run(const SessionDir& session, const store::RunRow& row) {
  const std::string name = std::string{kDirectory} + "/" + name_of(row);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  sys::Fd note = sys::try_open_at(session.fd(), name, kFlags, S_IRUSR | S_IWUSR);
  if (!note && errno == ENOENT) {
    sys::make_dirs(session.fd(), kDirectory, S_IRWXU);
    note = sys::try_open_at(session.fd(), name, kFlags, S_IRUSR | S_IWUSR);
  }
  if (!note) {
    throw_errno("note the run");
  }
  sys::write_all(note.get(), to_note(row));
}

void import_runs(const SessionDir& session, store::Database& db) {
  const sys::Fd notes = notes_of(session);
  if (!notes) {
    return;
  }
  for (const sys::DirEntry& entry : sys::list_dir_sorted(notes.get())) {
    const auto note = sys::read_file_at(notes.get(), entry.name);
    const auto row = note ? from_note(session.id(), *note) : std::nullopt;
    if (!row) {
      continue;
    }
    const bool lives = supervisor_lives(*row);
    store::add_run(db, *row);
    if (!lives) {
      ::unlinkat(notes.get(), entry.name.c_str(), 0);
    }
  }
}

void import_ended_run(const SessionDir& session, store::Database& db, store::RunRow row) {
  store::Transaction transaction{db};
  row.id = store::add_run(db, row);
  store::end_run(db, row);
  transaction.commit();
  if (const sys::Fd notes = notes_of(session)) {
    ::unlinkat(notes.get(), name_of(row).c_str(), 0);
  }
}

}  // namespace shadow
