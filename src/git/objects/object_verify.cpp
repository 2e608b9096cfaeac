// SPDX-License-Identifier: MIT
#include "git/objects/object_verify.hpp"

#include "git/objects/modules_rules.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/objects.hpp"
#include "git/objects/tree_difference.hpp"
#include "git/repository/confined.hpp"

#include <exception>
#include <vector>

namespace shadow::git {

namespace {

// Nothing may be thrown through C.
int note_id(const git_oid* id, void* ids) noexcept {
  try {
    static_cast<std::vector<git_oid>*>(ids)->push_back(*id);
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

// libgit2 compares what it reads with its id (GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, the
// default).
std::string fault_of(git_odb* odb, const git_oid& id) {
  const ObjectHandle object = read_object(odb, id);
  const Checked checked = check_object(git_odb_object_type(object.get()), bytes_of(object));
  if (!checked.fault.empty()) {
    return checked.fault;
  }
  for (const Link& link : checked.links) {
    if (link.modules && git_odb_exists_ext(odb, &link.id, GIT_ODB_LOOKUP_NO_REFRESH) == 1) {
      const ObjectHandle text = read_object(odb, link.id);
      if (const RuleText* rule = check_modules(bytes_of(text))) {
        return std::string{rule->fault};
      }
    }
  }
  return {};
}

// In the child.
std::string fault_of_each(const std::string& objects) {
  git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);  // each object is read once
  const OdbHandle odb = open_staged_objects(objects);
  std::vector<git_oid> ids;
  check(git_odb_foreach(odb.get(), note_id, &ids), "list objects");
  for (const git_oid& id : ids) {
    if (std::string fault = fault_of(odb.get(), id); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

}  // namespace

std::string fault_of_objects(const std::string& objects) {
  start_libgit2();
  return run_confined([&] { return fault_of_each(objects); }, kToCopy)
      .value_or("an object is damaged, or not what its name says");
}

}  // namespace shadow::git
