"""Runs a program under a seccomp profile, as a container runtime does. Arguments: the profile, the program, its arguments.
Names of system calls that this processor does not have are skipped, as runtimes do."""
import json
import os
import sys

import seccomp

with open(sys.argv[1]) as file:
    profile = json.load(file)
assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
calls = seccomp.SyscallFilter(defaction=seccomp.ERRNO(profile["defaultErrnoRet"]))
calls.set_attr(seccomp.Attr.CTL_NNP, True)
for rule in profile["syscalls"]:
    assert rule["action"] == "SCMP_ACT_ALLOW"
    matches = rule.get("args", [])
    assert all(match["op"] == "SCMP_CMP_EQ" for match in matches)
    for name in rule["names"]:
        try:
            seccomp.resolve_syscall(seccomp.Arch(), name)
        except ValueError:
            continue
        calls.add_rule(seccomp.ALLOW, name, *[seccomp.Arg(m["index"], seccomp.EQ, m["value"]) for m in matches])
calls.load()
os.execvp(sys.argv[2], sys.argv[2:])
