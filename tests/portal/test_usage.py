"""Usage in the portal: the figures of the API, drawn."""

from __future__ import annotations

import csv
import html
import io
import re
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest

from app import tenancy
from app.platform import clock
from app.platform.postgres import db
from app.portal.usage import report as pages
from app.portal.web.display import key_picker
from tests.cast import Cast, Player
from tests.portal.calls import called
from tests.portal.conftest import PortalClient, colleague, tight

Make = Callable[[Player], PortalClient]


def test_the_figures_are_those_of_the_api(member: Make, alice: Player) -> None:
    called(alice, 1234)
    called(alice, 17, status=500, credits=0)
    called(alice, 3, ago=timedelta(days=2), endpoint="/api/v1/usage", credits=0)
    visitor = member(alice)
    page = visitor.get("/portal/usage").text
    today = clock.today()
    asked = f"/api/v1/usage?from={today - timedelta(days=29)}&to={today}"
    totals = visitor.client.get(asked, headers=alice.auth).get_json()["totals"]
    assert (totals["calls"], totals["errors"], totals["credits_consumed"]) == (1254, 17, 1234)
    for name in ("calls", "errors", "credits_consumed"):
        assert f"<b>{totals[name]:,}</b>" in page
    assert page.count("<figure") == 4
    assert "1.4% of calls" in page
    assert 'scope="row" class="mono">/api/v1/usage<' in page


def test_thirty_days_are_the_same_days_on_every_page(member: Make, alice: Player) -> None:
    called(alice, 5, ago=timedelta(days=29))
    called(alice, 70, ago=timedelta(days=30))
    visitor = member(alice)
    for path, told in (
        ("/portal/", ">5<"),
        ("/portal/usage", "<b>5</b>"),
        ("/portal/keys", '"Calls in 30 days"><span>5</span>'),
        (f"/portal/keys/{alice.key_id}", "5 calls"),
    ):
        page = visitor.get(path).text
        assert told in tight(page) or told in page, path
    first = clock.today() - timedelta(days=29)
    page = visitor.get("/portal/usage").text
    assert f"/portal/requests?from={first}&amp;to={clock.today()}" in page
    assert f'value="{first}"' in page


def test_both_tables_are_put_in_order_by_the_same_figure(member: Make, alice: Player) -> None:
    called(alice, 9, endpoint="/api/v1/analyze")
    called(alice, 4, endpoint="/api/v1/usage", status=500, credits=0)
    visitor = member(alice)

    def order(query: str) -> list[str]:
        page = visitor.get(f"/portal/usage{query}").text
        return re.findall(r'scope="row" class="mono">([^<]+)<', page)

    assert order("") == ["/api/v1/analyze", "/api/v1/usage"]
    assert order("?sort=errors") == ["/api/v1/usage", "/api/v1/analyze"]
    assert visitor.get("/portal/usage?sort=errors").text.count('aria-sort="descending"') == 2


def test_before_the_first_call_the_page_says_what_will_be_here(member: Make, alice: Player) -> None:
    answer = member(alice).get("/portal/usage")
    assert answer.status_code == 200
    assert "No calls in this range" in answer.text
    assert "<figure" not in answer.text
    assert "usage.csv" not in answer.text


def test_each_filter_limits_the_figures(member: Make, alice: Player, cast: Cast) -> None:
    child = cast.child(alice)
    with db.reading() as session:
        (organization,) = tenancy.organizations_of(session, alice.account_id)
    other, _ = cast.key(alice.account_id)
    called(alice, 5)
    called(alice, 30, key_id=child.key_id)
    called(alice, 200, key_id=other, endpoint="/api/v1/usage")
    called(alice, 1000, ago=timedelta(days=60))
    visitor = member(alice)
    sixty = clock.today() - timedelta(days=70)
    for query, calls in (
        ("", "235"),
        (f"api_key_id={child.key_id}", "30"),
        (f"organization_id={organization.id}", "35"),
        ("endpoint=/api/v1/usage", "200"),
        (f"endpoint=/api/v1/usage&api_key_id={alice.key_id}", None),
        (f"from={sixty}", "1,235"),
        (f"from={sixty}&granularity=month", "1,235"),
    ):
        page = visitor.get(f"/portal/usage?{query}").text
        assert (f"<b>{calls}</b>" in page) if calls else ("No calls in this range" in page), query


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("from=2026-02-01&to=2026-01-01", "The first day is after the last day."),
        ("from=2020-01-01&to=2026-01-01", "Choose at most 366 days."),
        ("from=yesterday", "Enter the date as year-month-day"),
    ],
)
def test_a_wrong_range_is_said_at_its_field(member: Make, alice: Player, query: str, complaint: str) -> None:
    answer = member(alice).get(f"/portal/usage?{query}")
    assert answer.status_code == 422
    assert complaint in answer.text
    assert 'aria-describedby="from-err"' in answer.text


