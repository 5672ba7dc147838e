"""The command as a user runs it: whole reports, comparisons in words, and clear messages."""

import csv
import math
import re
import shutil
from collections.abc import Iterator, Mapping
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.scorer import match
from inspect_ai.solver import generate
from scipy.stats import ttest_1samp, ttest_rel

from cruxbench_inspect import clock
from cruxbench_inspect.cli import main
from cruxbench_inspect.markets.release.importing import import_release
from cruxbench_inspect.report.gathering.facts import read_facts
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.utc import parse_utc
from tests.evaluating import evaluate, own_caches, samples_of
from tests.mini_release import FORECASTERS, GENERATORS, MiniRelease
from tests.scripted_model import crux_json, generator, scripted, silent
from tests.small_set import write_set
from tests.synthetic_study import Subject, SyntheticStudy

NOW = parse_utc("2026-11-05T06:07:08Z")
COUNT = 25
ALPHA, BETA, GAMMA = (f"lab/{name}" for name in ("alpha", "beta", "gamma"))

TABLES = {
    "by_lead_time",
    "by_precision",
    "by_rule",
    "by_tag",
    "comparisons",
    "contamination",
    "direction_and_timing",
    "estimators",
    "failure_modes",
    "informativeness",
    "intervals",
    "likeness",
    "martingale",
    "matched_nulls",
    "measures",
    "robustness",
    "value_of_information",
}
"""The tables of every report on several models whose prices are known, besides those of single questions."""

FIGURES = {
    "estimator_variance",
    "funnel",
    "gain_by_lead_time",
    "gain_by_precision",
    "gain_by_rule",
    "gain_by_tag",
    "kl_by_lead_time",
    "martingale",
    "means_by_width",
    "paired_differences",
    "ranking_by_width",
    "ranks_by_width",
    "similarity_disagreement",
    "similarity_heat_map",
    "similarity_threshold",
    "timing_percentiles",
    "voi_by_model",
}
"""The same of figures."""

PUBLISHED = {
    "comparisons",
    "contamination",
    "intervals",
    "matched_nulls",
    "measures",
    "robustness",
    "value_of_information",
}
"""Those of a leaderboard."""


