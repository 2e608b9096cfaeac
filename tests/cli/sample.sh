# SPDX-License-Identifier: MIT
# The project that every transcript starts from: committed, ignored and uncommitted files.
git init -q -b main
mkdir src build
printf 'one\ntwo\nthree\nfour\nfive\n' >list.txt
printf 'int main(void) { return 0; }\n' >src/main.c
printf 'build/\n.env\n' >.gitignore
git add .
git commit -q -m 'Begin'
echo 'KEY=1' >.env
echo 'object' >build/main.o
echo 'not yet committed' >notes.txt
