"""News about other things, for searches to get past."""

from cruxbench_inspect.demo.story import Report

FILLERS = (
    Report(
        "[Lantern festival fills {city}|{city} lights ten thousand lanterns]",
        "[Ten thousand lanterns|Thousands of lanterns] hung over the old streets of {city} on {on}. "
        "[Hotels were full.|The mayor opened the festival with a short speech.] "
        "[It rained only a little.|Next year it will last a day longer.]",
    ),
    Report(
        "[New tram line for {city}|{city} plans a tram to the airport]",
        "The council of {city} [voted on {on} to build|decided on {on} to build] a tram line to the airport. "
        "[Work is to begin in two years.|It will have eleven stops.] "
        "[The money is not all there.|Residents along the line are divided.]",
    ),
    Report(
        "[Court in {city} rules on noise of windmills|Windmills near {city} may turn at night]",
        "An administrative court in {city} ruled on {on} that four windmills may turn at night. "
        "[Neighbours had complained.|The farmer who owns them was pleased.]",
    ),
    Report(
        "[{people} football side draws|No goals for {country}]",
        "{country} [drew without a goal|drew one all] in front of a full stadium in {city} on {on}. "
        "[The coach praised the defence.|The coach asked for patience.]",
    ),
    Report(
        "[Strike of bakers in {city} ends after a day|Bread again in {city}]",
        "Bakers in {city} went back to work on {on} [after a strike of one day|after one day on strike]. "
        "[They get a new oven allowance.|Shops had run out of rolls by noon.]",
    ),
    Report(
        "[Library of {city} reopens its reading room|Readers return to {city}'s library]",
        "The library of {city} reopened its reading room on {on} [after two years|after long repairs]. "
        "[The first reader came at dawn.|A glass roof lets in the light.]",
    ),
    Report(
        "[{people} bees do well|Good year for honey in {country}]",
        "Beekeepers in {country} expect a good year, their association said on {on}. "
        "[Mild weather helped.|Lime trees bloomed early.] "
        "[Prices will stay where they are.|A jar may become a little cheaper.]",
    ),
    Report(
        "[Poll: people in {city} content with buses|{city} likes its buses]",
        "Two thirds of the people in {city} are content with their buses, a poll published on {on} says. "
        "[Only Sunday service is criticised.|The young are harder to please.]",
    ),
    Report(
        "[Bank branch in {city} becomes a café|Coffee instead of coins in {city}]",
        "A bank branch in the centre of {city} became a café on {on}. "
        "[The vault holds the beans.|Guests sit behind the old counters.] "
        "[Rates are listed on the wall, for fun.|The bank had moved out in spring.]",
    ),
)
