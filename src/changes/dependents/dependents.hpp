// SPDX-License-Identifier: MIT
// Changes that stay in the session with others that stay there: what an apply leaves out, a review
// says of it beforehand. Pure.

#pragma once

#include "shadow/review.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace shadow::changes {

// Paths that are written together or not at all.
using Together = std::vector<std::pair<std::string, std::string>>;

// By number: the items that cannot be written because others are not, each with one of those.
using Dependents = std::map<std::size_t, std::size_t>;

// The two names of each rename and of each hard link.
[[nodiscard]] Together names_of_one_file(const std::vector<ReviewItem>& items);

// Of the numbers `considered`, what stays with `staying`: paths below, the other ones of
// `together`, and new directories in which all stays.
[[nodiscard]] Dependents dependents_of(const std::vector<ReviewItem>& items,
                                       const std::set<std::size_t>& considered,
                                       const std::set<std::size_t>& staying,
                                       const Together& together);

// True for the new name of a renamed file. Of a conflict the old one is reported: there the project
// has an edit.
[[nodiscard]] bool is_new_name(const ReviewItem& item);

}  // namespace shadow::changes
