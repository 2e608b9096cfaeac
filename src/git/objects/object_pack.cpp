// SPDX-License-Identifier: MIT
#include "git/objects/object_pack.hpp"

#include "git/repository/handle.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <git2/sys/repository.h>

#include <sys/stat.h>

namespace shadow::git {
namespace {

using PackHandle = Handle<git_packbuilder, git_packbuilder_free>;

// The user's own settings are not asked. Above the threshold an object is stored as it is and not
// as its difference to another, the search for which takes longer than all the rest.
ConfigHandle settings(const std::string& staging) {
  const std::string path = staging + "/pack.config";
  const sys::Fd file =
      sys::open_path(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  sys::write_all(file.get(), "[core]\n\tbigFileThreshold = 1\n");
  auto config = make<ConfigHandle>("set up a pack", git_config_new);
  check(git_config_add_file_ondisk(config.get(), path.c_str(), GIT_CONFIG_LEVEL_LOCAL, nullptr, 0),
        "set up a pack");
  return config;
}

}  // namespace

std::string write_pack(git_odb* odb, const std::vector<git_oid>& ids, const std::string& staging) {
  const auto repository = make<RepositoryHandle>("open objects", git_repository_wrap_odb, odb);
  const ConfigHandle config = settings(staging);
  check(git_repository_set_config(repository.get(), config.get()), "set up a pack");
  const auto pack = make<PackHandle>("set up a pack", git_packbuilder_new, repository.get());
  for (const git_oid& id : ids) {
    check(git_packbuilder_insert(pack.get(), &id, nullptr), "write an object");
  }
  const std::string directory = staging + "/pack";
  ::mkdir(directory.c_str(), S_IRWXU);
  check(git_packbuilder_write(pack.get(), directory.c_str(), S_IRUSR, nullptr, nullptr),
        "write objects");
  return std::string{"pack-"} + git_packbuilder_name(pack.get());
}

}  // namespace shadow::git
