# SPDX-License-Identifier: MIT
# The project of README.md's tour and of tools/demo.
git init -q -b main
printf 'import sys\n\n\ndef greet(name):\n    return "Hello, " + name\n\n\nprint(greet(sys.argv[1] if len(sys.argv) > 1 else "world"))\n' >hello.py
printf '# Notes\n\nSays hello.\n' >NOTES.md
printf '*.log\n.env\n' >.gitignore
git add .
git commit -q -m 'Say hello'
echo 'API=http://localhost:8080' >.env
