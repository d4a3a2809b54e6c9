"""What a program does with its time: computing, waiting for a processor, neither.

The programs are real and share one processor with a rival, so that each of them waits.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import trio
from child_processes import ending, on_one_processor

from acquire.admin.launching.processes import children
from acquire.admin.launching.program_work import ProgramWork

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows who waits")
BUSY = "while True: pass"
PROGRAMS = {
    "computes": BUSY,
    "sleeps": "import time\nwhile True: time.sleep(1)",
    "has the lowest priority": f"import os\nos.nice(19)\n{BUSY}",
    "has a session of the lowest priority": """
import os, time
os.setsid()
end = time.monotonic() + 10
with open("/proc/self/autogroup", "w") as file: file.write("19")
while time.monotonic() < end: pass
""",
    "has a stopped process": f"import os\nif not os.fork(): os.kill(os.getpid(), 19)\n{BUSY}",
    "has another policy": f"import os\nos.sched_setscheduler(0, 3, os.sched_param(0))\n{BUSY}",
    "gives its processor away": "import os\nwhile True: os.sched_yield()",
    "has threads in crowds": f"""
import threading
for _ in range(200): threading.Thread(target=threading.Event().wait, daemon=True).start()
{BUSY}""",
    "starts processes": """
import os, time
while True:
    if not os.fork():
        end = time.monotonic() + 0.05
        while time.monotonic() < end: pass
        os._exit(0)
    os.wait()
""",
}
SUPERVISOR = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', sys.argv[1]])"
SECONDS = 0.6


@contextmanager
def running(*command: str) -> Iterator[int]:
    """Run a command in a process group; yield the process."""
    words = [sys.executable, "-c", *command]
    with ending(subprocess.Popen(words, start_new_session=True)) as process:
        try:
            yield process.pid
        finally:
            os.killpg(process.pid, 9)


async def work_of(program: str) -> tuple[float, float, float, float]:
    """Return the seconds watched, of CPU time, of waiting, and the brief part of that.

    Everything shares one processor with a busy rival.
    """
    with on_one_processor(), running(BUSY), running(SUPERVISOR, PROGRAMS[program]) as supervisor:
        work = ProgramWork(supervisor)
        await trio.sleep(3 * SECONDS)  # they have to start
        began = trio.current_time()
        for _ in range(4):
            work.look()
            await trio.sleep(SECONDS / 4)
        return trio.current_time() - began, *work.since(began)


@pytest.mark.soak
@pytest.mark.parametrize("program", PROGRAMS)
async def test_waiting_counts_where_others_have_the_processor(program: str) -> None:
    elapsed, used, waited, brief = await work_of(program)
    assert used + waited <= 1.3 * elapsed
    if program == "computes":
        assert waited >= elapsed / 5 and used + waited >= elapsed / 2
        assert brief <= waited / 2
    elif program == "gives its processor away":  # some kernels give it back at once
        assert used >= elapsed / 8 or brief >= waited / 2
    else:
        assert waited <= elapsed / 20, "there is no excuse"
    if program == "starts processes":
        assert used >= elapsed / 20, "the CPU time of processes that have ended counts"


async def cost_of_looks(threads: int) -> float:
    """Return the CPU seconds of some looks at a program with sleeping threads."""
    program = "import threading, time\nthreading.stack_size(2**16)\n" + (
        f"for _ in range({threads}): threading.Thread(target=time.sleep, args=(99,)).start()"
    )
    with running(SUPERVISOR, program) as supervisor:
        while not (found := children(supervisor)) or len(threads_of(found[0])) <= threads:
            await trio.sleep(0.01)
        began = time.process_time()
        for _ in range(20):
            ProgramWork(supervisor)
        return time.process_time() - began


def threads_of(process: int) -> list[str]:
    return os.listdir(f"/proc/{process}/task")


async def test_program_with_a_thousand_threads_costs_the_referee_no_time() -> None:
    assert await cost_of_looks(900) <= 2 * await cost_of_looks(90)
