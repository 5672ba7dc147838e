"""A regulator that decides on a licence."""

from cruxbench_inspect.demo.story import Beat, Report, Story

LICENCE = Story(
    kind="licence",
    tags=("business", "regulation"),
    casts=(
        {
            "city": "Hraunvik",
            "firm": "Norrsky Launch",
            "service": "rocket flights from Cape Brimvik",
            "regulator": "Isfold Space Office",
            "rival": "the fishermen of Brimvik",
            "director": "Elin Thorvarsk",
            "machine": "its first rocket",
        },
        {
            "city": "Kasumori",
            "firm": "Aohara Ferries",
            "service": "a fast ferry across Takemira Bay",
            "regulator": "Takemiran Maritime Bureau",
            "rival": "the old ferry company Tomarel",
            "director": "Reiko Asanuma-Toh",
            "machine": "its first fast ferry",
        },
        {
            "city": "Velmar",
            "firm": "Lindwurm Rail",
            "service": "night trains between Velmar and the coast",
            "regulator": "Sarovian Rail Authority",
            "rival": "the state railway",
            "director": "Oskar Velten-Dray",
            "machine": "its first train set",
        },
        {
            "city": "Nuvela",
            "firm": "Skyreef Air Taxis",
            "service": "air taxis over Nuvela harbour",
            "regulator": "Oronuian Aviation Board",
            "rival": "the harbour residents",
            "director": "Tamsin Warbeck",
            "machine": "its first air taxi",
        },
    ),
    prior=(0.4, 0.66),
    question="Will the {regulator} license {firm} to run {service} by {deadline}?",
    description=(
        "Resolves Yes if the {regulator} grants {firm} a licence for {service}, provisional or full, by {deadline}, "
        "23:59 {city} time. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[{regulator} decides on safety case on {safety_on}|Safety of {firm} under review|{firm} waits for safety "
            "decision]",
            "The {regulator} will decide on the safety case of {firm} {safety_plan}. "
            "[Acceptance is the last big step before a licence.|Without it there is no licence.] "
            "A refusal [would be final for this application|ends the application for good].",
        ),
        Report(
            "[{firm} to try out {machine}|A trial run on {trial_on}|Second attempt for {firm}]",
            "{firm} will carry out a trial of {machine} {trial_plan}. "
            "[Inspectors of the {regulator} will watch.|The {regulator} has sent two inspectors.] "
            "[An earlier trial was broken off.|It is the second attempt.]",
        ),
        Report(
            "[Hearing for objectors|{rival} to be heard]",
            "The {regulator} will hear {rival} {hearing_plan}. "
            "[They object to {service}.|They say that {service} would do harm.] "
            "[The hearing can end with an order to do more studies.|The {regulator} may ask for further studies.]",
        ),
        Report(
            "[{firm} wants to run {service}|{firm} hands in its papers]",
            "{firm} [applied|has applied] to the {regulator} for a licence to run {service}. "
            "[Director {director} hopes to begin next year.|Director {director} has hired two hundred people.] "
            "[It would be a first for {country}.|Nobody in {country} has done it before.]",
        ),
        Report(
            "[Licence for {firm} {odds}|What experts give {firm}]",
            "[A licence by {deadline} is {odds}, say experts in {city}.|Experts call a licence by {deadline} {odds}.] "
            "[The {regulator} is known to take its time.|The {regulator} has refused two of its last five applicants.]",
        ),
        Report(
            "[{firm} raises money|New owners at {firm}]",
            "{firm} [raised fresh money|found new investors]. "
            "[The sum was not named.|It lasts for a year, said {director}.] "
            "[Part of it goes into a workshop in {city}.|Part of it is tied to the licence.]",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="trial",
            asks="Will {firm} complete the trial of {machine} without a failure on or before {on}?",
            schedule="scheduled",
            days=(3, 7),
            clock="13:10",
            likelihoods=(0.78, 0.5),
            reporting=("stated", "dated", "stated", "dated"),
            yes=(
                Report(
                    "[Trial of {firm} goes well|{firm} passes trial]",
                    "{firm} [completed|finished] the trial of {machine} {at}. "
                    "[Inspectors of the {regulator} saw no failure.|Director {director} embraced the crew.]",
                ),
            ),
            no=(
                Report(
                    "[Trial of {firm} broken off|{firm} fails in trial]",
                    "{firm} [broke off|had to stop] the trial of {machine} {at} [after a failure of a pump|when a "
                    "sensor failed]. "
                    "[The trial was not completed, the {regulator} noted.|Nobody was hurt.]",
                ),
            ),
        ),
        Beat(
            key="hearing",
            asks="Will the {regulator} order further studies on {service} on or before {on}?",
            schedule="scheduled",
            days=(9, 13),
            clock="17:00",
            likelihoods=(0.3, 0.55),
            reporting=("dated", "stated", "silent", "stated"),
            yes=(
                Report(
                    "[{regulator} orders studies|More studies on {firm}]",
                    "The {regulator} [ordered|has ordered] further studies on {service} after it heard {rival}. "
                    "[The order was read out {at}.|It announced the order {at}.]",
                ),
            ),
            no=(
                Report(
                    "[No further studies for {firm}|Objectors fail at {regulator}]",
                    "The {regulator} heard {rival} and [did not order further studies|ordered no further studies] on "
                    "{service}. "
                    "[The hearing closed {at}.|It said so {at}.]",
                ),
            ),
        ),
        Beat(
            key="safety",
            asks="Will the {regulator} accept the safety case of {firm} on or before {on}?",
            schedule="scheduled",
            days=(16, 22),
            clock="11:30",
            likelihoods=(0.995, 0.62),
            reporting=("stated", "stated", "stated", "stated"),
            yes=(
                Report(
                    "[{regulator} accepts safety case|{firm} is safe, says {regulator}]",
                    "The {regulator} [accepted|has accepted] the safety case of {firm}. "
                    "[It published the decision {at}.|The decision came {at}.] "
                    "[The licence itself takes some weeks more.|{director} called it a great day.]",
                ),
            ),
            no=(
                Report(
                    "[{regulator} refuses {firm} for good|No licence for {firm}]",
                    "The {regulator} [rejected|refused] the safety case of {firm} and closed the application for "
                    "good. "
                    "[It published the decision {at}.|The decision came {at}.] "
                    "[{firm} said that it will not apply again.|{director} spoke of the end of the road.]",
                ),
            ),
            no_rule="no_irreversible",
            ends=("No",),
        ),
        Beat(
            key="grant",
            asks="Will the {regulator} grant {firm} a licence by {on}?",
            schedule="surprise",
            days=(25, 26),
            clock="15:30",
            likelihoods=(0.2, 0.0),
            reporting=("stated", "stated", "dated", "stated"),
            yes=(
                Report(
                    "[{firm} gets its licence|{regulator} licenses {firm}]",
                    "The {regulator} [granted|has granted] {firm} a licence to run {service}. "
                    "[Director {director} received it {at}.|It announced this {at}.] "
                    "[It came sooner than anybody had thought.|It is valid for five years.]",
                ),
            ),
            ends=("Yes",),
        ),
    ),
    waiting=Report(
        "[{firm} waits for its licence|No licence for {firm} yet]",
        "{firm} had no licence for {service} [on {on}|as of {on}]. "
        "[The {regulator} said that it is at work on the matter.|The {regulator} names no date.]",
    ),
    aftermath={
        "Yes": Report(
            "[{firm} has its licence|{regulator} says yes to {firm}]",
            "The {regulator} [granted|has granted] {firm} a licence to run {service}, it said on {on}.",
        ),
        "No": Report(
            "[Deadline passes without licence|{firm} without licence]",
            "The {regulator} did not license {firm} by {deadline}, it said on {on}.",
        ),
    },
)
