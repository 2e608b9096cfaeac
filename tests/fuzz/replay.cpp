// SPDX-License-Identifier: MIT
// The main program of a fuzz target without libFuzzer: replays a corpus and then, for a few
// seconds, mutations of it. Prints how many inputs it tried. SHADOW_TEST_SEED repeats a run, and
// SHADOW_FUZZ_SECONDS sets its length. An input that ends the program is left in the file
// `crash-input` of the working directory.

#include "fuzz/target.hpp"
#include "support/chance.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

constexpr std::size_t kMostBytes = 4096;
constexpr unsigned kHangSeconds = 20;

const std::string* current = nullptr;

// Only calls that are safe in a signal handler.
void keep_input(int signal) {
  const int file = ::open("crash-input", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0 && current != nullptr) {
    (void)!::write(file, current->data(), current->size());
    ::close(file);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

std::string read_file(const std::string& path) {
  std::string text;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return text;
  }
  for (int byte = std::fgetc(file); byte != EOF; byte = std::fgetc(file)) {
    text.push_back(static_cast<char>(byte));
  }
  std::fclose(file);
  return text;
}

std::vector<std::string> read_corpus(const std::string& directory) {
  std::vector<std::string> inputs{""};
  DIR* dir = ::opendir(directory.c_str());
  if (dir == nullptr) {
    std::fprintf(stderr, "cannot open the corpus %s\n", directory.c_str());
    std::exit(2);
  }
  while (const dirent* entry = ::readdir(dir)) {  // NOLINT(concurrency-mt-unsafe): one thread
    if (entry->d_name[0] != '.') {
      inputs.push_back(read_file(directory + '/' + entry->d_name));
    }
  }
  ::closedir(dir);
  return inputs;
}

void try_input(const std::string& input) {
  current = &input;
  ::alarm(kHangSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : chance_{seed} {}

  std::string mutate(const std::vector<std::string>& corpus) {
    std::string input = corpus[chance_.below(corpus.size())];
    for (std::size_t n = 1 + chance_.below(6); n > 0; --n) {
      change(input, corpus);
    }
    input.resize(std::min(input.size(), kMostBytes));
    return input;
  }

 private:
  // Bytes that readers look out for, and all others.
  char byte() {
    constexpr std::string_view kTelling{
        "\0\n\r /*?[]!\\#\"'=-+@.\x7f\x80\xff"
        "09aZ",
        26};
    return chance_.one_in(2) ? kTelling[chance_.below(kTelling.size())]
                             : static_cast<char>(chance_.below(256));
  }

  void change(std::string& input, const std::vector<std::string>& corpus) {
    const std::size_t at = chance_.below(input.size() + 1);
    const std::size_t count = std::min(1 + chance_.below(16), input.size() - at);
    switch (chance_.below(6)) {
      case 0:
        input.insert(at, 1 + chance_.below(8), byte());
        break;
      case 1:
        input.erase(at, count);
        break;
      case 2:
        input.insert(chance_.below(input.size() + 1), input.substr(at, count));
        break;
      case 3: {
        const std::string& other = corpus[chance_.below(corpus.size())];
        const std::size_t from = chance_.below(other.size() + 1);
        input.insert(at, other.substr(from, chance_.below(64)));
        break;
      }
      default:
        if (at < input.size()) {
          input[at] = byte();
        }
    }
  }

  shadow::test::Chance chance_;
};

std::uint64_t number_in(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

int main(int argc, char** argv) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) {
    ::signal(signal, keep_input);
  }
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
    return 2;
  }
  std::vector<std::string> corpus = read_corpus(argv[1]);
  for (const std::string& input : corpus) {
    try_input(input);
  }
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds{number_in("SHADOW_FUZZ_SECONDS", 2)};
  const std::uint64_t seed = number_in("SHADOW_TEST_SEED", 1);
  Mutator mutator{seed};
  std::uint64_t tried = corpus.size();
  for (; Clock::now() < end; ++tried) {
    const std::string input = mutator.mutate(corpus);
    try_input(input);
  }
  std::printf("%llu inputs, seed %llu\n", static_cast<unsigned long long>(tried),
              static_cast<unsigned long long>(seed));
  return 0;
}