def test_the_edges_of_the_calendar_are_ranges_like_others(member: Make, alice: Player) -> None:
    visitor = member(alice)
    for query in ("from=0001-01-01&to=0001-01-01", "from=9999-12-01&to=9999-12-31", "to=0001-01-03"):
        assert visitor.get(f"/portal/usage?{query}").status_code == 200, query


def test_the_comparison_is_with_as_many_days_before(member: Make, alice: Player) -> None:
    called(alice, 30)
    called(alice, 20, ago=timedelta(days=7))
    week = clock.today() - timedelta(days=6)
    page = member(alice).get(f"/portal/usage?from={week}").text
    assert "50% more than the 7 days before" in page


def test_the_csv_is_the_one_of_the_api_with_credits_and_names(member: Make, alice: Player) -> None:
    called(alice, 12)
    called(alice, 1, status=429, credits=0)
    visitor = member(alice)
    path = f"from={clock.today() - timedelta(days=7)}&granularity=month"
    answer = visitor.get(f"/portal/usage.csv?{path}")
    assert answer.mimetype == "text/csv"
    assert "attachment" in answer.headers["Content-Disposition"]
    same = visitor.client.get(f"/api/v1/usage?{path}&format=csv", headers=alice.auth)
    lines = list(csv.reader(io.StringIO(answer.text)))
    assert [line[:6] for line in lines] == list(csv.reader(io.StringIO(same.text)))
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["endpoint"], row["calls"]) for row in rows] == [("/api/v1/analyze", "13")]
    assert [line[6:] for line in lines] == [
        ["rate_limited", "credits_consumed", "key_name"],
        ["1", "12", "test key"],
    ]
    assert visitor.get("/portal/usage.csv?from=2026-02-01&to=2026-01-01").status_code == 400


def test_this_month_and_the_last_are_a_click_away(member: Make, alice: Player) -> None:
    called(alice, 2)
    page = html.unescape(member(alice).get("/portal/usage").text)
    month = clock.today().replace(day=1)
    last = month - timedelta(days=1)
    assert f'href="/portal/usage?from={month}&granularity=day"' in page
    assert f'href="/portal/usage?from={last.replace(day=1)}&granularity=day&to={last}"' in page
    again = tight(member(alice).get(f"/portal/usage?from={month}&granularity=day").text)
    assert re.search(r'aria-current="true"> ?This month', again)


