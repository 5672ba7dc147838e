import json
from collections import Counter
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from benchmarks.slow_judge import SlowJudge


def _ask(judge: SlowJudge, prompt: str) -> Any:
    content = {
        "model": "judge",
        "messages": [{"role": "user", "content": prompt}],
        "tools": [{"type": "function", "function": {"name": "submit_resolution", "parameters": {"type": "object"}}}],
    }
    address = urlsplit(judge.url)
    with closing(HTTPConnection(address.netloc)) as connection:
        connection.request("POST", f"{address.path}/chat/completions", json.dumps(content))
        response = connection.getresponse()
        assert response.status == 200
        return json.load(response)


def test_it_answers_with_a_tool_call_and_remembers_what_it_answered() -> None:
    with SlowJudge(0.0) as judge:
        answers = [_ask(judge, prompt) for prompt in ("first", "second", "first")]
        judge.wait_until_idle()
    for answer in answers:
        (call,) = answer["choices"][0]["message"]["tool_calls"]
        assert call["function"]["name"] == "submit_resolution"
        assert json.loads(call["function"]["arguments"])["resolvable"] is False
    assert sorted(Counter(answered.digest for answered in judge.answered).values()) == [1, 2]
