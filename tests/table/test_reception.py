"""Who makes room when too many connections have not signed up."""

from functools import partial

from acquire.admin.refereeing.table.reception import MAX_SILENT, LimitedCrowd


def crowd_of(dropped: list[int], addresses: list[str]) -> LimitedCrowd:
    crowd = LimitedCrowd()
    for number, address in enumerate(addresses):
        crowd.enter(number, address, partial(dropped.append, number))
    return crowd


def test_oldest_of_the_address_with_the_most_makes_room() -> None:
    dropped: list[int] = []
    players = ["10.0.0.1:1", "10.0.0.2:1"]
    crowd_of(dropped, [*players, *(f"10.0.0.9:{port}" for port in range(MAX_SILENT))])
    assert dropped == [2, 3]


def test_who_has_signed_up_or_gone_counts_no_more() -> None:
    dropped: list[int] = []
    crowd = crowd_of(dropped, [f"10.0.0.9:{port}" for port in range(MAX_SILENT)])
    crowd.leave(0)
    crowd.leave(0)
    crowd.enter("late", "10.0.0.1:1", partial(dropped.append, -1))
    assert dropped == []
    crowd.enter("later", "10.0.0.1:2", partial(dropped.append, -1))
    assert dropped == [1]
