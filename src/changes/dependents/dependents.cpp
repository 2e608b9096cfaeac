// SPDX-License-Identifier: MIT
#include "changes/dependents/dependents.hpp"

#include "changes/dependents/item_range.hpp"

namespace shadow::changes {

namespace {

class Following {
 public:
  Following(const std::vector<ReviewItem>& items, const std::set<std::size_t>& considered,
            const std::set<std::size_t>& staying, const Together& together)
      : items_{items}, considered_{considered}, staying_{staying} {
    for (const auto& [one, other] : together) {
      const auto a = find_item(items, one);
      const auto b = find_item(items, other);
      if (a && b) {
        others_.emplace(*a, *b);
        others_.emplace(*b, *a);
      }
    }
  }

  [[nodiscard]] Dependents find() {
    for (const std::size_t i : staying_) {
      add_below(i, i);
      add_others(i, i);
    }
    while (!next_.empty()) {
      const std::size_t i = next_.back();
      next_.pop_back();
      add_others(i, found_.at(i));
    }
    add_emptied_directories();
    return std::move(found_);
  }

 private:
  bool add(std::size_t i, std::size_t because) {
    const bool is_new =
        considered_.count(i) != 0 && staying_.count(i) == 0 && found_.emplace(i, because).second;
    if (is_new) {
      next_.push_back(i);
    }
    return is_new;
  }

  void add_below(std::size_t i, std::size_t because) {
    const ItemRange below = items_below(items_, items_[i].change.path);
    for (std::size_t child = below.begin; child < below.end; ++child) {
      add(child, because);
    }
  }

  void add_others(std::size_t i, std::size_t because) {
    const auto [first, last] = others_.equal_range(i);
    for (auto other = first; other != last; ++other) {
      if (add(other->second, because)) {
        add_below(other->second, because);
      }
    }
  }

  // A directory that the project deleted is not made again for files that stay away.
  void add_emptied_directories() {
    std::set<std::size_t> kept = staying_;
    std::set<std::size_t> taken;
    for (const std::size_t i : considered_) {
      (found_.count(i) != 0 || staying_.count(i) != 0 ? kept : taken).insert(i);
    }
    const std::vector<std::size_t> children_first{considered_.rbegin(), considered_.rend()};
    for (const std::size_t i : children_first) {
      const Change& change = items_[i].change;
      if (taken.count(i) == 0 || change.kind != ChangeKind::Added ||
          change.after.kind != EntryKind::Directory) {
        continue;
      }
      const ItemRange below = items_below(items_, change.path);
      const auto because = first_in(kept, below);
      if (because && !first_in(taken, below)) {
        taken.erase(i);
        kept.insert(i);
        found_.emplace(i, staying_.count(*because) != 0 ? *because : found_.at(*because));
      }
    }
  }

  const std::vector<ReviewItem>& items_;
  const std::set<std::size_t>& considered_;
  const std::set<std::size_t>& staying_;
  std::multimap<std::size_t, std::size_t> others_;
  Dependents found_;
  std::vector<std::size_t> next_;
};

}  // namespace

Together names_of_one_file(const std::vector<ReviewItem>& items) {
  Together pairs;
  for (const ReviewItem& item : items) {
    for (const RareText* other : {&item.resolution.partner, &item.change.link_to}) {
      if (!other->empty()) {
        pairs.emplace_back(item.change.path, other->str());
      }
    }
  }
  return pairs;
}

Dependents dependents_of(const std::vector<ReviewItem>& items,
                         const std::set<std::size_t>& considered,
                         const std::set<std::size_t>& staying, const Together& together) {
  return staying.empty() ? Dependents{} : Following{items, considered, staying, together}.find();
}

bool is_new_name(const ReviewItem& item) {
  return item.change.kind != ChangeKind::Deleted && !item.resolution.partner.empty();
}

}  // namespace shadow::changes
