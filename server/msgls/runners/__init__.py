"""Runners: programs that execute code, each run as a process of its own.

The server and the command line execute no code. They start a runner, which runs a Jupyter
kernel, and exchange lines of JSON with it. Its standard input takes requests:

- ``{"do": "start", "language", "kernel", "folder"}``, the first one: ``kernel`` is a name, or null
  to choose one by language; the kernel runs in ``folder``;
- ``{"do": "run", "code", "stem", "timeout"}``: ``stem`` is the start of the names of output files,
  for output that is too large for a cell, and ``timeout`` a number of seconds or null;
- ``{"do": "input", "text"}``: input for the code; null is the end of the input;
- ``{"do": "interrupt"}`` and ``{"do": "restart"}``.

Standard output has events, named by ``event``:

- ``kernel``: the kernel is ready (``name``, ``title``); also after a restart;
- ``failed``: there is no kernel (``why``: ``extra``, ``kernel`` or ``start``; ``said``;
  ``kernels``);
- ``started``: the code is being executed (``count``);
- ``text``: complete ``lines`` of a ``stream``, and the ``rest``, an incomplete line;
- ``data``: an output of a ``kind`` (``result``, ``display``, ``update``) in one or more
  representations: ``data`` is a list of ``[MIME type, content, file, about]``, where either
  content or file is null, and ``about`` is metadata of the content; ``id`` is that of a display;
- ``error``: the ``lines`` of a traceback; if they are only its end, all of it is in ``file``;
- ``file``: further text is in a file (``name``; null if it cannot be written);
- ``clear``: the output so far must be removed;
- ``input``: the code waits for input (``prompt``, ``password``);
- ``done``: the code has ended (``status``: ``ok``, ``error``, ``died``, ``timeout``, ``restarted``;
  ``seconds``; ``dropped``, the number of characters that were not kept; ``left_out``, the number
  of outputs beyond the limit; ``lost``, whether the kernel's message that it is idle was lost;
  ``code``, the exit code of a kernel that died).

The runner ends at the end of its input, and the kernel with it.
"""
