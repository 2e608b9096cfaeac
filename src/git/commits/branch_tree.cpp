// SPDX-License-Identifier: MIT
#include "git/commits/branch_tree.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "base/wire.hpp"
#include "git/commits/index_edit.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/objects.hpp"
#include "git/objects/tree_difference.hpp"
#include "git/objects/tree_rows.hpp"
#include "git/repository/confined.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/stable_read.hpp"
#include "sys/files/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <unistd.h>

namespace shadow::git {
namespace {

using StreamHandle = Handle<git_odb_stream, git_odb_stream_free>;

// The edits as a tree of names.
struct Node {
  const TreeEdit* edit = nullptr;
  std::map<std::string, Node> below;
};

Node tree_of(const std::vector<TreeEdit>& edits) {
  Node root;
  for (const TreeEdit& edit : edits) {
    Node* node = &root;
    for (const std::string& name : split(edit.path, '/')) {
      node = &node->below[name];
    }
    node->edit = &edit;
  }
  return root;
}

struct OwnRow {
  unsigned mode = 0;
  git_oid id{};
};
// By the name that git sorts by: a directory's ends in a slash.
using OwnRows = std::map<std::string, OwnRow>;

class Maker {
 public:
  Maker(git_odb* all, git_odb* staged, const CommitRequest& request)
      : all_{all}, staged_{staged}, request_{request} {}

  StagedCommit make_commit() {
    StagedCommit made;
    std::optional<git_oid> base;
    if (!request_.parent.empty()) {
      const ObjectHandle parent = read_object(all_, to_oid(request_.parent));
      const Checked checked = check_object(GIT_OBJECT_COMMIT, bytes_of(parent));
      if (checked.links.empty()) {
        throw Error{"cannot read a commit"};
      }
      base = checked.links.front().id;
    }
    const auto changed = tree(base, tree_of(request_.edits));
    const git_oid root = changed ? *changed : put(GIT_OBJECT_TREE, "");
    if (base && git_oid_equal(&root, &*base) == 1) {
      made.id = request_.parent;
      return made;
    }
    std::string text = "tree " + to_hex(root) + "\n";
    text += request_.parent.empty() ? "" : "parent " + request_.parent + "\n";
    for (const char* who : {"author", "committer"}) {
      text += fmt::format("{} {} {} +0000\n", who, request_.identity, request_.time);
    }
    text += "\n" + request_.message + "\n";
    made.id = to_hex(put(GIT_OBJECT_COMMIT, text));
    made.changed = changed_;
    made.objects = std::move(written_);
    return made;
  }

 private:
  // The tree's name; nullopt when nothing is left in it.
  std::optional<git_oid> tree(const std::optional<git_oid>& base, const Node& node) {
    OwnRows rows;
    if (base) {
      const ObjectHandle object = read_object(all_, *base);
      const auto list = tree_rows(bytes_of(object));
      if (!list) {
        throw Error{"cannot read a tree"};
      }
      for (const TreeRow& row : *list) {
        rows[key(std::string{row.name}, row.mode)] = {row.mode, row.id};
      }
    }
    for (const auto& [name, below] : node.below) {
      edit(rows, name, below);
    }
    if (rows.empty()) {
      return std::nullopt;
    }
    return put(GIT_OBJECT_TREE, serialized(rows));
  }

  static std::string key(const std::string& name, unsigned mode) {
    return mode == kTreeMode ? name + "/" : name;
  }

  void edit(OwnRows& rows, const std::string& name, const Node& node) {
    const auto file = rows.find(name);
    const auto directory = rows.find(name + "/");
    if (file != rows.end() && file->second.mode == kModuleMode) {
      return;
    }
    std::optional<git_oid> base;
    if (directory != rows.end()) {
      base = directory->second.id;
    }
    if (node.edit != nullptr) {
      const OwnRow old = file == rows.end() ? OwnRow{} : file->second;
      rows.erase(name);
      OwnRow row{node.edit->mode, {}};
      if (row.mode != 0) {
        rows.erase(name + "/");
        row.id = blob(*node.edit);
        rows[name] = row;
      }
      changed_ += old.mode != row.mode || git_oid_equal(&old.id, &row.id) != 1 ? 1U : 0U;
      if (row.mode != 0) {
        return;
      }
    }
    if (node.below.empty()) {
      return;
    }
    rows.erase(name + "/");
    if (const auto id = tree(base, node)) {
      rows.erase(name);
      rows[name + "/"] = {kTreeMode, *id};
    }
  }

