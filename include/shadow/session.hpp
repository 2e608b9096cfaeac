// SPDX-License-Identifier: MIT
// Projects, agents and sessions: who is meant, and where its state lies.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// Takes what a person should know although the command goes on: one line a call, without a line
// end.
using NoteSink = std::function<void(const std::string&)>;

// The protected directory (canonical absolute path) and where in it the caller stands (canonical,
// the root itself or below it).
struct Project {
  std::string root;
  std::string cwd;
};

// The pair that names a session. The agent is free text and never part of a path.
struct SessionKey {
  std::string project;
  std::string agent;
};

// First 16 hex digits of XXH3-128 over project NUL agent.
[[nodiscard]] std::string session_id(const SessionKey& key);

// Used when no agent is named.
inline constexpr const char* kDefaultAgent = "default";

// `--as`, else $SHADOW_INTERLOCUTOR, else $LECTIC_INTERLOCUTOR; nullopt when none is set ("default"
// for `run`, "the only session with changes" for review). Throws Error for an empty value and for a
// literal $LECTIC_INTERLOCUTOR, which means that the caller's substitution did not happen.
[[nodiscard]] std::optional<std::string> named_agent(const std::optional<std::string>& as);

// The state directory: $SHADOW_STATE_DIR, else state_dir of the configuration, else
// $XDG_STATE_HOME/shadow, else ~/.local/state/shadow. The first two may say `tmpfs`: in memory.
// What lies in it: see shadow-layout(5).
class StateDir {
 public:
  // Finds and, unless it exists, creates it (mode 0700). Throws Error when it belongs to another
  // user or others may write to it.
  static StateDir open();

  // The same at this absolute path.
  static StateDir at(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string database() const { return path_ + "/shadow.db"; }
  [[nodiscard]] std::string session(const std::string& id) const {
    return path_ + "/sessions/" + id;
  }

 private:
  explicit StateDir(std::string path) : path_{std::move(path)} {}
  std::string path_;
};

// `from` (-C) or $SHADOW_PROJECT or the current directory, and its project: with -C or
// $SHADOW_PROJECT the directory itself; else the deepest of the enclosing git work tree and the
// enclosing directory that has a session; else the current directory. Throws Error for `/`, the
// home itself, the state directory and what contains or is inside it.
[[nodiscard]] Project find_project(const StateDir& state, const std::optional<std::string>& from);

}  // namespace shadow
