"""One report in a process of its own, which ends by printing its CPU seconds and its peak memory in GiB."""

import resource
import sys

from cruxbench_inspect.cli import main

if __name__ == "__main__":
    logs, target, figures = sys.argv[1:]
    more = [] if figures == "1" else ["--no-figures"]
    main(["report", logs, "-o", target, "--rank-all", *more], standalone_mode=False)
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(sum(one.ru_utime + one.ru_stime for one in used), used[0].ru_maxrss / 2**20)
