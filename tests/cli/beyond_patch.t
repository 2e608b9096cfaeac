## What an apply writes and no patch can show is said beside it.
$ mkdir -p old/empty && mkfifo gone
$ shadow run -- sh -c 'mkdir -p out/empty src/kept; : >src/kept/f; mkfifo queue; rm gone; rmdir old/empty; chmod 600 list.txt'
$ shadow diff
diff --git a/src/kept/f b/src/kept/f
new file mode 100644
index 0000000..e69de29
shadow: not in the patch: gone (fifo deleted), list.txt (mode 644 became 600), old/empty/ (directory deleted), out/empty/ (directory added), queue (fifo added)
$ shadow diff --name-only
src/kept/f
shadow: not listed: gone (fifo deleted), old/empty/ (directory deleted), out/empty/ (directory added), queue (fifo added)
$ shadow diff --stat out
shadow: not listed: out/empty/ (directory added)
$ shadow apply -n --diff
diff --git a/src/kept/f b/src/kept/f
new file mode 100644
index 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
shadow: not in the patch: gone (fifo deleted), list.txt (mode 644 became 600), old/empty/ (directory deleted), out/empty/ (directory added), queue (fifo added)
$ shadow diff --exit-code queue
shadow: not in the patch: queue (fifo added)
[1]
