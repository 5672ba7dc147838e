"""A purchase of a firm that a competition office fights in court."""

from cruxbench_inspect.demo.story import Beat, Report, Sibling, Story

MERGER = Story(
    kind="merger",
    tags=("business", "courts"),
    casts=(
        {
            "city": "Velmar",
            "firm": "Orvella Foods",
            "target": "Brightmill Bakeries",
            "court": "Commercial Court of Velmar",
            "office": "Sarovian Competition Office",
            "chief": "Ilsa Morvane",
            "sum": "2.4 billion crowns",
            "trade": "bread",
        },
        {
            "city": "Port Ansgar",
            "firm": "Tidemoor Shipping",
            "target": "Corvick Lines",
            "court": "Tollanian Trade Tribunal",
            "office": "Tollanian Fair Markets Bureau",
            "chief": "Aubrey Kessendorf",
            "sum": "910 million dollars",
            "trade": "coastal freight",
        },
        {
            "city": "Sundarin",
            "firm": "Palvetti Cement",
            "target": "Nirmora Stone",
            "court": "High Court of Sundarin",
            "office": "Vaskaran Competition Authority",
            "chief": "Devika Aranth",
            "sum": "61 billion vask",
            "trade": "cement",
        },
        {
            "city": "Carrowell",
            "firm": "Quenby Telecom",
            "target": "Larkspan Networks",
            "court": "Delmorian Court of Appeal",
            "office": "Delmorian Markets Commission",
            "chief": "Rowan Estelmar",
            "sum": "3.8 billion dollars",
            "trade": "mobile telephony",
        },
    ),
    prior=(0.42, 0.66),
    question="Will {firm} complete its purchase of {target} by {deadline}?",
    description=(
        "Resolves Yes if {firm} and {target} announce, or the company register shows, that the purchase of {target} "
        "by {firm} has been completed by {deadline}, 23:59 {city} time. "
        "Otherwise it resolves No."
    ),
    articles=(
        Report(
            "[Ruling on {firm} and {target} set for {ruling_on}|{court} names the day for {target} ruling|Judges to "
            "decide on {firm} purchase]",
            "[The case of the year in {people} business is nearing its end.|Both sides have now closed their "
            "pleadings.|Three days of hearings are over.] "
            "The {court} will rule on the purchase of {target} by {firm} {ruling_plan}. "
            "[A ruling against the purchase could not be appealed|There is no appeal against its ruling|Its ruling is "
            "final], [lawyers for both sides said|both parties confirmed].",
        ),
        Report(
            "[{target} calls shareholders to a vote|Shareholders of {target} to vote on offer|{target} owners asked "
            "to accept {sum}]",
            "[{target} has sent its owners the papers for an extraordinary meeting.|The board of {target} recommends "
            "the offer.] Shareholders of {target} will vote on the offer from {firm} {meeting_plan}. "
            "[Two thirds of the votes are needed.|The offer needs two thirds of the votes cast.] "
            "[The founding family, with a fifth of the shares, has not said how it will vote.|A fifth of the shares "
            "is held by the founding family, which has kept silent.]",
        ),
        Report(
            "[{firm} to buy {target} for {sum}|{firm} and {target} sign purchase|A {sum} deal in {trade}]",
            "{firm} [has agreed to buy|signed an agreement to buy|is to take over] its rival {target} for {sum}. "
            "[Together the two would hold almost half of the {people} market for {trade}.|The two firms sell close to "
            "half of all {trade} in {country}.] "
            "[{firm} chief executive {chief} called it a fair price.|{chief}, who runs {firm}, said that the purchase "
            "would be closed within the year.]",
        ),
        Report(
            "[{office} goes to court over {target}|{office} wants {firm} deal stopped|{target} purchase challenged]",
            "The {office} [asked|has asked] the {court} to stop the purchase of {target}. "
            "[It says that prices for {trade} would rise by a tenth.|It fears that smaller sellers of {trade} would "
            "be driven out.] "
            "{firm} [offered to sell some of its plants|said that it could part with some plants], [but talks about "
            "that have led nowhere so far|but the {office} has not answered yet].",
        ),
        Report(
            "[Will the {target} deal hold?|Brokers divided over {target}|What the market makes of {firm}]",
            "[Brokers in {city} call the outcome {odds}.|In the trading rooms of {city} the deal is seen as {odds}.] "
            "[Shares in {target} change hands well below the offer.|The gap between the offer and the share price of "
            "{target} has not closed.] "
            "The [ruling of the {court}|word of the {court}] is what everybody waits for.",
        ),
        Report(
            "[Workers of {target} fear for jobs|Unions sceptical of {firm}|{target} staff ask for promises]",
            "[Some four hundred employees of {target} met|Staff of {target} gathered] in {city} [to talk about the "
            "purchase|over the purchase]. "
            "[They ask {firm} to keep every site open for five years.|Their spokesman asked for a promise that no "
            "site will be closed.] "
            "{firm} [has not replied|did not comment].",
        ),
    ),
    core=4,
    beats=(
        Beat(
            key="remedy",
            asks="Will the {office} accept the plant sales offered by {firm} by {on}?",
            schedule="surprise",
            days=(2, 6),
            clock="11:40",
            likelihoods=(0.62, 0.42),
            reporting=("stated", "dated", "stated", "dated"),
            yes=(
                Report(
                    "[{office} content with plant sales|{firm} and {office} agree on plant sales]",
                    "The {office} [accepted|has accepted] the offer of {firm} to sell three plants, [it said {at}|it "
                    "announced {at}]. "
                    "[The case before the {court} goes on, but its main charge has become weaker.|It did not withdraw "
                    "its complaint at the {court}.]",
                ),
            ),
            no=(
                Report(
                    "[{office} turns down plant sales|No deal between {firm} and {office}]",
                    "The {office} [rejected|turned down] the plant sales that {firm} had offered, [a spokeswoman said "
                    "{at}|it said {at}]. "
                    "[They would not bring a single new seller into the market, it wrote.|It called the offer too "
                    "small.]",
                ),
            ),
        ),
        Beat(
            key="ruling",
            asks="Will the {court} allow {firm} to buy {target} on or before {on}?",
            schedule="scheduled",
            days=(9, 15),
            clock="15:00",
            likelihoods=(0.995, 0.6),
            reporting=("stated", "stated", "stated", "stated"),
            yes=(
                Report(
                    "[Court clears {firm} to buy {target}|{firm} wins in court|Judges allow {target} purchase]",
                    "The {court} [allowed|cleared] the purchase of {target} by {firm}. "
                    "[The presiding judge read the ruling {at}.|The ruling was handed down {at}.] "
                    "[The {office} said that it accepts the ruling.|The judges found no proof that prices for {trade} "
                    "would rise.]",
                ),
                Report(
                    "[After the ruling: what is left to do for {firm}|{firm} plans the next steps]",
                    "[One day after|The day after] the {court} cleared the purchase, {firm} said that [contracts with "
                    "banks are still to be signed|it still has to arrange its loans]. "
                    "[{chief} named no date for the closing.|It gave no date for the completion.]",
                    delay=(1100, 1500),
                ),
            ),
            no=(
                Report(
                    "[Court blocks {firm}'s purchase of {target}|{target} deal stopped for good|{firm} loses in court]",
                    "The {court} [blocked|prohibited] the purchase of {target} by {firm} for good. "
                    "[The ruling was handed down {at}|The presiding judge read the ruling {at}] and [cannot be "
                    "appealed|is final]. "
                    "[{firm} said that it has ended the agreement with {target}.|{firm} withdrew its offer within the "
                    "hour.]",
                ),
                Report(
                    "[{target} looks for a new owner|After the ban: {target} alone]",
                    "[Since the {court} blocked its purchase by {firm}, {target} has been|After the final ruling "
                    "against {firm}, {target} is] looking for other buyers. "
                    "[{chief} told staff that {firm} will not try again.|{firm} confirmed that the agreement has "
                    "ended.]",
                    delay=(1500, 4000),
                ),
            ),
            no_rule="no_irreversible",
            ends=("No",),
        ),
        Beat(
            key="meeting",
            asks="Will the shareholders of {target} accept the offer from {firm} on or before {on}?",
            schedule="scheduled",
            days=(18, 24),
            clock="17:30",
            likelihoods=(0.97, 0.62),
            reporting=("stated", "dated", "silent", "stated"),
            yes=(
                Report(
                    "[{target} shareholders say yes|Owners of {target} back {firm}|Clear vote for {firm} offer]",
                    "Shareholders of {target} [accepted|approved] the offer from {firm} with [71|78|84] percent of "
                    "the votes. "
                    "[The count was announced {at}.|The chairman read out the result {at}.]",
                ),
            ),
            no=(
                Report(
                    "[{target} shareholders say no|Offer for {target} misses two thirds|Owners of {target} hold out]",
                    "Shareholders of {target} [did not accept|failed to approve] the offer from {firm}: [58|61|64] "
                    "percent were in favour, and two thirds were needed. "
                    "[The count was announced {at}.|The chairman read out the result {at}.] "
                    "[{firm} may call a second meeting.|{firm} said that it will think about a better offer.]",
                ),
            ),
            called_off=Report(
                "[{target} cancels shareholders' meeting|No vote at {target}]",
                "{target} [cancelled|called off] the meeting at which its shareholders were to vote on {meeting_on}. "
                "[With the ban by the {court} there is no offer left to vote on.|There is nothing to vote on after "
                "the ruling of the {court}.]",
                delay=(200, 900),
            ),
        ),
    ),
    waiting=Report(
        "[{firm} not there yet|Still no closing for {target}|{target} purchase remains open]",
        "The purchase of {target} by {firm} [has not been completed|is not complete]. "
        "[The firms said on {on} that loans and registers take their time.|A spokesman said on {on} that some papers "
        "are missing.]",
    ),
    aftermath={
        "Yes": Report(
            "[{firm} completes purchase of {target}|{target} now belongs to {firm}]",
            "{firm} [completed|has completed] its purchase of {target}, [both firms announced on {on}|the register "
            "showed on {on}].",
        ),
        "No": Report(
            "[{firm} misses the date|No purchase of {target} by the deadline]",
            "{firm} had not completed its purchase of {target} when {deadline} ended. "
            "[The agreement has run out.|The firms have parted.]",
        ),
    },
    settles=False,
    sibling=Sibling(
        question="Will {chief} still be chief executive of {firm} at the end of {deadline}?",
        description=(
            "Resolves Yes if {chief} holds the office of chief executive of {firm} on {deadline} at 23:59 {city} "
            "time, by the firm's own statements. "
            "Otherwise it resolves No."
        ),
        strength=0.55,
    ),
)
