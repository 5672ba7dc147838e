"""The kinds of stories, one file each."""

from cruxbench_inspect.demo.stories.bill import BILL
from cruxbench_inspect.demo.stories.candidacy import CANDIDACY
from cruxbench_inspect.demo.stories.crossing import CROSSING
from cruxbench_inspect.demo.stories.jobless import JOBLESS
from cruxbench_inspect.demo.stories.licence import LICENCE
from cruxbench_inspect.demo.stories.merger import MERGER
from cruxbench_inspect.demo.stories.rate import RATE
from cruxbench_inspect.demo.stories.recovery import RECOVERY
from cruxbench_inspect.demo.stories.strike import STRIKE

STORIES = (MERGER, RATE, JOBLESS, BILL, STRIKE, CROSSING, LICENCE, CANDIDACY, RECOVERY)
"""Every kind, in the order in which they take turns over the year."""
