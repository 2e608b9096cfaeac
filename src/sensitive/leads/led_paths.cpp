// SPDX-License-Identifier: MIT
#include "sensitive/leads/led_paths.hpp"

#include "base/text.hpp"
#include "base/tool_files.hpp"
#include "sensitive/leads/chains.hpp"
#include "sensitive/leads/lead_source.hpp"
#include "sensitive/leads/package_maps.hpp"
#include "sensitive/leads/virtual_environments.hpp"
#include "sensitive/names/embedded_settings.hpp"
#include "sensitive/names/folded_name.hpp"
#include "sensitive/names/script_names.hpp"
#include "sensitive/names/script_words.hpp"
#include "sensitive/names/sensitive_names.hpp"
#include "sensitive/walk/user_file.hpp"
#include "sensitive/walk/way_back.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostLeadingFiles = 20'000;  // to read one takes some 0.1 ms
constexpr std::size_t kMostScripts = 300;
constexpr int kMostSteps = 5;  // from one file to the next
constexpr std::size_t kMostBasesOfAText = 16;
constexpr std::string_view kPackage = "/package.json";
constexpr std::size_t kMostTries = 400'000;  // two seconds of work

struct QueuedScript {
  std::string path;
  int steps = 0;
  bool runs = false;  // as a program; else it is imported
};

class Leads {
 public:
  explicit Leads(const LedTrees& trees) : trees_{trees}, maps_{trees.read} {}

  std::vector<NamedPath> find(const LeadSources& sources) {
    for (std::size_t i = 0; i < std::min(sources.files.size(), kMostLeadingFiles); ++i) {
      read_leading(sources.files[i]);
    }
    for (const LeadingText& text : sources.texts) {
      read({text.text, text.directories, text.reason});
    }
    for (const std::string& script : sources.scripts) {
      queue({script, 1, true});
    }
    for (std::size_t i = 0; i < kMostScripts && !queue_.empty(); ++i) {
      const QueuedScript next = std::move(queue_.front());
      queue_.pop_front();
      read_script(next);
    }
    return std::move(found_);
  }

 private:
  void read_leading(const LeadingFile& leading) {
    const std::string& file = leading.name.empty() ? leading.path : leading.name;
    const std::string environment = environment_of(file);
    if (!environment.empty()) {
      if (queued_.insert("environment " + environment).second) {
        found_.push_back(named_path(environment, "part of a virtual environment, which editors run",
                                    Reach::Below));
      }
      return;
    }
    const LeadingName* rule = find_leading_name(folded_name(sys::join_path(trees_.above, file)));
    const LinkWalk walk = walk_link_back("", leading.path, root(), look_);
    auto text = walk.inside() ? trees_.read(walk.end) : std::nullopt;
    const std::string name = folded_name(sys::split_path(file).name);
    if (const Chain* chain = text ? find_chain(name) : nullptr) {
      follow(*chain, walk.end, *text, 0);
    }
    if (text) {
      text = leading_settings_in(name, *text);
    }
    if (rule != nullptr && text) {
      std::vector<std::string> bases = beside(file);
      if (walk.end != file) {
        for (std::string& base : beside(walk.end)) {
          bases.push_back(std::move(base));
        }
      }
      if (name.ends_with(".gemspec")) {
        bases.push_back(sys::join_path(sys::split_path(file).parent, "lib"));
      }
      find_packages(*text, bases, trees_.whose + file + " names it");
      // Most tasks run when they are asked for.
      const bool last =
          file.ends_with("tasks.json") && text->find("folderOpen") == std::string::npos;
      read({*text, std::move(bases), trees_.whose + file + " names it",
            kind_of_leading(*rule, file, *text), 0, last, rule->to, is_javascript(file),
            is_of_shell(file, *text)});
    }
  }

  // Files that count as the first one does, by whatever name.
  void follow(const Chain& chain, const std::string& file, const std::string& text, int steps) {
    const std::string directory{sys::split_path(file).parent};
    for (const std::string& path : chain.names_in(text)) {
      auto walk = walk_from(directory, path);
      if (walk && !chain.inside.empty() && look_(walk->end).kind == EntryKind::Directory) {
        walk = walk_from(walk->end, std::string{chain.inside});
      }
      if (!walk || !queued_.insert("chain " + walk->end).second ||
          queued_.size() > kMostLeadingFiles) {
        continue;
      }
      const std::string reason = trees_.whose + file + " names it";
      for (const std::string& link : walk->links) {
        found_.push_back(named_path(link, reason));
      }
      NamedPath named = named_path(walk->end, reason);
      named.alias = chain.alias;
      named.in_part = !chain.alias.empty();
      named.below = chain.inside.empty() && then_at(walk->end).kind == EntryKind::Directory;
      found_.push_back(std::move(named));
      const auto next = steps < kMostSteps && look_(walk->end).kind == EntryKind::File
                            ? trees_.read(walk->end)
                            : std::nullopt;
      if (next) {
        follow(chain, walk->end, *next, steps + 1);
      }
    }
  }