def test_keys_come_in_the_order_of_the_chosen_figure(
    member: Make, alice: Player, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheap, faulty = cast.key(alice.account_id)[0], cast.key(alice.account_id)[0]
    called(alice, 2, credits=5)
    called(alice, 9, key_id=cheap, credits=0)
    called(alice, 4, key_id=faulty, credits=0, status=500)
    visitor = member(alice)
    with db.reading() as session:
        keys = {key.id: key.key_prefix for key in tenancy.keys_of(session, alice.account_id)}
    # Of all keys the one with the most, not of those with the most calls.
    monkeypatch.setattr(pages, "ROWS", 1)
    for sort, first in (("calls", cheap), ("errors", faulty), ("credits", alice.key_id), ("x", cheap)):
        for path in ("/portal/usage", "/portal/usage/keys"):
            table = (
                tight(visitor.get(f"{path}?sort={sort}").text).split('id="by-key"')[1].split("</table>")[0]
            )
            shown = [prefix for prefix in keys.values() if f"{prefix}…" in table]
            assert shown == [keys[first]], (path, sort)
            assert table.count('aria-sort="descending"') == 1


def test_another_tenants_key_and_organization_are_not_there(
    member: Make, alice: Player, mallory: Player, cast: Cast
) -> None:
    organization = cast.organization(alice)
    called(alice, 77)
    visitor = member(mallory)
    for query in (
        f"api_key_id={alice.key_id}",
        f"organization_id={organization}",
        f"api_key_id={uuid.uuid4()}",
        "organization_id=1",
        "endpoint=%00",
    ):
        assert visitor.get(f"/portal/usage?{query}").status_code == 404, query
        assert visitor.get(f"/portal/usage.csv?{query}").status_code == 404, query
    assert "<b>77</b>" not in visitor.get("/portal/usage").text


@pytest.mark.parametrize(("role", "allowed"), [("admin", True), ("developer", True), ("compliance", False)])
def test_usage_is_for_those_who_manage_keys(
    member: Make, alice: Player, role: tenancy.Role, allowed: bool
) -> None:
    visitor = member(colleague(alice, role))
    for path in ("/portal/usage", "/portal/usage/keys", "/portal/usage/periods", "/portal/usage.csv"):
        assert visitor.get(path).status_code == (200 if allowed else 403), path
    assert ('href="/portal/usage"' in visitor.get("/portal/").text) is allowed


def test_a_year_by_day_stays_small_and_its_table_is_a_page(member: Make, alice: Player) -> None:
    import gzip

    for days in range(0, 366, 3):
        called(alice, 2, ago=timedelta(days=days))
    visitor, year = member(alice), f"from={clock.today() - timedelta(days=365)}"
    page = visitor.get(f"/portal/usage?{year}")
    assert len(gzip.compress(page.data)) < 40_000
    (address,) = re.findall(r'href="(/portal/usage/periods[^"]+)"', page.text)
    table = visitor.get(html.unescape(address))
    assert tight(table.text).count('<tr><th scope="row">') == 366
    assert tight(table.text).count('<td class="r">2</td>') == 2 * 122
    assert len(gzip.compress(table.data)) < 40_000
    # A week's stands below its charts.
    week = visitor.get(f"/portal/usage?from={clock.today() - timedelta(days=6)}").text
    assert "/portal/usage/periods" not in week
    assert week.count("<figure") == 4
    assert len(re.findall(r'<tr><th scope="row">\w{3} \d', tight(week))) == 7


def test_among_many_keys_the_busiest_come_after_the_page(
    member: Make, alice: Player, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_picker, "OFFERED", 3)
    monkeypatch.setattr(pages, "ROWS", 2)
    made = [cast.key(alice.account_id)[0] for _ in range(4)]
    for times, key_id in enumerate(made, start=5):
        called(alice, times, key_id=key_id)
    visitor = member(alice)
    page = visitor.get("/portal/usage?endpoint=/api/v1/analyze").text
    assert "<b>26</b>" in page
    assert "the 2 keys with the most calls" not in page
    (address,) = set(re.findall(r'(?:href|hx-get)="(/portal/usage/keys[^"]+)"', page))
    address = html.unescape(address)
    assert "endpoint=%2Fapi%2Fv1%2Fanalyze" in address
    whole = visitor.get(address).text
    part = visitor.get(address, headers={"HX-Request": "true"}).text
    assert "<h1>Busiest keys</h1>" in whole
    assert part.startswith('<section class="box" id="by-key"')
    assert part in whole
    assert "the first 2 keys in this order, of 4 with calls" in part
    assert re.findall(r'data-label="Calls"><span>(\d+)', part) == ["8", "7", "26"]
    # One key's and a small organization's are in the page; beyond a month of more than a thousand, in none.
    one = visitor.get(f"/portal/usage?api_key_id={made[0]}").text
    assert "/portal/usage/keys" not in one
    assert 'data-label="Calls"><span>5<' in one
    monkeypatch.setattr(pages, "_MANY_KEYS", 4)
    quarter = f"from={clock.today() - timedelta(days=90)}"
    page = visitor.get(f"/portal/usage?{quarter}").text
    assert "With more than 4 keys in use" in page
    assert "/portal/usage/keys" not in page


@pytest.mark.parametrize("part", ["keys", "periods"])
def test_a_part_of_what_cannot_be_asked_leads_to_the_form_that_says_why(
    member: Make, alice: Player, part: str
) -> None:
    visitor, query = member(alice), "from=2026-02-01&to=2026-01-01"
    answer = visitor.get(f"/portal/usage/{part}?{query}")
    assert (answer.status_code, answer.location) == (303, f"/portal/usage?{query}")
    answer = visitor.get(f"/portal/usage/{part}?{query}", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, f"/portal/usage?{query}")


def test_usage_speaks_spanish(member: Make, alice: Player) -> None:
    called(alice, 1500)
    visitor = member(alice)
    visitor.client.set_cookie("language", "es")
    page = visitor.get("/portal/usage").text
    assert "<b>1.500</b>" in page
    assert "El 95 % se responde en" in page


def test_with_many_keys_one_is_searched_by_name_or_beginning(
    member: Make, alice: Player, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_picker, "OFFERED", 3)
    made = [cast.key(alice.account_id)[0] for _ in range(4)]
    with db.transaction() as session:
        for key_id, name in zip(made, ("Olmo", "Olmo 2", "Ribera", "Vidal"), strict=True):
            tenancy.rename_key(session, tenancy.own_key(session, alice.account_id, key_id), name)
    called(alice, 5, key_id=made[0])
    called(alice, 7, key_id=made[2])
    visitor = member(alice)
    page = visitor.get("/portal/usage").text
    assert 'list="api_key_id-list"' in page
    assert page.count('<option value="svc_') == 3
    # A part of one name, the whole of one that others begin with, the beginning of a key, an id.
    with db.reading() as session:
        beginning = next(
            key.key_prefix for key in tenancy.keys_of(session, alice.account_id) if key.id == made[2]
        )
    for typed, calls in (("riber", "7"), ("Olmo", "5"), (beginning, "7"), (str(made[2]), "7")):
        page = visitor.get("/portal/usage", query_string={"api_key_id": typed}).text
        assert f"<b>{calls}</b>" in page, typed
    for typed, said in (("olm", "2 keys match."), ("nobody", "No key has this name or prefix.")):
        answer = visitor.get("/portal/usage", query_string={"api_key_id": typed})
        assert answer.status_code == 422
        assert said in answer.text