  static std::string serialized(const OwnRows& rows) {
    std::string bytes;
    for (const auto& [name, row] : rows) {
      bytes += fmt::format("{:o} ", row.mode);
      bytes += row.mode == kTreeMode ? name.substr(0, name.size() - 1) : name;
      bytes += '\0';
      bytes.append(reinterpret_cast<const char*>(row.id.id), GIT_OID_RAWSZ);
    }
    const Checked checked = check_object(GIT_OBJECT_TREE, bytes);
    if (!checked.fault.empty()) {
      throw Error{checked.fault};
    }
    return bytes;
  }

  git_oid put(git_object_t type, std::string_view bytes) {
    git_oid id{};
    check(git_odb_write(&id, staged_, bytes.data(), bytes.size(), type), "write an object");
    written_.push_back(to_hex(id));
    return id;
  }

  git_oid blob(const TreeEdit& edit) {
    if (edit.mode == kLinkMode) {
      return put(GIT_OBJECT_BLOB, edit.target);
    }
    const sys::Fd file = request_.open(edit.path);
    // A sparse file may claim to be a TiB long, and git would write out every zero of it.
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;
    constexpr int kMostTries = 3;
    for (int tries = 0; file && tries < kMostTries; ++tries) {
      const Entry entry = overlay::look_fd(file.get());
      if (entry.kind != EntryKind::File) {
        break;
      }
      if (entry.size > kMostBytes) {
        throw Error{quoted(edit.path) + " is larger than 1 GiB"};
      }
      Digester digester;
      const auto id = copy_file(file.get(), entry.size, digester);
      const bool settled = id && (!overlay::is_young(entry) || blob_id(file.get()) == to_hex(*id));
      if (settled && same_state(entry, overlay::look_fd(file.get()))) {
        if (request_.accepts && !request_.accepts(edit.path, digester.finish())) {
          throw UnseenError{edit.path};
        }
        written_.push_back(to_hex(*id));
        return *id;
      }
    }
    throw Error{quoted(edit.path) + " cannot be read"};
  }

  // nullopt when it became shorter or longer meanwhile.
  std::optional<git_oid> copy_file(int file, std::uint64_t size, Digester& digester) {
    const auto stream = make<StreamHandle>("write an object", git_odb_open_wstream, staged_,
                                           static_cast<git_object_size_t>(size), GIT_OBJECT_BLOB);
    std::array<char, 65536> buffer{};
    off_t at = 0;
    for (;;) {
      const std::size_t got = sys::read_at(file, buffer.data(), buffer.size(), at);
      if (got == 0) {
        break;
      }
      at += static_cast<off_t>(got);
      if (static_cast<std::uint64_t>(at) > size) {
        return std::nullopt;
      }
      if (request_.accepts) {
        digester.update({buffer.data(), got});
      }
      check(git_odb_stream_write(stream.get(), buffer.data(), got), "write an object");
    }
    git_oid id{};
    if (static_cast<std::uint64_t>(at) != size) {
      return std::nullopt;
    }
    check(git_odb_stream_finalize_write(&id, stream.get()), "write an object");
    return id;
  }

  git_odb* all_;
  git_odb* staged_;
  const CommitRequest& request_;
  std::size_t changed_ = 0;
  std::vector<std::string> written_;
};

std::string pack_commit(const StagedCommit& made) {
  WireWriter out;
  out.text(made.fault);
  out.text(made.refused);
  out.text(made.id);
  out.number(made.changed);
  out.number(made.objects.size());
  for (const std::string& id : made.objects) {
    out.text(id);
  }
  return out.take();
}

}  // namespace

StagedCommit stage_commit(const GitDirs& dirs, const CommitRequest& request,
                          const std::string& staging) {
  start_libgit2();
  const sys::Fd upper =
      sys::try_open_at(AT_FDCWD, dirs.upper_objects, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const auto bytes = run_confined(
      [&] {
        try {
          const OdbHandle all = open_objects(dirs, upper);
          const OdbHandle staged = open_staged_objects(staging);
          return pack_commit(Maker{all.get(), staged.get(), request}.make_commit());
        } catch (const UnseenError& error) {
          StagedCommit failed;
          failed.refused = error.what();
          return pack_commit(failed);
        } catch (const Error& error) {
          StagedCommit failed;
          failed.fault = error.what();
          return pack_commit(failed);
        }
      },
      kToCopy);
  StagedCommit made;
  WireReader in{bytes ? std::string_view{*bytes} : std::string_view{}};
  made.fault = in.text();
  made.refused = in.text();
  made.id = in.text();
  made.changed = in.number();
  for (std::uint64_t count = in.number(); in.ok() && count > 0; --count) {
    made.objects.push_back(in.text());
  }
  if (!in.done()) {
    made = {};
    made.fault = "its objects cannot be written";
  }
  return made;
}

}  // namespace shadow::git
