// SPDX-License-Identifier: MIT
// What the property tests share: a directory of their own, processes, chance, trees as values.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace property {

// A directory that is gone with the object.
class Scratch {
 public:
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return path_ + '/' + std::string{name};
  }

 private:
  std::string path_;
};

struct Outcome {
  int status = 0;  // exit status; 128 + signal
  std::string out;
  std::string err;
};

// Runs a program with the environment of nobody in particular: no git configuration but `home`'s.
Outcome run(const std::vector<std::string>& argv, const std::string& cwd,
            std::string_view input = {}, const std::string& home = "/nonexistent");

void write_file(const std::string& path, std::string_view bytes, unsigned mode = 0644);
[[nodiscard]] std::string read_file(const std::string& path);
void make_dirs(const std::string& path);

// Chance that can be repeated: SHADOW_TEST_SEED sets the seed, SHADOW_TEST_ROUNDS the number of
// rounds.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_{seed} {}

  // 0 to n-1.
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>{0, n - 1}(engine_);
  }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& any(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937_64 engine_;
};
[[nodiscard]] std::uint64_t first_seed();
[[nodiscard]] std::size_t rounds(std::size_t usual);

// Text of lines that repeat often, ends of all kinds; sometimes empty.
[[nodiscard]] std::string random_text(Chance& chance, std::size_t most_lines);
// Some lines changed, removed, added, moved.
[[nodiscard]] std::string edited_text(Chance& chance, const std::string& text);

struct Node {
  enum class Kind : std::uint8_t { File, Program, Link } kind = Kind::File;
  std::string bytes;  // content, or target
  bool operator==(const Node&) const = default;
};
using Tree = std::map<std::string, Node>;

void write_tree(const std::string& root, const Tree& tree);
[[nodiscard]] Tree read_tree(const std::string& root);

}  // namespace property
