# SPDX-License-Identifier: MIT
"""--net=allow: what is on the list can be reached through the proxy, and nothing else at all."""

import contextlib
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading

import harness
from harness import wait_until
from runs import CONNECT, config, policy

PROXY_PORT = 3128

FETCH = """
import sys, urllib.error, urllib.request
for url in sys.argv[1:]:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            print(answer.status, answer.read().decode().strip())
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode().strip())
    except OSError as error:
        print("failed", error)
"""

# Speaks to the proxy by hand: the bytes of argv[1], then the answer.
RAW = f"""
import socket, sys
s = socket.create_connection(("127.0.0.1", {PROXY_PORT}))
s.settimeout(20)
try:
    s.sendall(eval(sys.argv[1]))
    s.shutdown(socket.SHUT_WR)
    answer = b""
    while piece := s.recv(65536):
        answer += piece
except OSError as error:
    answer = answer or repr(error).encode()
sys.stdout.buffer.write(answer)
"""


class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = f"{self.path} for {self.headers['Host']}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        total = 0
        while total < length:
            total += len(self.rfile.read(min(65536, length - total)))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"%d" % total)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def web_server(address="127.0.0.1"):
    """A server on the host; yields its port and the clients that it saw."""
    seen = []

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def verify_request(self, request, client_address):
            seen.append(client_address)
            return True

    with Server((address, 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_address[1], seen
        server.shutdown()


def run(world, allowed, *argv, **options):
    return world.shadow("run", f"--net=allow:{allowed}", "--", *argv, **options)


def proxies(world):
    """Running proxies whose list has this world's mark."""
    found = []
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    words = f.read().split(b"\0")
            except OSError:
                continue
            if words[0] == b"shadow-proxy" and mark(world).encode() in words[1]:
                found.append(int(pid))
    return found


def mark(world):
    return os.path.basename(world.tmp).lower().replace("_", "0") + ".example"


def runs(world):
    lines = world.shadow("--json", "log").out.splitlines()
    return [json.loads(line) for line in lines]


def test_what_is_listed_is_reached(world):
    """A listed address is reached, as a plain request and through a tunnel, with nobody asking how."""
    with web_server() as (port, seen):
        done = run(world, f"127.0.0.1:{port}", sys.executable, "-c", FETCH,
                   f"http://127.0.0.1:{port}/a%20b?c=d")
        assert done.out == f"200 /a%20b?c=d for 127.0.0.1:{port}\n", done
        assert done.err == "", done
        tunnel = (f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n"
                  f"GET /t HTTP/1.0\r\nHost: other\r\n\r\n").encode()
        done = run(world, f"127.0.0.1:{port}", sys.executable, "-c", RAW, repr(tunnel))
        assert done.out.startswith("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.0 200"), done
        assert done.out.endswith("/t for other\n"), done
        assert len(seen) == 2


def test_what_is_not_listed_is_refused(world):
    """Another port, another name and another address are refused, and no connection is made."""
    with web_server() as (port, seen), web_server() as (other, other_seen):
        done = run(world, f"127.0.0.1:{port}", sys.executable, "-c", FETCH,
                   f"http://127.0.0.1:{other}/", f"http://localhost:{port}/",
                   f"http://127.0.0.2:{port}/", f"http://nowhere.invalid:{port}/",
                   f"http://2130706433:{port}/", f"http://[::ffff:127.0.0.1]:{port}/")
        lines = done.out.splitlines()
        assert len(lines) == 6, done
        # localhost is the run's own, which needs no proxy and has no server.
        assert lines[1].startswith("failed"), done
        assert lines[4].startswith("400"), done
        for line in (lines[0], *lines[2:4], lines[5]):
            assert line.startswith("403 shadow: ") and "not on the list" in line, (line, done)
        assert not seen and not other_seen


def test_nothing_leads_around_the_proxy(world):
    """With a list there is no TCP, no UDP, no DNS and no abstract socket but through the proxy."""
    with web_server() as (port, seen), \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, \
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as abstract:
        udp.bind(("127.0.0.1", 0))
        name = f"\0shadow-net-{os.getpid()}"
        abstract.bind(name)
        abstract.listen()
        stream, datagram = int(socket.SOCK_STREAM), int(socket.SOCK_DGRAM)
        inet, unix, hypervisor = int(socket.AF_INET), int(socket.AF_UNIX), int(socket.AF_VSOCK)
        for target in ((inet, stream, ("127.0.0.1", port)), (inet, datagram, udp.getsockname()),
                       (unix, stream, name), (inet, datagram, ("192.0.2.1", 53)),
                       (hypervisor, stream, (2, 1024))):
            done = run(world, f"127.0.0.1:{port}", sys.executable, "-c",
                       CONNECT.replace("s = socket.socket(family, kind)\ns.settimeout(5)\ntry:\n",
                                       "try:\n    s = socket.socket(family, kind)\n"
                                       "    s.settimeout(5)\n"), repr(target))
            assert done.out.startswith("refused"), (target, done.out)
        assert not seen
        resolve = "import socket\ntry:\n  print(socket.getaddrinfo('example.com', 80))\n" \
                  "except OSError: print('no')"
        assert run(world, "example.com", sys.executable, "-c", resolve).out == "no\n"


def test_a_name_does_not_lead_to_the_hosts_own_network(world):
    """A listed name whose address is not public is refused, unless the list has the address too."""
    with web_server() as (port, seen):
        url = f"http://localhost:{port}/x"
        done = run(world, f"localhost:{port}", sys.executable, "-c", FETCH, url)
        assert done.out.startswith(f"403 shadow: localhost:{port} is at "), done
        assert not seen
        done = run(world, f"localhost:{port},127.0.0.1:{port}", sys.executable, "-c", FETCH, url)
        assert done.out == f"200 /x for localhost:{port}\n", done


def test_denials_are_in_the_log(world):
    """What was denied is in log and show by name and count, and nothing of it on the terminal."""
    with web_server() as (port, _):
        done = run(world, f"127.0.0.1:{port}", sys.executable, "-c", FETCH,
                   *[f"http://denied.example:{port}/"] * 3, "http://127.0.0.1:9/")
        assert done.err == "", done
    wanted = f"denied: 127.0.0.1:9 (1), denied.example:{port} (3)"
    assert wanted in world.shadow("log").out, world.shadow("log").out
    record = runs(world)[0]
    assert record["denied"] == [{"destination": "127.0.0.1:9", "count": 1},
                                {"destination": f"denied.example:{port}", "count": 3}], record
    assert record["policy"]["net"] == f"allow:127.0.0.1:{port}"
    shown = world.shadow("show", str(record["run"])).out
    assert f"denied:    127.0.0.1:9 (1), denied.example:{port} (3)\n" in shown, shown
    world.shadow("run", "--net=allow:a.example", "--", "true", "a", "", "b")
    record = runs(world)[0]
    assert "denied" not in record and len(record["argv"]) == 4, record


def test_hostile_requests(world):
    """Whatever a run sends, the proxy answers with a refusal or closes, and goes on serving."""
    with web_server() as (port, seen):
        script = f"""
import os, socket
def ask(text):
    with socket.create_connection(("127.0.0.1", {PROXY_PORT})) as s:
        s.settimeout(10)
        answer = b""
        try:
            s.sendall(text)
            s.shutdown(socket.SHUT_WR)
            while piece := s.recv(65536):
                answer += piece
        except OSError:
            pass
        return answer
for text in (b"", b"\\r\\n\\r\\n", b"\\0" * 9000, os.urandom(20000), b"A" * 100000,
             b"GET / HTTP/1.1\\r\\n\\r\\n", b"CONNECT " + b"a." * 4000 + b":443 HTTP/1.1\\r\\n\\r\\n",
             b"CONNECT 127.0.0.1\\0.example.com:{port} HTTP/1.1\\r\\n\\r\\n",
             b"CONNECT 127.0.0.1:{port}@x:{port} HTTP/1.1\\r\\n\\r\\n",
             b"CONNECT 127.0.0.1:{port + 65536} HTTP/1.1\\r\\n\\r\\n",
             b"CONNECT 127.0.0.1:{port}\\nX HTTP/1.1\\r\\n\\r\\n",
             b"GET http://u:p@127.0.0.1:{port}/ HTTP/1.1\\r\\n\\r\\n",
             b"GET ftp://127.0.0.1:{port}/ HTTP/1.1\\r\\n\\r\\n",
             b"GET http://127.0.0.1:{port}/ HTTP/1.1\\r\\n folded: x\\r\\n\\r\\n",
             b"GET http://127.0.0.1:{port}/ HTTP/1.1\\nHost: x\\n\\n"):
    answer = ask(text)
    assert not answer or answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 403")), (text[:60], answer)
held = [socket.create_connection(("127.0.0.1", {PROXY_PORT})) for _ in range(60)]
answer = ask(b"GET http://127.0.0.1:{port}/last HTTP/1.1\\r\\nHost: lie\\r\\n\\r\\n")
assert answer.endswith(b"/last for 127.0.0.1:{port}\\n"), answer
print("done")
"""
        done = run(world, f"127.0.0.1:{port}", sys.executable, "-c", script)
        assert done.out == "done\n", done
        assert len(seen) == 1
    # A random request may hold a name by chance; none of these names a destination.
    assert "denied" not in runs(world)[0], runs(world)[0]


def test_much_data_arrives_whole(world):
    """Megabytes both ways arrive whole."""
    with web_server() as (port, _):
        script = f"""
import urllib.request
body = bytes(range(256)) * 32768
print(urllib.request.urlopen("http://127.0.0.1:{port}/", data=body).read().decode())
"""
        assert run(world, f"127.0.0.1:{port}", sys.executable, "-c",
                   script).out == f"{256 * 32768}\n"


def test_proxy_ends_with_the_run(world):
    """The proxy is gone with the command, however it ends, and with a killed shadow."""
    allowed = mark(world)
    run(world, allowed, "true")
    assert not proxies(world)
    run(world, allowed, "/no/such/command", check=False)
    assert not proxies(world)
    # Left behind in the background with an open connection: it ends with the run all the same.
    leave = f"python3 -c 'import socket, time; s = socket.create_connection((\"127.0.0.1\", " \
            f"{PROXY_PORT})); time.sleep(60)' & sleep 0.3"
    run(world, allowed, "sh", "-c", leave)
    assert not proxies(world)
    for ending in (signal.SIGTERM, signal.SIGKILL):
        process = world.start("run", f"--net=allow:{allowed}", "--", "sh", "-c",
                              "echo ready; sleep 60", stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n"
        assert len(proxies(world)) == 1
        process.send_signal(ending)
        process.wait(timeout=10)
        process.stdout.close()
        wait_until(lambda: not proxies(world), what=f"the proxy gone after {ending}")


def test_proxy_keeps_nothing_of_the_callers(world):
    """The proxy holds none of the caller's descriptors and variables, and cannot become more."""
    process = world.start("run", f"--net=allow:{mark(world)}", "--", "sh", "-c", "echo ready; cat",
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          env={"SOME_VALUE": "of the caller"})
    assert process.stdout.readline() == b"ready\n"
    [pid] = proxies(world)
    with open(f"/proc/{pid}/status", encoding="utf-8") as f:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
    assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", status
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == 0, status
    assert status["Uid"].split()[0] != "0", status
    if os.geteuid() == 0:
        with open(f"/proc/{pid}/environ", "rb") as f:
            assert b"SOME_VALUE" not in f.read()
        ours = {os.readlink(f"/proc/{process.pid}/fd/{fd}") for fd in (0, 1)}
        held = {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")}
        assert not ours & held, held
        assert all(name.startswith(("socket:", "/dev/null")) for name in held), held
    process.stdin.close()
    assert process.stdout.read() == b""  # no copy of the pipe is open anywhere
    assert process.wait(timeout=10) == 0
    process.stdout.close()


def test_live_runs_have_their_own_lists(world):
    """Runs that share a session's mount each have their own network and list."""
    with web_server() as (port, _):
        first = world.start("run", "--net=allow:a.example", "--", "sh", "-c", "echo ready; cat",
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert first.stdout.readline() == b"ready\n"
        url = f"http://127.0.0.1:{port}/"
        assert run(world, f"127.0.0.1:{port}", sys.executable, "-c", FETCH,
                   url).out.startswith("200 ")
        assert run(world, "a.example", sys.executable, "-c", FETCH, url).out.startswith("failed")
        first.stdin.close()
        assert first.wait(timeout=10) == 0
        first.stdout.close()


def test_list_in_configuration_and_policy(world):
    """The list can be configured, is printed as it was read, and a bad one is refused with a hint."""
    config(world, 'net = "allow:Example.ORG.:443,*.example.net,[::1]:80"\n')
    assert policy(world)["net"] == {"value": "allow:example.org:443,*.example.net,[::1]:80",
                                    "origin": "config"}
    assert policy(world, "--profile", "strict", "--net=none")["net"]["value"] == "none"
    for bad in ("", "*", "a:0", "a:65536", "a b", "127.1", "0x7f000001", "::1", "*.1.2.3.4", "a,,b",
                "http://a", "a\nb"):
        done = world.shadow("run", f"--net=allow:{bad}", "--", "true", check=False)
        assert done.returncode == 125, (bad, done)
        assert "shadow: cannot read --net " in done.err and "hint: " in done.err, (bad, done)


def test_variables_of_the_proxy(world):
    """The command finds the proxy in its environment; a variable named by the user stays his."""
    script = "import os; print({k: v for k, v in os.environ.items() if 'proxy' in k.lower()})"
    at = f"http://127.0.0.1:{PROXY_PORT}"
    done = world.shadow("run", "--net=allow:a.example", "--env", "NO_PROXY=x", "--clear-env", "--",
                        sys.executable, "-c", script, env={"HTTP_PROXY": "http://elsewhere:1"})
    wanted = {name: at for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy",
                                    "ALL_PROXY", "all_proxy")}
    wanted.update({"NO_PROXY": "x", "no_proxy": "localhost,127.0.0.1,::1",
                   "NODE_USE_ENV_PROXY": "1"})
    assert eval(done.out) == wanted, done.out  # pylint: disable=eval-used


if __name__ == "__main__":
    harness.main(sys.modules[__name__])
