"""Where services are, and the keys of those that want one: all from the environment."""

import os
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, HttpUrl, ValidationError

from cruxbench_inspect.errors import InputProblems
from cruxbench_inspect.evidence.http.user_agent import user_agent

PREFIX = "CRUXBENCH_"


class ServiceAddresses(BaseModel):
    """Base addresses of the services, each set by ``CRUXBENCH_<FIELD>`` in capitals.

    A service at another address than its own, such as a mirror of one's own, is asked without pauses.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=False)

    gdelt_url: HttpUrl = HttpUrl("https://api.gdeltproject.org")
    article_lists_url: HttpUrl = HttpUrl("https://data.gdeltproject.org")
    wayback_url: HttpUrl = HttpUrl("https://web.archive.org")
    wikipedia_url: HttpUrl = HttpUrl("https://en.wikipedia.org")
    asknews_url: HttpUrl | None = None
    exa_url: HttpUrl | None = None
    tavily_url: HttpUrl | None = None

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> "ServiceAddresses":
        """The addresses that the environment sets, else the services' own.

        Raises:
            InputProblems: If one is no http or https address.
            InputError: If the contact that requests will name is none.
        """
        user_agent(environment)
        names = {field: f"{PREFIX}{field.upper()}" for field in cls.model_fields}
        given = {field: environment[name] for field, name in names.items() if environment.get(name)}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            problems = [
                f"{names[str(detail['loc'][0])]}={detail['input']}: {detail['msg']}" for detail in error.errors()
            ]
            raise InputProblems("addresses of services in the environment", problems) from None
