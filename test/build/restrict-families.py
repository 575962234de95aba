"""restrict-families.py NAMES -- COMMAND: runs a command that may make sockets of these families alone (x86-64), as
systemd's RestrictAddressFamilies does it, by a filter of system calls."""
import ctypes
import os
import socket
import struct
import sys

end = sys.argv.index("--")
families = [int(getattr(socket, name)) for name in sys.argv[1:end]]
SOCKET, REFUSED, ALLOWED = 41, 0x00050000 | 97, 0x7FFF0000
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06


def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


count = len(families)
steps = [step(LOAD, 0), step(EQUAL, SOCKET, 0, count + 2), step(LOAD, 16)]
steps += [step(EQUAL, family, count - at, 0) for at, family in enumerate(families)]
steps += [step(RETURN, REFUSED), step(RETURN, ALLOWED)]


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


text = ctypes.create_string_buffer(b"".join(steps))
filter_ = Filter(len(steps), ctypes.cast(text, ctypes.c_void_p))
libc = ctypes.CDLL(None, use_errno=True)
# PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP by SECCOMP_MODE_FILTER.
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(filter_), 0, 0):
    raise OSError(ctypes.get_errno(), "no filter")
os.execvp(sys.argv[end + 1], sys.argv[end + 1 :])