  // What is there, or comes.
  [[nodiscard]] Entry then_at(const std::string& path) const {
    const Entry now = look_(path);
    return now.exists() ? now : trees_.in_view(path);
  }

  // The packages of a workspace, to which links in node_modules lead.
  void find_packages(const std::string& text, const std::vector<std::string>& bases,
                     const std::string& reason) {
    std::set<std::string> names;
    for (const std::string& base : bases) {
      const std::string modules = sys::join_path(base, "node_modules");
      if (look_(modules).kind != EntryKind::Directory) {
        continue;
      }
      if (names.empty()) {
        names = packages_in(text);
      }
      for (const std::string& name : names) {
        const auto walk = walk_from(modules, name);
        if (walk && !walk->links.empty() && look_(walk->end).kind == EntryKind::Directory) {
          found_.push_back(named_path(walk->end, reason, Reach::Below));
        }
      }
    }
  }

  void read_script(const QueuedScript& next) {
    const std::string& file = next.path;
    const auto text = trees_.read(file);
    if (!text || text->find('\0') != std::string::npos) {
      return;
    }
    const TextKind kind = kind_of_script(file, *text);
    if (kind == TextKind::Python && next.runs) {
      add_fresh(std::string{sys::split_path(file).parent}, file);
    }
    read({*text, beside(file), trees_.whose + file + " names it", kind, next.steps, false,
          LeadsTo::Files, is_javascript(file), is_of_shell(file, *text)});
  }

  // Python finds modules beside a program before its own (sys.path).
  void add_fresh(const std::string& directory, const std::string& program) {
    NamedPath fresh = named_path(
        directory, "python may load it in the place of a module, when " + program + " runs");
    fresh.fresh_module = true;
    found_.push_back(std::move(fresh));
  }

  void read(LeadSource source) {
    const std::vector<Mention> mentions = mentions_in(source.text, source.kind);
    source.kind = source.kind == TextKind::Values ? TextKind::Script : source.kind;
    source.own = source.bases.size();
    for (const Mention& one : mentions) {
      if (one.directory && source.bases.size() < kMostBasesOfAText) {
        add_base(source, one);
      }
    }
    for (const Mention& one : mentions) {
      take(source, one);
    }
    if (source.imports) {
      take_mapped(source);
    }
  }

  // And the map, in which another file may be named.
  void take_mapped(const LeadSource& source) {
    for (auto& [map, path] : maps_.files_named_in(source.text, source.bases)) {
      const std::string base{sys::split_path(map).parent};
      const Mention one{std::move(path)};
      if (!is_new(source, one, base) || !has_directory(base, one.path)) {
        continue;
      }
      for (const std::string_view ending : endings_of(one)) {
        const auto walk = walk_from(base, one.path + std::string{ending});
        if (walk && add(source, one, *walk)) {
          found_.push_back(named_in_part(map, source.reason, std::string{kPackageMap}));
        }
      }
    }
  }

  void add_base(LeadSource& source, const Mention& one) {
    for (const std::string& base : std::vector<std::string>{source.bases}) {
      const auto walk = walk_from(base, one.path);
      if (walk && look_(walk->end).kind == EntryKind::Directory) {
        source.bases.push_back(walk->end);
      }
    }
  }

  // ".." on the way, and links, are walked as the kernel does.
  std::optional<LinkWalk> walk_from(const std::string& base, std::string word) const {
    if (word.starts_with("HOME/")) {
      word.replace(0, 4, "~");
    }
    if (word.starts_with('~')) {
      word = with_home(word, trees_.home);
    }
    if (word.starts_with('/') && trees_.root.empty()) {
      return std::nullopt;
    }
    while (word.starts_with("./")) {
      word.erase(0, 2);
    }
    if (word.empty() || word == ".") {
      return std::nullopt;
    }
    LinkWalk walk = walk_link_back(base, word, root(), look_);
    return walk.inside() && !walk.end.empty() ? std::optional{std::move(walk)} : std::nullopt;
  }

  [[nodiscard]] std::string root() const { return trees_.root.empty() ? "/" : trees_.root; }

  // In every place where it may be meant: which one is, a session could decide by what it puts in
  // another.
  void take(const LeadSource& source, const Mention& one) {
    if (one.of_variable && one.path == ".") {
      take_here(source, one);
    }
    if (one.stood_in && is_new(source, one, source.reason)) {
      std::vector<NamedPath> here = places_stood_in(source);
      std::move(here.begin(), here.end(), std::back_inserter(found_));
    }
    const std::string environment = one.can_run ? "" : environment_of_interpreter(one.path);
    for (const std::string& base : source.bases) {
      if (!is_new(source, one, base) || !has_directory(base, one.path)) {
        continue;
      }
      // The interpreter itself is mostly a link out of the project. Its modules are in lib.
      const auto around = environment.empty() ? std::nullopt : walk_from(base, environment);
      if (around && look_(around->end + "/lib").kind == EntryKind::Directory) {
        found_.push_back(named_path(around->end, source.reason, Reach::Below));
      }
      for (const std::string_view ending : endings_of(one)) {
        const auto walk = walk_from(base, one.path + std::string{ending});
        if (!walk) {
          continue;
        }
        if (ending == kPackage && (one.package || source.imports)) {
          take_package(source, walk->end);
        }
        if (add(source, one, *walk) && one.module && source.kind == TextKind::Script) {
          add_fresh(base, walk->end);  // "python3 -m"
        }
      }
    }
  }

