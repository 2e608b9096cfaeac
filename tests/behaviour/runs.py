# SPDX-License-Identifier: MIT
"""Programs and settings that several suites run with."""

import contextlib
import json
import os

MAKE_MANY = """
import os, sys
count = int(sys.argv[1])
for folder in range(count // 1000):
    path = f"d{folder // 100}/e{folder}"
    os.makedirs(path)
    for name in range(1000):
        os.close(os.open(f"{path}/f{name}", os.O_CREAT | os.O_WRONLY))
"""
MEGABYTE = 1 << 20
HOG = f"""
import sys
held = []
try:
    for _ in range(400):
        block = bytearray({MEGABYTE})
        block[::4096] = b"x" * len(block[::4096])
        held.append(block)
        print(len(held), flush=True)
except MemoryError:
    print("no more", flush=True)
"""
# Children that stay, each of which tries to have one more.
BOMB = """
import os, time
made = 0
end = time.time() + 1
while time.time() < end:
    try:
        pid = os.fork()
    except OSError:
        time.sleep(0.01)
        continue
    if pid == 0:
        continue
    made += 1
time.sleep(max(0, end - time.time()))
if os.getppid() == 1:
    processes = sum(name.isdigit() for name in os.listdir("/proc"))
    print("processes", processes, flush=True)
"""
CONNECT = """
import socket, sys
family, kind, address = eval(sys.argv[1])
s = socket.socket(family, kind)
s.settimeout(5)
try:
    s.connect(address)
    s.send(b"x")
    s.send(b"x")
    print("reached")
except OSError as error:
    print("refused", error.errno)
"""


def limited(world, *words, **options):
    """A run with a limit; None where this host cannot enforce it and says so, with the mend."""
    done = world.shadow("run", *words, check=False, **options)
    if done.returncode == 125 and "cannot limit" in done.err:
        assert done.out == "" and "hint:" in done.err, done
        assert "cgroup" in done.err or "systemd-run" in done.err, done.err
        return None
    return done


@contextlib.contextmanager
def live(w, script, settled=True):
    """A run that goes on behind the script until the block ends; the session is there before."""
    if settled:
        w.run("true")
        w.wait_settled()
    process = w.start("run", "--", "sh", "-c", f"{script}; echo done; read line", stdin=-1, stdout=-1)
    try:
        assert process.stdout.readline() == b"done\n"
        yield process
    finally:
        process.communicate(b"go\n", timeout=30)


def config(world, text):
    folder = os.path.join(world.home, ".config/shadow")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as f:
        f.write(text)


def policy(world, *words, **options):
    return json.loads(world.shadow("--json", "run", "--print-policy", *words, **options).out)
