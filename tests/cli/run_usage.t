## `run` says 125 for what is its own fault, so that it cannot be taken for the command's.
$ shadow run
shadow: cannot run anything: no command was given
hint: write it after the options: shadow run -- make test
[125]
$ shadow run --net=some -- true
shadow: cannot read --net 'some': not a valid value
hint: host, none or allow:HOST[:PORT],...
[125]
$ shadow run --net=allow:127.1 -- true
shadow: cannot read --net '127.1': not a host that can be allowed
hint: a name, an address, or *.NAME for the names below it, each with a :PORT if need be; IPv6 addresses in []
[125]
$ shadow run --profile=none -- true
shadow: no profile 'none'
hint: profiles: agent, default, strict
[125]
$ shadow run --no-such -- true
shadow: cannot understand '--no-such': 'shadow run' has no such option
hint: 'shadow run --help' lists them
[125]
$ shadow -C missing run -- true
shadow: cannot open 'missing': no such file or directory
[125]
$ shadow --as '' run -- true
shadow: cannot use an empty agent name (--as)
hint: give a name: --as NAME
[125]
$ shadow --as '$LECTIC_INTERLOCUTOR' run -- true
shadow: cannot use '$LECTIC_INTERLOCUTOR' as the name of an agent: it was not replaced by a name
hint: MCP servers get no LECTIC_* variables; write --as NAME with a name of your own
[125]
$ shadow --json run --memory=lots -- true
{"error":{"kind":"trouble","message":"cannot read --memory 'lots': not a valid value","hint":"a size such as 512M or 2G, or none","paths":[]}}
[125]
## Of two options for one path or one variable neither can be the one that is meant.
$ shadow run --ro=notes.txt --rw=./notes.txt -- true
shadow: cannot take both --ro and --rw of '$TMP/project/notes.txt'
[125]
$ shadow run --hide notes.txt --ro notes.txt -- cat notes.txt
$ shadow run --env A=1 --unset A -- true
shadow: cannot take both --env and --unset of 'A'
[125]
