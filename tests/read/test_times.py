from datetime import UTC, date, datetime

import pyarrow as pa
import pytest

from neardup.read.times import Clock, parse_time

SPELLINGS = {
    "2020-01-02": (2020, 1, 2),
    "2020-1-2": (2020, 1, 2),
    "2020/1/2": (2020, 1, 2),
    "2020-01-02T03:04Z": (2020, 1, 2, 3, 4),
    "2020-01-02T03:04:05+02:00": (2020, 1, 2, 1, 4, 5),
    "2020-01-02 03:04:05.123456789": (2020, 1, 2, 3, 4, 5, 123456),
    "2020-01-02 03:04:05 UTC": (2020, 1, 2, 3, 4, 5),
    "2020-01-02 03:04:05 -0500": (2020, 1, 2, 8, 4, 5),
    "20200102": (2020, 1, 2),
    "20200102030405": (2020, 1, 2, 3, 4, 5),
    "2020-05": (2020, 5, 1),
    "2020": (2020, 1, 1),
    "1/2/2020": (2020, 1, 2),
    "01/02/2020 3:04": (2020, 1, 2, 3, 4),
    "1/2/2020 3:04:05 PM": (2020, 1, 2, 15, 4, 5),
    "1/2/2020 12:04 AM": (2020, 1, 2, 0, 4),
    "1/2/87": (1987, 1, 2),
    "25/12/2020": (2020, 12, 25),
    "2.1.2020": (2020, 1, 2),
    "26-FEB-1987 15:01:01.79": (1987, 2, 26, 15, 1, 1, 790000),
    "19 Mar 93 20:10:23 GMT": (1993, 3, 19, 20, 10, 23),
    "Mon, 20 Nov 1995 19:12:08 -0500": (1995, 11, 21, 0, 12, 8),
    "Thu Mar 24 12:00:00 EST 2011": (2011, 3, 24, 17),
    "Feb 3, 2021": (2021, 2, 3),
    "February 3rd, 2021 3:04 pm": (2021, 2, 3, 15, 4),
    "3 Sept. 2021": (2021, 9, 3),
    "1355261610": (2012, 12, 11, 21, 33, 30),
    "1355261610.5": (2012, 12, 11, 21, 33, 30, 500000),
    "1355261610123": (2012, 12, 11, 21, 33, 30, 123000),
}
NO_TIMES = ["unknown", "2020-02-30", "13/13/2020", "0000-00-00", "99", "-1", "12:30", "2020-01-02T25:00", "٣"]


@pytest.mark.parametrize(("spelling", "moment"), SPELLINGS.items())
def test_times_of_many_notations_are_parsed(spelling, moment):
    expected = datetime(*moment, tzinfo=UTC)
    assert parse_time(spelling) == expected
    assert Clock().read_column(pa.array([spelling, f" {spelling}\n"], pa.large_string())).to_pylist() == [expected] * 2


def test_column_of_many_notations_is_parsed():
    clock = Clock()
    column = [*SPELLINGS, *NO_TIMES, "", " ", None]
    found = clock.read_column(pa.array(column, pa.large_string())).to_pylist()
    assert found == [datetime(*moment, tzinfo=UTC) for moment in SPELLINGS.values()] + [None] * (len(NO_TIMES) + 3)
    assert clock.unparsed == len(NO_TIMES)


@pytest.mark.parametrize("spelling", NO_TIMES)
def test_other_values_are_not_times(spelling):
    assert parse_time(spelling) is None


def test_invalid_date_does_not_affect_its_neighbours():
    column = ["2020-01-02T03:04:05Z"] * 1000 + ["2020-02-30"] + ["2020-01-02"] * 1000
    clock = Clock()
    assert clock.read_column(pa.array(column, pa.large_string())).null_count == 1
    assert clock.unparsed == 1


def test_column_that_can_only_be_day_first_is_day_first():
    found = Clock().read_column(pa.array(["3/4/2020", "25/4/2020"], pa.large_string())).to_pylist()
    assert [(time.month, time.day) for time in found] == [(4, 3), (4, 25)]
    clock = Clock()
    clock.read_column(pa.array(["25/4/2020"], pa.large_string()))
    assert clock.read_column(pa.array(["3/4/2020"], pa.large_string()))[0].as_py().month == 4


@pytest.mark.parametrize(
    ("column", "moment"),
    [
        (pa.array([1355261610, None]), (2012, 12, 11, 21, 33, 30)),
        (pa.array([1355261610123456789, None]), (2012, 12, 11, 21, 33, 30, 123457)),
        (pa.array([1.3552616105e9, float("nan")]), (2012, 12, 11, 21, 33, 30, 500000)),
        (pa.array([2019, None]), (2019, 1, 1)),
        (pa.array([20190203, None]), (2019, 2, 3)),
        (pa.array([date(2020, 1, 2), None]), (2020, 1, 2)),
        (pa.array([datetime(2020, 1, 2, 3), None], pa.timestamp("ns")), (2020, 1, 2, 3)),
        (pa.array([datetime(2020, 1, 2, 3, tzinfo=UTC), None], pa.timestamp("s", "Asia/Tokyo")), (2020, 1, 2, 3)),
        (pa.array(["1/2/2020", None]).dictionary_encode(), (2020, 1, 2)),
    ],
)
def test_columns_of_other_types_are_converted(column, moment):
    found = Clock().read_column(column)
    assert found.type == pa.timestamp("us", "UTC")
    assert found.to_pylist() == [datetime(*moment, tzinfo=UTC), None]


def test_columns_without_times_give_null():
    assert Clock().read_column(pa.array([[1], None])).to_pylist() == [None, None]
