// SPDX-License-Identifier: MIT
#include "shadow/base.hpp"

#include "base/hash.hpp"

#include <utility>

namespace shadow {

namespace {

const std::string kNone;

}  // namespace

BaseContent::BaseContent(Where where, std::string name) : where_{where}, name_{std::move(name)} {
  where_ = name_.empty() ? Where::Nowhere : where_;
}

BaseContent BaseContent::hashed(std::string hash) {
  return {Where::Hashed, std::move(hash)};
}

BaseContent BaseContent::stored(std::string blob) {
  return hash_from_hex(blob) ? BaseContent{Where::Blobs, std::move(blob)} : BaseContent{};
}

BaseContent BaseContent::object(std::string id) {
  return {Where::Project, std::move(id)};
}

const std::string& BaseContent::hash() const {
  return where_ == Where::Project ? kNone : name_;
}

const std::string& BaseContent::object_id() const {
  return where_ == Where::Project ? name_ : kNone;
}

Base::Base(State state) : state_{std::move(state)} {
}

Base Base::unknown(Entry seen) {
  return Base{Unknown{std::move(seen), true}};
}

Base Base::unsettled(Entry seen) {
  return Base{Unknown{std::move(seen), false}};
}

Base Base::absent(BaseSource from) {
  return Base{Absent{from}};
}

Base Base::known(Entry entry, BaseSource from, BaseContent content) {
  return entry.exists() || !content.is_nothing()
             ? Base{Known{std::move(entry), from, std::move(content)}}
             : absent(from);
}

bool Base::is_lost() const {
  const auto* unknown = std::get_if<Unknown>(&state_);
  return unknown != nullptr && unknown->lost;
}

std::optional<BaseSource> Base::source() const {
  if (const auto* absent = std::get_if<Absent>(&state_)) {
    return absent->source;
  }
  const auto* known = std::get_if<Known>(&state_);
  return known == nullptr ? std::nullopt : std::optional{known->source};
}

bool Base::is_known_by_times() const {
  return is_known() && entry().kind == EntryKind::File && content().hash().empty();
}

const Entry& Base::entry() const {
  static const Entry nothing;
  if (const auto* unknown = std::get_if<Unknown>(&state_)) {
    return unknown->seen;
  }
  const auto* known = std::get_if<Known>(&state_);
  return known == nullptr ? nothing : known->entry;
}

const BaseContent& Base::content() const {
  static const BaseContent nothing;
  const auto* known = std::get_if<Known>(&state_);
  return known == nullptr ? nothing : known->content;
}

Base Base::from(BaseSource source) const {
  Base other = *this;
  if (auto* absent = std::get_if<Absent>(&other.state_)) {
    absent->source = source;
  } else if (auto* known = std::get_if<Known>(&other.state_)) {
    known->source = source;
  }
  return other;
}

Base Base::with(BaseContent content) const {
  Base other = *this;
  if (auto* known = std::get_if<Known>(&other.state_)) {
    known->content = std::move(content);
  }
  return other;
}

Base Base::at(Entry now) const {
  const auto from = source();
  return from ? known(std::move(now), *from, content()) : *this;
}

}  // namespace shadow
