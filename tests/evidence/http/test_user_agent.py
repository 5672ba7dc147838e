import pytest

from cruxbench_inspect import __version__
from cruxbench_inspect.errors import InputError
from cruxbench_inspect.evidence.http.user_agent import user_agent
from cruxbench_inspect.evidence.settings import ServiceAddresses


def test_it_names_program_and_contact() -> None:
    assert user_agent({}) == f"cruxbench-inspect/{__version__} (research benchmark)"
    assert user_agent({"CRUXBENCH_CONTACT": " me@lab.org "}).endswith("(research benchmark; me@lab.org)")


@pytest.mark.parametrize("contact", ["a\r\nx-key: 1", "mé@lab.org", "me)", "(", "a\x00b"])
def test_a_contact_that_no_header_can_hold_is_refused_before_any_request(contact: str) -> None:
    with pytest.raises(InputError, match="CRUXBENCH_CONTACT="):
        ServiceAddresses.of_environment({"CRUXBENCH_CONTACT": contact})
