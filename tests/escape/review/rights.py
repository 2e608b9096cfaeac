# SPDX-License-Identifier: MIT
"""What others may do to a file after an apply, or an undo of it: modes, ACLs, set-id bits, attributes."""

import os

from review.attempt import WIDER, Attempt

# The agent makes something new: what it has beyond 0644 or 0755 must have been shown.
NEW = {
    "a file for its group to write": "echo x >f; chmod 664 f",
    "an executable for its group to write": "echo x >f; chmod 775 f",
    "a file of no right but a stranger's": "echo x >f; chmod 602 f",
    "a directory for its group to write": "mkdir f; echo x >f/x; chmod 775 f",
    "an empty directory for its group to write": "mkdir f; chmod 770 f; mv f g; mv g f",
    "a FIFO for everybody": "mkfifo f; chmod 666 f",
    "a file in place of a directory": "mkdir d; mv d f; rmdir f; echo x >f; chmod 664 f",
    "a file of a directory that is renamed": "mkdir d; echo x >d/x; chmod 664 d/x; mv d e; mv e/x f",
    "a copy with its mode": "echo x >t; chmod 666 t; cp -p t f; rm t",
    "a setuid file": "cp /bin/true f; chmod 4755 f",
    "a setgid file": "cp /bin/true f; chmod 2755 f",
    "a setuid and setgid script": "echo '#!/bin/sh' >f; chmod 6777 f",
    "a setuid copy": "cp /bin/true t; chmod 4711 t; cp -a t f",
    "a setuid hard link": "cp /bin/true t; chmod 4755 t; ln t f",
    "a setuid file, renamed": "cp /bin/true t; chmod 4755 t; mv t f",
    "a setgid directory": "mkdir f; touch f/x; chmod 2755 f",
    "capabilities of a file": "cp /bin/true f; setcap cap_setuid+ep f; setfattr -n security.capability -v "
                              "0x0100000280000000000000000000000000000000 f",
    "an attribute of the overlay": "touch f; setfattr -n user.overlay.opaque -v y f; setfattr -n user.overlay.metacopy f",
    "an attribute of a trusted kind": "touch f; setfattr -n trusted.x -v y f",
    "an ACL of a setuid file": "cp /bin/true f; setfacl -m u:$(id -u):rwx f; chmod u+s f",
}
# The user has it with narrow rights; nobody else gets more by what the agent does to its content.
KEPT = {
    "written over": "echo x >>f",
    "replaced": "rm f; echo x >f",
    "replaced by a rename": "echo x >t; chmod 666 t; mv t f",
    "edited by sed": "sed -i s/mine/theirs/ f",
    "swapped with its directory": "cd ..; cp -r @place@ t@id@; echo x >>t@id@/f; chmod 644 t@id@/f",
}
NARROW = {
    "of mode 600": "echo mine >f; chmod 600 f",
    "of mode 640": "echo mine >f; chmod 640 f",
    "with an ACL of mask rw": "echo mine >f; chmod 640 f; setfacl -m u:daemon:rw f",
    "with an ACL of a group": "echo mine >f; chmod 600 f; setfacl -m g:daemon:r f",
}
# The agent widens what the user has: by a word in the diff or not at all.
WIDENED = {
    "a file, chmod 666": ("echo mine >f; chmod 600 f", "chmod 666 f"),
    "a file, chmod 4755": ("cp /bin/true f; chmod 755 f", "chmod 4755 f"),
    "a file, chmod and back its time": ("echo mine >f; chmod 600 f", "touch -r f t; chmod 604 f; touch -r t f; rm t"),
    "a directory, chmod 777": ("mkdir f; echo x >f/x; chmod 700 f", "chmod 777 f"),
    "a directory, made anew": ("mkdir f; echo x >f/x; chmod 700 f", "mv f t; mkdir f; mv t/x f/x; chmod 755 f; rmdir t"),
    "a directory, a file of it edited": ("mkdir f; echo x >f/x; chmod 700 f", "echo y >>f/x"),
    "a directory, its setgid bit": ("mkdir f; echo x >f/x; chmod 755 f", "chmod 2775 f"),
    "the project's top": ("", "chmod 777 @top@"),
    "a file's ACL": ("echo mine >f; chmod 600 f", "setfacl -m u:$(id -u):rwx,m::rwx f; setfacl -m o::rw f"),
    "a directory's default ACL": ("mkdir f; echo x >f/x; chmod 750 f", "setfacl -d -m o::rwx f; touch f/new"),
}


ROOTS_ALONE = "only root has this attribute to give"


# What a new file or directory may have by the user's own umask.
NEW_RIGHTS = {"g+r", "g+x", "o+r", "o+x"}


def rights(path):
    """Who may do what there, as a set of words."""
    try:
        st = os.lstat(path)
    except OSError:
        return set()
    if os.path.islink(path):
        return set()
    found = {name for bit, name in ((0o4000, "setuid"), (0o2000, "setgid"), (0o020, "g+w"), (0o010, "g+x"), (0o040, "g+r"),
                                    (0o002, "o+w"), (0o001, "o+x"), (0o004, "o+r")) if st.st_mode & bit}
    try:
        found |= {f"{name}={os.getxattr(path, name).hex()}" for name in os.listxattr(path)
                  if name.startswith(("security.cap", "trusted.", "user.overlay", "system."))}
    except OSError:
        pass
    return found


def attempts():
    found = [Attempt("a right of something new", how, WIDER, (script,), at="f", harmless=harmless(how))
             for how, script in NEW.items()]
    for kind, first in NARROW.items():
        found += [Attempt(f"the rights of a file {kind}", how, WIDER, (script,), first=first, at="f",
                          harmless="" if "replaced" in how else "its rights stay also where nothing guards")
                  for how, script in KEPT.items() if "swapped" not in how]
    found += [Attempt("wider rights of what the user has", how, WIDER, (script,), first=first,
                      at="/" if "top" in how else "f", harmless="" if "edited" not in how else "nobody's rights change")
              for how, (first, script) in WIDENED.items()]
    return found


def harmless(how):
    of_root = "trusted" in how or "capabilities" in how
    return ROOTS_ALONE if of_root and os.geteuid() != 0 else ""
