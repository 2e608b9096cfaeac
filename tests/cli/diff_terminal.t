## No text of an agent's making steers the terminal; scripts get the bytes.
$ shadow run -- sh -c 'printf "a\033[31mb\n" >list.txt; : >"$(printf "x\033]0;t\007")"'
$ shadow --color=always diff list.txt | cat -v
^[[1mdiff --git a/list.txt b/list.txt^[[m
^[[1mindex b2f931a..2263419 100644^[[m
^[[1m--- a/list.txt^[[m
^[[1m+++ b/list.txt^[[m
^[[36m@@ -1,5 +1 @@^[[m
^[[31m-one^[[m
^[[31m-two^[[m
^[[31m-three^[[m
^[[31m-four^[[m
^[[31m-five^[[m
^[[32m+a\x1b[31mb^[[m
$ shadow diff list.txt | cat -v
diff --git a/list.txt b/list.txt
index b2f931a..2263419 100644
--- a/list.txt
+++ b/list.txt
@@ -1,5 +1 @@
-one
-two
-three
-four
-five
+a^[[31mb
$ shadow status | cat -v
session 'default' of '$TMP/project': 2 changes

  M  list.txt
  A  x\x1b]0;t\x07
$ shadow diff --name-only -z | tr '\0' '\n' | cat -v
list.txt
x^[]0;t^G
$ NO_COLOR=1 shadow diff --stat | cat -v
 list.txt      |   6 +-----
 "x\033]0;t\a" |   0
 2 files changed, 1 insertion(+), 5 deletions(-)
## A narrow terminal gets lines as short as can be, a wide one longer names and bars.
$ shadow run -- sh -c 'seq 200 >long-name-of-a-file.txt'
$ COLUMNS=20 shadow diff --stat long-name-of-a-file.txt; COLUMNS=60 shadow diff --stat long-name-of-a-file.txt
 long-name-of-a-file.txt | 200 +++++++++
 1 file changed, 200 insertions(+)
 long-name-of-a-file.txt | 200 +++++++++++++++++++++++++++++
 1 file changed, 200 insertions(+)
