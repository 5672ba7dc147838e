from pathlib import Path

import pytest

from cruxbench_inspect.report.gathering.facts import read_facts
from cruxbench_inspect.report.gathering.study import Study
from cruxbench_inspect.report.gathering.study_making import Options, make_study
from cruxbench_inspect.report.tables.questions import question_table
from cruxbench_inspect.report.tables.value_of_information import value_of_information
from cruxbench_inspect.report.viewer_links import Viewer, with_links
from tests.synthetic_study import Subject, SyntheticStudy


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, list[Path]]:
    study = SyntheticStudy(tmp_path_factory.mktemp("links"), questions=4)
    written = study.write([Subject("lab/one"), Subject("lab/two")])
    return make_study([str(path) for path in written], read_facts(None), Options()), written


def viewer(folder: Path, logs: list[Path]) -> Viewer:
    (folder / "viewer" / "logs").mkdir(parents=True)
    (folder / "viewer" / "index.html").touch()
    for log in logs:
        (folder / "viewer" / "logs" / log.name).touch()
    found = Viewer.beside(folder)
    assert found is not None
    return found


def test_a_viewer_is_in_the_folder_or_beside_it(tmp_path: Path) -> None:
    assert Viewer.beside(tmp_path / "report") is None
    assert viewer(tmp_path, []).address == "viewer/index.html"
    beside = Viewer.beside(tmp_path / "report")
    assert beside is not None and beside.address == "../viewer/index.html"


def test_models_link_to_their_logs_and_baselines_to_nothing(made: tuple[Study, list[Path]], tmp_path: Path) -> None:
    study, written = made
    table = with_links(value_of_information(study), study, viewer(tmp_path, written[:1]))
    links = {row["model"]: row.get("_link") for row in table.rows}
    # The second log is not in the viewer.
    assert links == {
        "one": f"viewer/index.html#/logs/{written[0].name}",
        "two": None,
        "random timing": None,
        "oracle": None,
    }


def test_cruxes_link_to_their_samples(made: tuple[Study, list[Path]], tmp_path: Path) -> None:
    study, written = made
    table = with_links(question_table(study, "q002"), study, viewer(tmp_path, written))
    names = {log.name for log in written}
    for row in table.rows:
        address = str(row["_link"])
        assert address.endswith("/samples/sample/q002/1") and any(name in address for name in names)
    assert all("_sample" in row for row in table.rows)


def test_of_several_epochs_the_one_that_tables_tell_is_linked(tmp_path: Path) -> None:
    made = SyntheticStudy(tmp_path, questions=12)
    written = made.write([Subject("lab/one", unscored=0.5, epochs=3)])
    study = make_study([str(path) for path in written], read_facts(None), Options())
    (run,) = study.entries[0].runs
    expected = {
        question.id: next(
            (one.epoch for one in run.samples if one.question_id == question.id and one.values["coverage"] == 1.0), 1
        )
        for question in made.set.questions
    }
    assert {1, 2} <= set(expected.values())
    beside = viewer(tmp_path, written)
    for question, epoch in expected.items():
        (row,) = with_links(question_table(study, question), study, beside).rows
        assert str(row["_link"]).endswith(f"/samples/sample/{question}/{epoch}")
