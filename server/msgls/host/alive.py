"""Whether another process is running, on every platform."""

import os
import sys
from pathlib import Path


def is_alive(process_id: int) -> bool:
    """Whether a process with that id is running."""
    if sys.platform == "win32":
        return _is_alive_on_windows(process_id)
    if process_id <= 0:
        return False
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return not _is_defunct(process_id)


def _is_defunct(process_id: int) -> bool:
    """Whether it is a zombie: it has ended, and its parent has not waited for it."""
    try:
        status = Path(f"/proc/{process_id}/stat").read_bytes()
    except OSError:
        return False
    # "PID (NAME) STATE ...": the name may contain parentheses.
    return status.rpartition(b")")[2].split()[:1] == [b"Z"]


def _is_alive_on_windows(process_id: int) -> bool:
    import ctypes

    query_limited_information, still_active, no_such_process = 0x1000, 259, 87
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]
    handle = kernel.OpenProcess(query_limited_information, False, process_id)
    if not handle:
        # Any other error, such as missing permission, means that the process exists.
        return bool(ctypes.get_last_error() != no_such_process)  # type: ignore[attr-defined]
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == still_active
