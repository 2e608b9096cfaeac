#include "shadow/error.hpp"
#include "shadow/run.hpp"
#include <cstdio>
#include <cstring>
using namespace shadow;
int main(int argc, char** argv) {
  try {
    int i = 1; std::optional<std::string> as, from; PolicyLayer layer; 
    if (!strcmp(argv[i], "--as")) { as = argv[i+1]; i += 2; }
    if (!strcmp(argv[i], "-C")) { from = argv[i+1]; i += 2; }
    ++i;
    StateDir st = StateDir::open();
    RunRequest r; r.project = find_project(st, from); r.interlocutor = named_interlocutor(as).value_or("default");
    while (i < argc && argv[i][0] == '-') { std::string a = argv[i++]; if (a == "--") break; if (a=="--home=private") layer.home = HomeMode::Private; if (a=="--net=none") layer.net=Network::None; if (a=="--env") layer.env.push_back(parse_env(argv[i++], "--env", Origin::CommandLine)); }
    for (; i < argc; ++i) r.argv.push_back(argv[i]);
    PolicyPlaces pl{getenv("HOME")?getenv("HOME"):"", st.path(), r.project.root, r.project.cwd};
    r.policy = merge_policy({layer}, pl);
    return run_in_session(st, r, [](const std::string& w) { fprintf(stderr, "shadow: %s\n", w.c_str()); });
  } catch (const Error& e) { fprintf(stderr, "shadow: %s\n", e.what()); if (!e.hint().empty()) fprintf(stderr, "hint: %s\n", e.hint().c_str()); return 125; }
}
