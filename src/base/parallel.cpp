// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace shadow {
namespace {

// More would wait for each other: the filesystem has one journal, and a directory one lock.
constexpr unsigned kMostThreads = 8;

class Division {
 public:
  Division(std::size_t count, std::size_t share, const std::function<void(std::size_t)>& work)
      : count_{count}, share_{share}, work_{work} {}

  // The body of each thread.
  void work() noexcept {
    while (!failed_) {
      const std::size_t first = next_.fetch_add(share_);
      if (first >= count_) {
        return;
      }
      work_on(first, std::min(count_, first + share_));
    }
  }

  void rethrow() const {
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  void work_on(std::size_t first, std::size_t end) noexcept {
    std::size_t index = first;
    try {
      for (; index < end; ++index) {
        work_(index);
      }
    } catch (...) {
      const std::scoped_lock lock{mutex_};
      if (!error_ || index < failed_index_) {
        error_ = std::current_exception();
        failed_index_ = index;
      }
      failed_ = true;
    }
  }

  const std::size_t count_;
  const std::size_t share_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
  std::size_t failed_index_ = 0;
};

}  // namespace

void in_parallel(std::size_t count, std::size_t share,
                 const std::function<void(std::size_t)>& work) {
  Division division{count, share, work};
  {
    const std::size_t shares = (count + share - 1) / share;
    const std::size_t processors =
        std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < std::min(processors, shares); ++i) {
        threads.emplace_back([&division] { division.work(); });
      }
    } catch (const std::system_error&) {
      // No more processes may be made: those that are there do it.
    }
    division.work();
  }
  division.rethrow();
}

}  // namespace shadow
