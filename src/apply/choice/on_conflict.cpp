// SPDX-License-Identifier: MIT
#include "apply/choice/on_conflict.hpp"

#include "policy/config_file.hpp"
#include "sys/processes/process.hpp"

#include <string>

namespace shadow::apply {

OnConflict settled(OnConflict how, const session::ReviewSession& session) {
  if (how != OnConflict::Configured) {
    return how;
  }
  const policy::Config config =
      policy::load_config({sys::environment("HOME").value_or(""), session.state.path(),
                           session.project.root, session.project.cwd});
  const std::string word = config.on_conflict.value_or("merge");
  return word == "stop" ? OnConflict::Stop : word == "skip" ? OnConflict::Skip : OnConflict::Merge;
}

}  // namespace shadow::apply
