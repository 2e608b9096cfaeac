// SPDX-License-Identifier: MIT
#include "refresh/adopt.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/attributes.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"

#include <fcntl.h>

namespace shadow::refresh {
namespace {

void require_mode(int directory, const Entry& planned, const std::string& path) {
  if (overlay::look_fd(directory).mode != planned.mode) {
    throw StaleError{"cannot bring " + quoted(path) + " up to the project: its mode changes",
                     "try again",
                     ExitCode::Refused,
                     {path}};
  }
}

}  // namespace

void adopt_directory(const session::ReviewSession& session, live::ViewEdit* edit,
                     const RefreshStep& step) {
  const sys::Fd from = sys::open_beneath(session.lower.get(), step.path, O_RDONLY | O_DIRECTORY);
  const int way = edit != nullptr ? O_PATH : O_RDONLY;
  const sys::Fd to = sys::open_beneath(session.upper.get(), step.path, way | O_DIRECTORY);
  require_mode(from.get(), step.real, step.path);
  require_mode(to.get(), step.item.change.after, step.path);
  if (edit != nullptr) {
    edit->adopt(step.path);
  } else {
    overlay::copy_attributes(from.get(), to.get());
  }
  store::put_base(*session.db, session.row.id, step.path,
                  Base::known(overlay::look_fd(from.get()), BaseSource::Ledger));
}

}  // namespace shadow::refresh
