## The forms of status.
$ shadow status
shadow: cannot find a session in '$TMP/project': the project has none
hint: 'shadow list' shows all sessions
[2]
$ shadow run -- sh -c 'echo x >list.txt; rm src/main.c; mkdir new_dir; echo x >build/x; chmod +x .gitignore'
$ shadow status
session 'default' of '$TMP/project': 4 changes

  M  .gitignore  (mode 644 became 755; says what git does not show)
  M  list.txt
  A  new_dir/
  D  src/main.c

Ignored, and applied with --ignored only:
  build/  (1 file, 2 B)
$ shadow status src
session 'default' of '$TMP/project': 1 change

  D  src/main.c
$ shadow status --porcelain
M.. .gitignore
M.. list.txt
A.. new_dir
D.. src/main.c
I.. build/
$ shadow status -z | tr '\0' '!'
M.. .gitignore!M.. list.txt!A.. new_dir!D.. src/main.c!I.. build/!
[no newline at the end]
$ shadow status --json | python3 -m json.tool
{
    "session": {
        "id": "$ID",
        "project": "$TMP/project",
        "agent": "default"
    },
    "changes": [
        {
            "path": ".gitignore",
            "change": "modified",
            "type": "file",
            "old_mode": "0644",
            "new_mode": "0755",
            "size": 12,
            "content_changed": false,
            "mode_changed": true,
            "xattrs_changed": false,
            "acl_changed": false,
            "standing": "normal",
            "drift": "none",
            "remark": "says what git does not show"
        },
        {
            "path": "list.txt",
            "change": "modified",
            "type": "file",
            "old_mode": "0644",
            "new_mode": "0644",
            "size": 2,
            "content_changed": true,
            "mode_changed": false,
            "xattrs_changed": false,
            "acl_changed": false,
            "standing": "normal",
            "drift": "none"
        },
        {
            "path": "new_dir",
            "change": "added",
            "type": "directory",
            "new_mode": "0755",
            "size": 4096,
            "standing": "normal",
            "drift": "none"
        },
        {
            "path": "src/main.c",
            "change": "deleted",
            "type": "file",
            "old_mode": "0644",
            "standing": "normal",
            "drift": "none"
        }
    ],
    "behind": 0,
    "ignored": [
        {
            "path": "build",
            "directory": true,
            "files": 1,
            "deleted": 0,
            "bytes": 2,
            "both_changed": 0
        }
    ],
    "branches": [],
    "not_shown": [],
    "git_dir_changed": false,
    "git_dir_new": false,
    "nested_git_dirs": [],
    "new_repositories": [],
    "too_deep": {
        "names": 0
    },
    "live": [],
    "follows_by_time": false,
    "shared_storage": false,
    "outside_review": [],
    "home_bytes": 0,
    "base_left_out": 0
}
