// SPDX-License-Identifier: MIT
// The form in which a filesystem that is not exact about names may compare them.

#pragma once

#include <string>
#include <string_view>

namespace shadow::sensitive {

// A name as the least exact of Linux' filesystems takes it: letters without case, also those beyond
// ASCII that fold to one (ext4 and f2fs with casefold, the Unicode form of the kernel's utf8n) or
// are another form of one, such as that of full width (ZFS with normalization=formKC), without code
// points that stand for nothing (the same; HFS+), without dots and blanks at the end (vfat, NTFS).
// Of a path, each component. Other bytes stay.
[[nodiscard]] std::string folded_name(std::string_view path);

}  // namespace shadow::sensitive
