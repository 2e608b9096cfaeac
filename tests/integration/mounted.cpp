// SPDX-License-Identifier: MIT
#include "integration/mounted.hpp"

#include "shadow/error.hpp"

#include "overlay/format/layer.hpp"
#include "overlay/read/scan.hpp"
#include "support/layers.hpp"

#include <fcntl.h>
#include <sys/mount.h>

namespace shadow::test {

namespace overlay = shadow::overlay;

Mounted::Mounted(const Tree& lower_tree, const Tree& upper_tree) {
  build(lower(), lower_tree);
  lower_ = open_dir(lower());
  overlay::create_layer(open_dir(scratch_.path()).get(), "layer", lower_.get());
  build(upper(), upper_tree);
  upper_ = open_dir(upper());
  build(view(), {});
}

Mounted::~Mounted() {
  unmount();
}

void Mounted::mount() {
  const std::string work = scratch_ / "layer/work";
  overlay::clear_volatile_marker(shadow::sys::open_path(work, O_PATH | O_DIRECTORY).get());
  const std::string options =
      "userxattr,volatile,lowerdir=" + lower() + ",upperdir=" + upper() + ",workdir=" + work;
  if (::mount("shadow-test", view().c_str(), "overlay", 0, options.c_str()) != 0) {
    shadow::throw_errno("mount an overlay");
  }
  mounted_ = true;
}

void Mounted::unmount() {
  if (mounted_) {
    (void)::umount2(view().c_str(), MNT_DETACH);
    mounted_ = false;
  }
}

std::string Mounted::scan() const {
  return to_text(overlay::scan(upper_fd(), lower_fd()));
}

}  // namespace shadow::test
