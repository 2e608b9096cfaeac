// SPDX-License-Identifier: MIT
// The floor of what a run can cost: the namespaces and mounts of `shadow run`, its confinement, the
// command, and nothing else. No options, no policy, no record, no check, no message.
//   floor cold PROJECT LAYERS COMMAND...  new mounts; LAYERS has {project,home}/{upper,work}, tmp/{a,b}
//   floor hold PROJECT LAYERS             makes them, prints the pid that holds them, and waits
//   floor join PROJECT PID COMMAND...     enters those of PID, and refreshes the view
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(call) ({ long got = (long)(call); if (got < 0) perror(#call), exit(125); got; })
static const char *nodes[] = {"null", "zero", "full", "random", "urandom", "tty"};

static void put(const char *path, const char *format, unsigned id) {
  char text[64];
  int length = snprintf(text, sizeof text, format, id, id), fd = open(path, O_WRONLY | O_CLOEXEC);
  MUST(write(fd, text, (size_t)length)), close(fd);
}

static unsigned uid, gid;  // the caller's: in a new user namespace they are not known until mapped

static void write_maps(void) {
  put("/proc/self/setgroups", "deny", 0), put("/proc/self/uid_map", "%u %u 1", uid);
  put("/proc/self/gid_map", "%u %u 1", gid);
}

static int attributes(int fd, const char *path, unsigned flags, unsigned set, unsigned clear) {
  return mount_setattr(fd, path, flags, &(struct mount_attr){set, clear, 0, 0}, sizeof(struct mount_attr));
}

static int bind_of(const char *path) {
  return (int)MUST(open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
}

static int fresh(const char *type, const char *const (*options)[2], unsigned attrs) {
  int fs = (int)MUST(fsopen(type, FSOPEN_CLOEXEC));
  for (; options && (*options)[0]; ++options)
    MUST(fsconfig(fs, (*options)[1] ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG, (*options)[0], (*options)[1], 0));
  MUST(fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0));
  int mount = (int)MUST(fsmount(fs, FSMOUNT_CLOEXEC, attrs));
  return close(fs), mount;
}

static void attach(int mount, const char *path) { MUST(move_mount(mount, "", AT_FDCWD, path, 4)); }

static int overlay(const char *lower, const char *layers, const char *name) {
  char upper[4096], work[4096], path[4200];
  snprintf(upper, sizeof upper, "%s/%s/upper", layers, name);
  snprintf(work, sizeof work, "%s/%s/work", layers, name);
  const char *options[][2] = {{"lowerdir", lower}, {"upperdir", upper}, {"workdir", work},
                              {"userxattr", NULL}, {"volatile", NULL}, {NULL, NULL}};
  static const char *const left[] = {"volatile/dirty", "volatile", ""};  // by the last volatile mount
  for (int i = 0; i < 3; ++i)
    snprintf(path, sizeof path, "%s/work/incompat/%s", work, left[i]), remove(path);
  return fresh("overlay", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

static void build(const char *project, const char *layers) {
  const char *small[][2] = {{"size", "64K"}, {"mode", "755"}, {NULL, NULL}};
  const char *shared[][2] = {{"size", "50%"}, {"mode", "1777"}, {NULL, NULL}};
  const char *pts[][2] = {{"ptmxmode", "0666"}, {"mode", "0620"}, {NULL, NULL}};
  char tmp[4096], var[4096], path[64];
  int device[6];
  MUST(unshare(CLONE_NEWUSER | CLONE_NEWNS));
  write_maps(), MUST(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
  int view = overlay(project, layers, "project"), home = overlay(getenv("HOME"), layers, "home");
  for (int i = 0; i < 6; ++i)
    snprintf(path, sizeof path, "/dev/%s", nodes[i]), device[i] = bind_of(path);
  snprintf(tmp, sizeof tmp, "%s/tmp/a", layers), snprintf(var, sizeof var, "%s/tmp/b", layers);
  int tmp_dir = bind_of(tmp), var_dir = bind_of(var);
  MUST(attributes(AT_FDCWD, "/", AT_RECURSIVE, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0));
  MUST(attributes(AT_FDCWD, "/proc", 0, 0, MOUNT_ATTR_RDONLY));
  attach(fresh("tmpfs", small, MOUNT_ATTR_NOSUID), "/dev");
  for (int i = 0; i < 6; ++i) {
    snprintf(path, sizeof path, "/dev/%s", nodes[i]);
    close((int)MUST(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0400))), attach(device[i], path);
  }
  MUST(mkdir("/dev/pts", 0755)), MUST(mkdir("/dev/shm", 0755));
  MUST(attributes(AT_FDCWD, "/dev", AT_RECURSIVE, MOUNT_ATTR_RDONLY, 0));
  attach(fresh("devpts", pts, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC), "/dev/pts");
  attach(fresh("tmpfs", shared, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV), "/dev/shm");
  attach(fresh("tmpfs", small, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV), "/run");
  MUST(attributes(tmp_dir, "", AT_EMPTY_PATH, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0));
  MUST(attributes(var_dir, "", AT_EMPTY_PATH, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0));
  attach(tmp_dir, "/tmp"), attach(var_dir, "/var/tmp");
  attach(home, getenv("HOME")), attach(view, project);
}

static void confine(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {6, filter};
  const unsigned long scopes[3] = {0, 0, 3};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), syscall(SYS_keyctl, 1, NULL);
  for (unsigned long capability = 0; capability <= 40; ++capability) prctl(PR_CAPBSET_DROP, capability);
  long rules = syscall(444, scopes, sizeof scopes, 0);
  if (rules >= 0) syscall(446, rules, 0);
  MUST(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
  MUST(prctl(PR_SET_PDEATHSIG, SIGKILL));
}

static void start(const char *project, char **command) {
  struct clone_args args = {.flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC |
                                     CLONE_NEWUTS | CLONE_PARENT};
  if (MUST(syscall(SYS_clone3, &args, sizeof args)) > 0) exit(0);
  write_maps();
  attach(fresh("proc", NULL, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC), "/proc");
  MUST(chdir(project)), confine();
  pid_t child = fork();
  if (child == 0) close_range(3, ~0U, CLOSE_RANGE_CLOEXEC), execvp(command[0], command), _exit(127);
  int status = 0;
  waitpid(child, &status, 0);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  uid = geteuid(), gid = getegid();
  int status = 0, joining = strcmp(argv[1], "join") == 0;
  if (strcmp(argv[1], "hold") == 0)
    return build(argv[2], argv[3]), printf("%d\n", (int)getpid()), fflush(stdout), pause();
  if (fork() == 0) {
    if (joining) {
      MUST(setns((int)syscall(SYS_pidfd_open, atoi(argv[3]), 0), CLONE_NEWUSER | CLONE_NEWNS));
      MUST(mount("none", argv[2], NULL, MS_REMOUNT, NULL));
    } else
      build(argv[2], argv[3]);
    start(argv[2], argv + 4);
  }
  while (wait(&status) > 0 || errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
