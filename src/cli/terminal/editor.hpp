// SPDX-License-Identifier: MIT
// The user's editor.

#pragma once

#include <string>

namespace shadow::cli {

// $GIT_EDITOR, else $VISUAL (not on a dumb terminal), else $EDITOR, else vi: a line for the shell.
[[nodiscard]] std::string editor_command();

// Lets the user edit the text in a file of a private directory; what the file holds when the editor
// has ended. Throws Error when the editor fails.
[[nodiscard]] std::string edit_text(const std::string& text);

}  // namespace shadow::cli