class Logs:
    """Logs of three models on a set of 25 questions, by model."""

    def __init__(self, folder: Path) -> None:
        made = SyntheticStudy(folder, COUNT)
        subjects = [Subject(ALPHA, skill=0.9), Subject(BETA), Subject(GAMMA, unscored=0.3)]
        self.folder = folder / "logs"
        self.set = made.set
        self.by_model = {one.name: path for one, path in zip(subjects, made.write(subjects), strict=True)}

    def voi(self, model: str, key: str = "voi_kl") -> dict[str, float]:
        """The VOI of a model's scored samples, or another value, by question."""
        found = {}
        for sample in samples_of(read_eval_log(str(self.by_model[model]))):
            assert sample.scores is not None
            value = sample.scores["voi"].value
            assert isinstance(value, dict)
            if value["coverage"]:
                found[str(sample.id)] = float(str(value[key]))
        return found


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    return Logs(tmp_path_factory.mktemp("synthetic"))


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a miniature release: three generators and two forecasters."""
    folder = tmp_path_factory.mktemp("release")
    MiniRelease(folder / "release")
    import_release(folder / "release", folder / "set", folder / "logs", now=parse_utc("2026-10-01T00:00:00Z"))
    return folder / "logs"


@pytest.fixture(scope="module")
def whole(logs: Logs, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """A report of all logs without figures, one question of which is shown."""
    folder = tmp_path_factory.mktemp("whole") / "report"
    with clock.at(NOW):
        result = run(logs.folder, "-o", folder, "--no-figures", "--cases", 1)
    return result, folder


@pytest.fixture(autouse=True)
def at_the_folder_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cruxbench_inspect.working_directory.USER_DIRECTORY", tmp_path)
    yield


def run(*arguments: object) -> Result:
    """Run the command, which ends in its own way: never with a traceback."""
    result = CliRunner().invoke(main, ["report", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert "Traceback" not in result.output
    return result


def failed(*arguments: object, code: int = 1) -> str:
    """The message of a command that does not work."""
    result = run(*arguments)
    assert result.exit_code == code and result.stdout == ""
    return result.stderr.strip()


def made(folder: Path) -> dict[str, set[str]]:
    """Names of the files of a report, by folder and ending."""
    found: dict[str, set[str]] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            place = path.relative_to(folder).parent.as_posix()
            found.setdefault(f"{place}/*{path.suffix}", set()).add(path.stem)
    return found


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def page(folder: Path) -> str:
    """The text of a page, without its markup."""
    body = (folder / "index.html").read_text(encoding="utf-8").split("<body", 1)[1]
    text = re.sub(r"<script.*?</script>", " ", body, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", text).split()))


def question_tables(folder: Path) -> set[str]:
    return {name for name in made(folder)["tables/*.csv"] if name.startswith("question_")}


def test_a_whole_report(logs: Logs, whole: tuple[Result, Path]) -> None:
    result, folder = whole
    assert result.exit_code == 0 and result.stderr == ""
    files = made(folder)
    shown = question_tables(folder)
    assert len(shown) == 1
    wanted = TABLES | {f"funnel_{logs.set.digest[:6]}"} | shown
    assert files["tables/*.csv"] == files["tables/*.md"] == files["tables/*.json"] == wanted
    assert set(files) == {"./*.html", "tables/*.csv", "tables/*.md", "tables/*.json"}
    assert result.stdout == f"{folder / 'index.html'}: {len(TABLES) + 2} tables, 0 figures, 3 models\n"
    text = page(folder)
    assert "CruxBench: synthetic" in text and "2026-11-05T06:07:08Z" in text
    assert f"{doubt(logs)}, so it has no rank." in text.replace("*", "")


def test_the_lead_of_a_whole_report(logs: Logs, whole: tuple[Result, Path]) -> None:
    best, second = logs.voi(ALPHA), logs.voi(BETA)
    random = logs.voi(BETA, "random_kl")
    assert len(best) == len(second) == len(random) == COUNT
    assert ttest_rel([best[key] for key in best], [second[key] for key in best]).pvalue < 0.05
    above = sum(
        ttest_1samp(list(logs.voi(model, "excess_kl").values()), 0.0, alternative="greater").pvalue < 0.05
        for model in (ALPHA, BETA)
    )
    assert (
        f"On {COUNT} questions, alpha has the highest mean of 2 ranked models: {mean(best):.4f} bits a question, where "
        f"random timing has {mean(random):.4f}. It is told apart from the second, beta (by p after Holm's correction); "
        f"{above} of them {'is' if above == 1 else 'are'} above random timing (p < 0.05, one-sided, uncorrected). "
        "1 model without a rank is not in this comparison."
    ) in page(whole[1])


def test_the_lead_where_no_difference_can_be_shown(logs: Logs) -> None:
    ours = with_scores(logs, "ours", {"q002": 0.3, "q003": 0.1, "q004": 0.2})
    theirs = with_scores(logs, "theirs", {"q002": 0.1, "q003": 0.3, "q004": 0.1})
    assert run(ours, theirs, "-o", "r", "--leaderboard", "--no-figures", "--rank-all").exit_code == 0
    text = page(Path("r"))
    assert "ours has the highest mean of 2 ranked models: 0.2000 bits a question" in text
    assert "It cannot be told apart from the second, theirs (by p after Holm's correction); " in text


def test_the_lead_where_two_models_score_the_same(logs: Logs) -> None:
    twin = as_another(logs.by_model[BETA], Path("twin.eval"), "lab/twin")
    assert run(logs.by_model[BETA], twin, "-o", "r", "--leaderboard", "--no-figures").exit_code == 0
    text = page(Path("r"))
    assert (
        f"beta and twin share the highest mean of 2 ranked models: {mean(logs.voi(BETA)):.4f} bits a question" in text
    )
    assert "told apart" not in text
    assert "without a rank" not in text


def test_models_that_may_have_known_are_a_warning_ranked_or_not(logs: Logs) -> None:
    Path("models.csv").write_text("model,released\nalpha,2026-01\nbeta,2025-06-01\n", encoding="utf-8")
    knew = sum(question.window.start.date() < date(2026, 1, 31) for question in logs.set.questions)
    assert 0 < knew < COUNT
    places = [logs.by_model[model] for model in (ALPHA, BETA)]
    options = ("--models", "models.csv", "--leaderboard", "--no-figures")
    told = f"Models that may have known what happened, with the number of such windows: alpha ({knew})."
    known = f"may have known what happened in {knew} of its windows"

    assert run(*places, "-o", "r", *options).exit_code == 0
    text = page(Path("r"))
    assert told in text and f"alpha {known}, so it has no rank." in text
    assert f"On {COUNT} questions, beta scores {mean(logs.voi(BETA)):.4f} bits a question" in text
    assert "1 model without a rank is not in this comparison." in text

    assert run(*places, "-o", "ranked", "--rank-all", *options).exit_code == 0
    text = page(Path("ranked"))
    assert told in text and f"alpha {known}." in text and "has no rank" not in text
    assert "alpha has the highest mean of 2 ranked models" in text and f"uncorrected). It {known}." in text
    assert "without a rank" not in text


def test_the_numbers_of_a_whole_report(logs: Logs, whole: tuple[Result, Path]) -> None:
    by_model = {row["model"]: row for row in rows(whole[1], "value_of_information")}
    assert set(by_model) == {"alpha", "beta", "gamma", "random timing", "oracle"}
    for model in (ALPHA, BETA, GAMMA):
        scores = logs.voi(model)
        row = by_model[model.removeprefix("lab/")]
        assert float(row["voi"]) == pytest.approx(math.fsum(scores.values()) / len(scores), abs=1e-12)
        assert int(row["questions"]) == len(scores)
        assert float(row["coverage"]) == pytest.approx(len(scores) / COUNT)
    assert [by_model[name]["rank"] for name in ("alpha", "beta", "gamma", "oracle")] == ["1", "2", "", ""]


def test_two_runs_give_the_same_bytes(logs: Logs, whole: tuple[Result, Path], tmp_path: Path) -> None:
    with clock.at(NOW):
        assert run(logs.folder, "-o", "again", "--no-figures", "--cases", 1).exit_code == 0
    first, second = (
        {path.relative_to(place): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}
        for place in (whole[1], tmp_path / "again")
    )
    assert first.keys() == second.keys()
    assert [str(name) for name in first if first[name] != second[name]] == []


def test_the_order_in_which_logs_are_named_does_not_matter(logs: Logs, whole: tuple[Result, Path]) -> None:
    places = list(logs.by_model.values())[::-1]
    with clock.at(NOW):
        run(*places, "-o", "turned", "--no-figures", "--cases", 1)
    assert Path("turned/index.html").read_bytes() == (whole[1] / "index.html").read_bytes()


def test_the_figures_of_a_whole_report(logs: Logs) -> None:
    # Only ranked models have rankings by width, which takes three of them.
    result = run(logs.folder, "-o", "r", "--cases", 1, "--rank-all")
    files = made(Path("r"))
    figures = files["figures/*.json"]
    assert result.exit_code == 0 and f" tables, {len(figures)} figures, 3 models" in result.stdout
    assert files["figures/*.svg"] == files["figures/*.png"] == files["figures/*.pdf"] == figures
    assert FIGURES | {f"price_{name}" for name in question_tables(Path("r"))} == figures
    assert Path("r/figures/voi_by_model.png").read_bytes().startswith(b"\x89PNG")


def test_two_runs_give_the_same_figures(logs: Logs) -> None:
    with clock.at(NOW):
        for place in ("one", "two"):
            assert run(logs.by_model[ALPHA], "-o", place, "--leaderboard").exit_code == 0
    assert "figures/*.svg" in made(Path("one"))
    for path in Path("one").rglob("*"):
        if path.suffix in (".html", ".json", ".csv"):
            assert path.read_bytes() == Path("two", path.relative_to("one")).read_bytes(), path


def test_a_leaderboard(logs: Logs) -> None:
    places = [logs.folder, Path("notes.eval")]
    places[1].write_bytes(b"no log")
    result = run(*places, "-o", "board", "--leaderboard", "--title", "December <round>", "--no-figures")
    assert result.exit_code == 0
    assert made(Path("board"))["tables/*.csv"] == PUBLISHED
    text = page(Path("board"))
    assert "December <round>" in text and "Methods" in text
    assert "Cruxes of one question" not in text and "Logs that do not count" not in text
    # The one who makes it is told all the same.
    assert result.stderr.startswith(f"left out: {places[1].resolve()}: it is damaged or no log")


def test_a_report_of_a_release(release: Path, tmp_path: Path) -> None:
    models = tmp_path / "models.csv"
    models.write_text("model,label,capability\nclaude-opus-4-6,Opus,150\nllama-3.1-8b-instruct,,90\n", encoding="utf-8")
    prices = tmp_path / "prices.csv"
    prices.write_text("model,input,output\nsearch,0.005,\n", encoding="utf-8")
    result = run(release, "-o", "r", "--no-figures", "--models", models, "--prices", prices, "--cases", 2)
    told = "Windows of cruxbench-release were laid by when markets really ended, which was not known when they began.\n"
    assert (result.exit_code, result.stderr) == (0, told)
    folder = Path("r")
    assert made(folder)["tables/*.csv"] == (TABLES - {"by_tag"}) | {"forecasts"} | question_tables(folder)
    assert len(question_tables(folder)) == 2
    labels = {"Opus", "qwen3-235b-a22b", "llama-3.1-8b"}
    assert {row["model"] for row in rows(folder, "value_of_information")} == labels | {"random timing", "oracle"}
    scores = {row["model"]: row for row in rows(folder, "value_of_information")}
    assert scores["Opus"]["cutoff"] == "2025-08" and scores["qwen3-235b-a22b"]["cutoff"] == "2025-07 (release)"
    text = page(folder)
    assert "were imported, with the judgements they came with" in text
    assert "Table 2, the funnel: no manifest of these question sets has one." in text


def test_forecasts_belong_to_the_cruxes_of_their_set(release: Path, logs: Logs) -> None:
    cruxes = [str(path) for path in release.glob("*_cruxbench_*.eval")]
    forecasters = sorted(str(path) for path in release.glob("*_forecast_*.eval"))
    study = make_study([*cruxes, *forecasters], read_facts(None), Options())
    assert len(study.forecasts) == len(FORECASTERS) and study.left_out == ()
    assert {entry.model.rsplit("/", 1)[-1] for entry in study.entries} == {
        name.rsplit("/", 1)[-1] for name in GENERATORS
    }
    other = make_study([*map(str, logs.by_model.values()), *forecasters], {}, Options())
    assert other.forecasts == ()
    assert list(other.left_out) == [f"{place}: its question set is not that of the cruxes" for place in forecasters]
    message = failed(*forecasters, "-o", "r")
    assert message.startswith("Error: none of the 2 logs can be reported:\n")
    assert message.count(": it has forecasts, and no cruxes") == 2


@pytest.mark.parametrize("name", ["a.eval", "z.eval"])
def test_the_fullest_log_of_a_forecaster_on_a_set_counts(release: Path, name: str) -> None:
    cruxes = [str(path) for path in release.glob("*_cruxbench_*.eval")]
    forecasters = sorted(str(path) for path in release.glob("*_forecast_*.eval"))
    whole = make_study([*cruxes, *forecasters], read_facts(None), Options())
    log = read_eval_log(forecasters[0])
    log.eval.eval_id, log.eval.task_id = "again", "again"
    log.samples = samples_of(log)[:-1]
    write_eval_log(log, name)
    wanted = {one.model: len(one.baseline) for one in whole.forecasts}
    for places in ([*forecasters, name], [name, *forecasters]):
        study = make_study([*cruxes, *places], read_facts(None), Options())
        assert sorted(one.location for one in study.forecasts) == forecasters
        assert {one.model: len(one.baseline) for one in study.forecasts} == wanted
        (line,) = study.left_out
        assert line.startswith(f"{name}: {forecasters[0]} has ")
    # Alone it counts.
    (alone,) = make_study([*cruxes, name], read_facts(None), Options()).forecasts
    assert (alone.location, len(alone.baseline)) == (name, wanted[alone.model] - 1)


def test_a_clear_winner(logs: Logs) -> None:
    result = run(logs.folder, "--compare", "alpha", "lab/beta")
    first, second = logs.voi(ALPHA), logs.voi(BETA)
    difference = math.fsum(first[key] - second[key] for key in first) / COUNT
    assert ttest_rel([first[key] for key in first], [second[key] for key in first]).pvalue < 0.05
    answer, empty, numbers, shares, *_ = result.stdout.splitlines()
    assert (result.exit_code, result.stderr, empty) == (0, "", "")
    assert answer == "Yes: alpha is better than beta."
    assert numbers.startswith(
        f"On the {COUNT} questions that both have scores for, alpha has {difference:+.4f} bits a question against beta "
    )
    higher = sum(first[key] > second[key] for key in first)
    lower = sum(first[key] < second[key] for key in first)
    assert shares == (
        f"alpha scores more on {higher} of them, beta on {lower}; on {COUNT - higher - lower} both score the same."
    )
    turned = run(logs.folder, "--compare", "beta", "alpha").stdout
    assert turned.startswith("No, the other way round: alpha is better than beta.")
    assert f"beta has {-difference:+.4f} bits a question against alpha" in turned


def test_no_difference_that_can_be_shown(release: Path) -> None:
    lines = run(release, "--compare", "opus", "llama").stdout.splitlines()
    assert lines[0] == (
        "That cannot be said: the data fit claude-opus-4-6 being better than llama-3.1-8b, and not being better."
    )
    assert re.fullmatch(
        r"Four times out of five, \d+ questions would show a difference of \d\.\d{4} bits\. "
        r"To show one as large as here so often, it takes [\d,]+\.",
        lines[4],
    )


@pytest.mark.parametrize("pair", [("alpha", "beta"), ("beta", "alpha"), ("alpha", "gamma"), ("gamma", "beta")])
def test_the_counts_of_questions_add_up(logs: Logs, pair: tuple[str, str]) -> None:
    lines = run(logs.folder, "--compare", *pair).stdout.splitlines()
    first, second = (logs.voi(f"lab/{label}") for label in pair)
    shared = sorted({*first} & {*second})
    found = re.fullmatch(rf"{pair[0]} scores more on (\d+) of them, {pair[1]} on (\d+); on (\d+) both .*", lines[3])
    assert found is not None
    assert [int(one) for one in found.groups()] == [
        sum(first[key] > second[key] for key in shared),
        sum(first[key] < second[key] for key in shared),
        sum(first[key] == second[key] for key in shared),
    ]
    assert sum(map(int, found.groups())) == len(shared)
    assert lines[2].startswith(f"On the {len(shared)} questions ")


@pytest.mark.parametrize("other", [(0.1, 0.2), (0.5, 0.2), (0.1, 0.4)])
def test_questions_of_one_event_have_no_interval(logs: Logs, other: tuple[float, float]) -> None:
    """The first two questions are of one market event."""
    ours = with_scores(logs, "ours", {"q000": 0.3, "q001": 0.3})
    theirs = with_scores(logs, "theirs", dict(zip(("q000", "q001"), other, strict=True)))
    result = run(ours, theirs, "--compare", "ours", "theirs")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0] == "That cannot be said: the data fit ours being better than theirs, and not being better."
    difference = 0.3 - sum(other) / 2
    assert lines[2] == (
        f"On the 2 questions that both have scores for, ours has {difference:+.4f} bits a question against theirs "
        "(no interval: all of them are of one event; p = 1.0000 by sign flips)."
    )
    assert not re.search(r"\b(nan|inf|unknown)\b", result.stdout, re.IGNORECASE)


def test_two_tests_that_disagree(logs: Logs) -> None:
    values = {"q002": 0.3, "q003": 0.4, "q004": 0.35, "q005": 0.25, "q006": 0.3}
    ours = with_scores(logs, "ours", values)
    theirs = with_scores(logs, "theirs", dict.fromkeys(values, 0.2))
    by_t_test = ttest_1samp([one - 0.2 for one in values.values()], 0.0)
    low, high = by_t_test.confidence_interval()
    # Of the 32 ways to flip signs, two are as extreme.
    assert by_t_test.pvalue < 0.05 < 2 / 32
    intervals = {("ours", "theirs"): (low, high), ("theirs", "ours"): (-high, -low)}
    for pair, (least, most) in intervals.items():
        answer, _, numbers, *_ = run(ours, theirs, "--compare", *pair).stdout.splitlines()
        assert answer == "That is not sure: ours seems better than theirs, but of two tests only one shows it."
        assert numbers.endswith(
            f"(95% interval {least:+.4f} to {most:+.4f}, two-sided p = {by_t_test.pvalue:.4f}; "
            "p = 0.0625 by sign flips)."
        )


def test_a_comparison_minds_who_is_not_ranked(logs: Logs) -> None:
    shown = run(logs.folder, "--compare", "gamma", "beta").stdout
    assert f"Mind that {doubt(logs)}.\n" in shown and shown.count("Mind") == 1
    assert f"On the {len(logs.voi(GAMMA))} questions that both have scores for" in shown
    # Ranked or not, the comparison is as doubtful.
    assert run(logs.folder, "--compare", "gamma", "beta", "--rank-all").stdout == shown
    assert "Mind" not in run(logs.folder, "--compare", "alpha", "beta").stdout


def test_two_models_that_score_the_same(logs: Logs) -> None:
    twin = as_another(logs.by_model[ALPHA], Path("twin.eval"), "lab/twin")
    shown = run(logs.by_model[ALPHA], twin, "--compare", "twin", "alpha")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("No: twin and alpha score the same on every question.")
    assert f"on {COUNT} both score the same." in shown.stdout


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("alpha", "lab/alpha"), "'alpha' and 'lab/alpha' are the same model, alpha"),
        (("alpha", "delta"), "'delta' names none of the models; there are: "),
        (("lab", "alpha"), "'lab' names several models ("),
        (("a", "b"), "'a' names several models ("),
    ],
)
def test_names_that_name_no_two_models(logs: Logs, names: tuple[str, str], message: str) -> None:
    assert failed(logs.folder, "--compare", *names).startswith(f"Error: {message}")


def test_a_whole_name_goes_before_parts_of_others(logs: Logs) -> None:
    longer = as_another(logs.by_model[BETA], Path("longer.eval"), "lab/alpha-2")
    shown = run(logs.by_model[ALPHA], longer, "--compare", "ALPHA", "alpha-2")
    assert shown.exit_code == 0 and shown.stdout.startswith("Yes: alpha is better than alpha-2.")


def test_a_comparison_beside_a_report(logs: Logs) -> None:
    result = run(logs.folder, "--compare", "alpha", "beta", "-o", "r", "--leaderboard", "--no-figures")
    assert result.exit_code == 0
    assert result.stdout.startswith("Yes: alpha is better than beta.")
    assert re.search(r"^r/index\.html: 7 tables, 0 figures, 3 models$", result.stdout, re.MULTILINE)
    assert Path("r/index.html").is_file()


def test_nothing_asked_for(logs: Logs) -> None:
    message = failed(logs.folder, code=2)
    assert message.endswith("Error: say where the report goes with -o DIR, or what to compare with --compare A B")
    assert "LOGS" in failed("-o", "r", code=2)


def test_no_logs() -> None:
    Path("empty").mkdir()
    place = Path("empty").resolve()
    assert failed("empty", "-o", "r") == (
        "Error: there is no Inspect log (*.eval or *.json) in empty: name log files, or the folder that was given to "
        "--log-dir"
    )
    assert failed(place / "gone", "-o", "r") == f"Error: {place / 'gone'}: there is no such file or folder"
    assert not Path("r").exists()


def test_logs_of_nothing_that_can_be_reported(logs: Logs) -> None:
    data = logs.by_model[ALPHA].read_bytes()
    Path("bad").mkdir()
    Path("bad/half.eval").write_bytes(data[: len(data) // 2])
    Path("bad/none.eval").write_bytes(b"")
    with own_caches(Path("caches")):
        task = Task(dataset=[Sample(input="2 + 2", target="4")], solver=generate(), scorer=match(), name="sums")
        evaluate("", scripted(lambda call: "4").name, Path("bad"), task=task)
        questions = write_set(Path("small").resolve(), judge=scripted(silent).name)
        evaluate(questions, scripted(generator(crux_json())).name, Path("bad"), score=False)
    first, *lines = failed("bad", "-o", "r").splitlines()
    assert first == "Error: none of the 4 logs can be reported:"
    reasons = sorted(line.split(".eval: ")[1] for line in lines)
    assert [reason[:28] for reason in reasons] == [
        "it is damaged or no log: its",
        "it is damaged or no log: its",
        "it is of the task 'sums'",
        "nothing in it is scored: run",
    ]
    assert not Path("r").exists()
    # Beside others they are named, on standard error and in the page.
    result = run("bad", logs.by_model[ALPHA], "-o", "r", "--no-figures", "--cases", 0)
    assert result.exit_code == 0 and result.stderr.count("left out: ") == 4
    assert "Logs that do not count" in page(Path("r")) and "it is of the task 'sums'" in page(Path("r"))


def test_one_model_only(logs: Logs) -> None:
    result = run(logs.by_model[ALPHA], "-o", "r", "--no-figures", "--cases", 1)
    assert result.exit_code == 0 and result.stdout.endswith(", 1 model\n")
    assert "With one model there are no differences between models." in page(Path("r"))
    random = mean(logs.voi(ALPHA, "random_kl"))
    assert (
        f"On {COUNT} questions, alpha scores {mean(logs.voi(ALPHA)):.4f} bits a question, where random timing has "
        f"{random:.4f}."
    ) in page(Path("r"))
    assert "comparisons" not in made(Path("r"))["tables/*.csv"]


def test_one_question_only() -> None:
    one = SyntheticStudy(Path.cwd(), 1)
    one.write([Subject(ALPHA, resolvable=1.0), Subject(BETA, resolvable=0.0)])
    result = run("logs", "-o", "r", "--no-figures")
    assert result.exit_code == 0
    scores = {row["model"]: float(row["voi"]) for row in rows(Path("r"), "value_of_information")}
    assert (
        f"On 1 question, alpha and beta share the highest mean of 2 ranked models: "
        f"{scores['alpha']:.4f} bits a question, "
        f"where random timing has {scores['random timing']:.4f}. 0 of them"
    ) in page(Path("r"))
    assert {row["questions"] for row in rows(Path("r"), "value_of_information")} == {"1"}
    shown = run("logs", "--compare", "alpha", "beta")
    assert (shown.exit_code, shown.stdout) == (
        0,
        "It cannot be said: alpha and beta share 1 scored question, and at least 2 are needed.\n",
    )
    assert run("logs/*.eval", "-o", "r1", "--no-figures").exit_code == 0


def test_a_cancelled_log_whose_set_is_gone(logs: Logs) -> None:
    log = read_eval_log(str(logs.by_model[ALPHA]))
    assert log.eval.metadata is not None
    log.status, log.samples = "cancelled", samples_of(log)[:5]
    log.eval.metadata["set_path"] = "/nowhere"
    write_eval_log(log, "cancelled.eval")
    result = run("cancelled.eval", "-o", "r", "--no-figures")
    assert result.exit_code == 0
    first, second = result.stderr.splitlines()
    assert "could not be loaded" in first and "--questions FOLDER" in first
    assert second == "Not finished (cancelled): the runs of lab/alpha."
    text = page(Path("r"))
    assert first in text and second in text
    # What was never run is missing all the same.
    assert f"1 model on {COUNT} questions; none of them can be ranked." in text
    assert f"was scored on 5 of {COUNT} questions (20.0%, and 95% are wanted), so it has no rank." in text
    assert "Matched nulls: they need the prices of the question set." in text
    assert "value_of_information" in made(Path("r"))["tables/*.csv"]
    found = run("cancelled.eval", "-o", "r2", "--no-figures", "--cases", 0, "--questions", logs.set.folder)
    assert found.stderr == f"{second}\n" and "matched_nulls" in made(Path("r2"))["tables/*.csv"]


def test_a_log_without_any_score_of_its_own() -> None:
    lost = SyntheticStudy(Path.cwd(), 3)
    lost.write([Subject(ALPHA, unscored=1.1)])
    result = run("logs", "-o", "r", "--no-figures", "--rank-all")
    assert result.exit_code == 0
    assert "1 model on 3 questions, and no score." in page(Path("r"))


def test_logs_that_differ(logs: Logs) -> None:
    other = as_another(logs.by_model[BETA], Path("other.eval"), "lab/delta", width=6)
    places = [logs.by_model[ALPHA], other]
    line = "The logs differ by averaging width in hours: 6 (1), 24 (1)."
    assert failed(*places, "-o", "r") == (
        f"Error: {line} Scores would not belong together: report them apart, or add --allow-mixed"
    )
    result = run(*places, "-o", "r", "--allow-mixed", "--leaderboard", "--no-figures")
    assert (result.exit_code, result.stderr) == (0, f"{line}\n")
    assert page(Path("r")).count(line) == 2  # among the warnings and in the methods


def test_pooled_rounds(logs: Logs) -> None:
    second = SyntheticStudy(Path.cwd(), 12, seed=5, name="second")
    second.write([Subject(ALPHA, skill=0.9), Subject(BETA)], "more")
    message = failed(logs.folder, "more", "-o", "r")
    assert message.startswith("Error: The logs differ by question set: second 1 (") and message.endswith("or --pool")
    result = run(logs.folder, "more", "-o", "r", "--pool", "--leaderboard", "--no-figures")
    assert result.exit_code == 0 and "CruxBench: second, synthetic" in page(Path("r"))
    by_model = {row["model"]: row for row in rows(Path("r"), "value_of_information")}
    assert (by_model["alpha"]["questions"], by_model["random timing"]["questions"]) == ("37", "37")


@pytest.mark.parametrize("options", [["--pool", "--no-figures"], ["--allow-mixed"]])
def test_two_sets_with_funnels(logs: Logs, options: list[str]) -> None:
    second = SyntheticStudy(Path.cwd(), 12, seed=5, name="second")
    second.write([Subject(ALPHA, skill=0.9), Subject(BETA)], "more")
    result = run(logs.folder, "more", "-o", "r", *options, "--cases", 0)
    assert result.exit_code == 0
    files = made(Path("r"))
    names = {f"funnel_{one.digest[:6]}": one for one in (logs.set, second.set)}
    assert {name for name in files["tables/*.csv"] if name.startswith("funnel")} == set(names)
    assert files["tables/*.csv"] == files["tables/*.md"] == files["tables/*.json"]
    for name, of in names.items():
        assert [int(row["left"]) for row in rows(Path("r"), name)] == [3000, 200, len(of.questions)]
        assert f"From all markets to {of.name}" in page(Path("r"))
    if "--no-figures" not in options:
        assert {name for name in files["figures/*.svg"] if name.startswith("funnel")} == set(names)


def test_a_log_that_mixes_widths(logs: Logs) -> None:
    partly = as_another(logs.by_model[ALPHA], Path("partly.eval"), "lab/delta", width=6, count=5)
    line = "The logs differ by averaging width in hours: 6 and 24 (1)."
    assert failed(partly, "-o", "r") == (
        f"Error: {line} Scores would not belong together: report them apart, or add --allow-mixed"
    )
    assert not Path("r").exists()
    result = run(partly, "-o", "r", "--allow-mixed", "--leaderboard", "--no-figures")
    assert (result.exit_code, result.stderr) == (0, f"{line}\n")
    assert line in page(Path("r"))


def test_bad_files_of_models_and_prices(logs: Logs) -> None:
    Path("models.csv").write_text("model,capability\nx,much\n,1\n", encoding="utf-8")
    Path("prices.csv").write_text("model,input\n", encoding="utf-8")
    assert failed(logs.folder, "-o", "r", "--models", "models.csv") == (
        "Error: models.csv: 2 problems\n  - line 2: capability 'much' is no number\n  - line 3: model is empty"
    )
    assert failed(logs.folder, "-o", "r", "--prices", "prices.csv").startswith("Error: prices.csv: the columns must be")
    assert "does not exist" in failed(logs.folder, "-o", "r", "--models", "gone.csv", code=2)
    assert failed(logs.folder, "-o", "r", "--questions", "gone").startswith("Error: there is no question set 'gone'")


def test_a_folder_that_cannot_be_written(logs: Logs) -> None:
    Path("file").write_text("mine", encoding="utf-8")
    options = ("--leaderboard", "--no-figures")
    message = failed(logs.by_model[ALPHA], "-o", "file/report", *options)
    assert message.startswith("Error: file/report/index.html: the report cannot be written: ")
    assert message.endswith("Name a folder that you may write to, on a disk with free space.")
    assert failed(logs.by_model[ALPHA], "-o", "file", *options) == "Error: file is a file: name a folder with -o"
    assert Path("file").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("place", ["s3://bucket/report", "", " "])
def test_a_report_goes_to_a_disk(logs: Logs, place: str) -> None:
    result = run(logs.by_model[ALPHA], "-o", place, "--no-figures")
    assert result.exit_code == 2 and f"{place!r} is no folder on a disk." in result.stderr
    assert not Path("s3:").exists() and not Path("index.html").exists()


def test_names_in_files_that_no_model_has_are_told(logs: Logs) -> None:
    Path("models.csv").write_text("model,capability\nalpha,1\nlab/betta,2\n", encoding="utf-8")
    Path("prices.csv").write_text("model,input,output\nalfa,1,2\nlab/beta,1,2\nsearch,0.005,\n", encoding="utf-8")
    result = run(logs.folder, "-o", "r", "--no-figures", "--models", "models.csv", "--prices", "prices.csv")
    assert result.exit_code == 0
    assert "models.csv: no model of these logs is called lab/betta\n" in result.stderr
    assert "prices.csv: no model of these logs is called alfa\n" in result.stderr


def test_a_report_is_written_over_and_other_files_stay(logs: Logs) -> None:
    Path("r").mkdir()
    Path("r/mine.txt").write_text("mine", encoding="utf-8")
    assert run(logs.folder, "-o", "r", "--leaderboard", "--no-figures").exit_code == 0
    assert made(Path("r"))["tables/*.csv"] == PUBLISHED
    for model in (BETA, ALPHA):
        assert run(logs.by_model[model], "-o", "r", "--leaderboard", "--no-figures").exit_code == 0
    assert f"On {COUNT} questions, alpha scores" in page(Path("r")) and Path("r/mine.txt").is_file()
    # What only the first report had is gone.
    files = made(Path("r"))
    assert files["tables/*.csv"] == files["tables/*.md"] == files["tables/*.json"] == PUBLISHED - {"comparisons"}


def test_a_log_viewer_beside_the_report_is_linked(logs: Logs) -> None:
    shutil.rmtree("viewer", ignore_errors=True)
    Path("viewer").mkdir()
    Path("viewer/index.html").write_text("viewer", encoding="utf-8")
    run(logs.by_model[ALPHA], "-o", "r", "--leaderboard", "--no-figures")
    assert 'href="../viewer/index.html' in Path("r/index.html").read_text(encoding="utf-8")


def test_help_has_examples() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "cruxbench report logs -o report" in result.stdout and "--compare A B" in result.stdout


def mean(values: Mapping[str, float]) -> float:
    return math.fsum(values.values()) / len(values)


def doubt(logs: Logs) -> str:
    """What is said of the model that lacks scores."""
    count = len(logs.voi(GAMMA))
    return f"gamma was scored on {count} of {COUNT} questions ({100 * count / COUNT:.1f}%, and 95% are wanted)"


def with_scores(logs: Logs, label: str, values: Mapping[str, float]) -> Path:
    """The log of a model that has these scores and no others, by question."""
    copy: EvalLog = read_eval_log(str(logs.by_model[ALPHA]))
    copy.eval.model, copy.eval.eval_id, copy.eval.task_id = f"lab/{label}", f"eval of {label}", f"task of {label}"
    copy.samples = [sample for sample in samples_of(copy) if sample.id in values]
    for sample in copy.samples:
        assert sample.scores is not None
        score = sample.scores["voi"]
        assert isinstance(score.value, dict)
        score.value = {**score.value, "voi_kl": values[str(sample.id)]}
    write_eval_log(copy, f"{label}.eval")
    return Path(f"{label}.eval")


def as_another(log: Path, path: Path, model: str, width: int | None = None, count: int | None = None) -> Path:
    """A copy of a log as the run of another model, perhaps with the first scores, or all, at another width."""
    copy: EvalLog = read_eval_log(str(log))
    copy.eval.model, copy.eval.eval_id, copy.eval.task_id = model, f"eval of {path}", f"task of {path}"
    for sample in samples_of(copy)[:count]:
        assert sample.scores is not None and sample.scores["voi"].metadata is not None
        if width is not None:
            sample.scores["voi"].metadata["width"] = width
    write_eval_log(copy, str(path))
    return path
