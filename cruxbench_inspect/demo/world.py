"""Invented places, each with a real IANA time zone, and the newspapers that write about them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A city of the demo's world.

    Attributes:
        city: Its name.
        country: The country that it lies in.
        people: The country's adjective.
        zone: IANA name of its time zone.
        papers: Names of the sources that report from it.
    """

    city: str
    country: str
    people: str
    zone: str
    papers: tuple[str, str, str]


WIRE = "Meridian Wire"
"""The news agency that reports from everywhere."""

PLACES = {
    place.city: place
    for place in (
        Place("Velmar", "Sarovia", "Sarovian", "Europe/Vienna", ("Velmar Courier", "Sarovian Radio", WIRE)),
        Place("Ostrellin", "Kaldria", "Kaldrian", "Europe/Helsinki", ("Ostrellin Post", "Kaldria Today", WIRE)),
        Place("Dunmarrow", "Eskland", "Esklander", "Europe/London", ("Dunmarrow Chronicle", "Eskland Eye", WIRE)),
        Place("Port Ansgar", "Tollany", "Tollanian", "America/Halifax", ("Ansgar Tide", "Tollany Herald", WIRE)),
        Place("Loranth", "Merrivia", "Merrivian", "America/New_York", ("Loranth Ledger", "Merrivia Now", WIRE)),
        Place("Pellagro", "Quintara", "Quintaran", "America/Sao_Paulo", ("Pellagro Diary", "Quintara Voice", WIRE)),
        Place("Kasumori", "Takemira", "Takemiran", "Asia/Tokyo", ("Kasumori Morning", "Takemira Business", WIRE)),
        Place("Sundarin", "Vaskara", "Vaskaran", "Asia/Kolkata", ("Sundarin Mail", "Vaskara Standard", WIRE)),
        Place("Wirranook", "Tarrabee", "Tarrabean", "Australia/Adelaide", ("Wirranook Star", "Tarrabee Times", WIRE)),
        Place("Nuvela", "Oronui", "Oronuian", "Pacific/Auckland", ("Nuvela Press", "Oronui Report", WIRE)),
        Place("Hraunvik", "Isfold", "Isfolder", "Atlantic/Reykjavik", ("Hraunvik News", "Isfold Radio", WIRE)),
        Place("Carrowell", "Delmoria", "Delmorian", "America/Denver", ("Carrowell Record", "Delmoria Mirror", WIRE)),
    )
}
"""Every place by the name of its city."""