  // "main", "bin" and the commands of a package name what runs in the directory's place.
  void take_package(const LeadSource& source, const std::string& file) {
    if (look_(file).exists() || trees_.in_view(file).exists()) {
      found_.push_back(named_path(file, source.reason));
      queue({file, source.steps + 1, false});
    }
  }

  // A script may stand anywhere above.
  void take_here(const LeadSource& source, const Mention& one) {
    const std::size_t count = source.steps > 0 ? source.bases.size() : 1;
    for (std::size_t i = 0; one.below && i < std::min(count, source.bases.size()); ++i) {
      found_.push_back(of_variable(named_path(source.bases[i], source.reason, Reach::Below), one));
    }
  }

  // Many scripts say the same.
  bool is_new(const LeadSource& source, const Mention& one, const std::string& base) {
    std::string key = (one.path.starts_with('/') ? "" : base) + "\n" + one.path;
    for (const bool fact : {source.steps > 0, source.last, source.kind == TextKind::Script,
                            source.to == LeadsTo::Programs, source.to == LeadsTo::Directories,
                            one.below, one.module, one.python_path, one.of_variable, one.right_in,
                            one.if_fresh, one.run, one.package, one.stood_in, one.can_run}) {
      key += fact ? '1' : '0';
    }
    return tried_.size() < kMostTries && tried_.insert(std::move(key)).second;
  }

  // Most words with a slash are no paths.
  bool has_directory(const std::string& base, const std::string& path) {
    const std::size_t slash = path.find_last_not_of('/') == std::string::npos
                                  ? std::string::npos
                                  : path.rfind('/', path.find_last_not_of('/'));
    if (slash == std::string::npos || slash == 0) {
      return true;
    }
    const std::string directory = path.substr(0, slash);
    const auto [known, fresh] = directories_.try_emplace(base + "\n" + directory, true);
    if (fresh && directory.find_first_not_of("./") != std::string::npos) {
      const auto walk = walk_from(base, directory);
      // walk_from() gives no answer for the project's top and for absolute paths.
      known->second = !walk || look_(walk->end).exists() || trees_.in_view(walk->end).exists();
    }
    return known->second;
  }

  // True if it was added.
  bool add(const LeadSource& source, const Mention& one, const LinkWalk& walk) {
    const Entry then = then_at(walk.end);
    const bool directory = then.kind == EntryKind::Directory;
    if (one.python_path) {
      if (directory) {
        found_.push_back(python_directory(walk.end, source.reason));
      }
      return directory;
    }
    const bool program = one.run || is_name_of_program(walk.end) || (then.mode & 0111U) != 0;
    const bool below = one.below || one.can_run || source.to == LeadsTo::Directories;
    // Further on a script names what it works on, too.
    const bool programs_alone =
        one.can_run || (!one.of_variable && (source.steps > 0 || source.to == LeadsTo::Programs));
    if (!then.exists() || (directory && !below) || (programs_alone && !directory && !program)) {
      return false;
    }
    for (const std::string& link : walk.links) {
      found_.push_back(named_path(link, source.reason));
    }
    if (!seen_.contains(walk.end) && seen_.insert(walk.end + manner_of(one)).second) {
      found_.push_back(of_variable(named_path(walk.end, source.reason, below_if(directory)), one));
    }
    const bool leads = program || one.of_variable || are_settings_named_by(source, walk.end) ||
                       is_name_of_variables(walk.end);
    if (!directory && leads && !source.last) {
      queue({walk.end, source.steps + 1, !one.module});
    }
    return true;
  }

  void queue(QueuedScript next) {
    if (next.steps <= kMostSteps && queued_.insert(next.path).second) {
      queue_.push_back(std::move(next));
    }
  }

  const LedTrees& trees_;
  PackageMaps maps_;
  std::unordered_map<std::string, Entry> looked_;
  const LookAt look_ = [this](const std::string& path) {
    const auto [known, fresh] = looked_.try_emplace(path);
    if (fresh) {
      known->second = trees_.in_project(path);
    }
    return known->second;
  };
  std::unordered_set<std::string> tried_;
  std::unordered_map<std::string, bool> directories_;
  std::set<std::string> seen_;
  std::set<std::string> queued_;
  std::deque<QueuedScript> queue_;
  std::vector<NamedPath> found_;
};

}  // namespace

std::vector<NamedPath> paths_led_to(const LeadSources& sources, const LedTrees& trees) {
  return Leads{trees}.find(sources);
}

}  // namespace shadow::sensitive
