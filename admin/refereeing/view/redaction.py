"""What a spectator may not see before the end: hands where they are hidden, and hidden assets."""

from ....game.rulebook import Hands, Rulebook
from .frames import Frame


def hidden_assets(rulebook: Rulebook) -> list[str]:
    """Return which fields of a player in a frame are hidden from the others.

    The worth of a player is hidden with either part of it, bonuses with the certificates.

    >>> from acquire.game.rulebook import with_hidden_assets
    >>> from acquire.game.rulebooks import DIGEST
    >>> hidden_assets(with_hidden_assets(DIGEST, "cash"))
    ['cash', 'worth']
    """
    parts = {"cash": rulebook.assets.hides_cash, "shares": rulebook.assets.hides_certificates}
    hidden = [part for part, is_hidden in parts.items() if is_hidden]
    if rulebook.assets.hides_certificates:
        hidden.append("bonus")
    return [*hidden, "worth"] if hidden else []


def without_secrets(step: Frame, rulebook: Rulebook) -> Frame:
    """Return a step as a spectator may see it during the game."""
    hidden = _hidden(rulebook)
    if not hidden:
        return step
    seen = {key: value for key, value in step.items() if key != "secret"}
    if "players" in seen:
        players = {
            place: {key: value for key, value in what.items() if key not in hidden}
            for place, what in seen["players"].items()
        }
        seen["players"] = {place: what for place, what in players.items() if what}
    return seen


def as_seen_by(step: Frame, rulebook: Rulebook, place: int) -> Frame:
    """Return a step as the player at a place may see it during the game."""
    hidden, assets = _hidden(rulebook), rulebook.assets
    if not hidden:
        return step
    own = ["bonus", "worth"] if assets.hides_certificates else []
    seen = {key: value for key, value in step.items() if key != "secret"}
    if step.get("player") == place:
        seen |= step.get("secret", {})
    if "players" in seen:
        players = {
            at: {
                key: value
                for key, value in what.items()
                if key not in (own if at == str(place) else hidden)
            }
            for at, what in seen["players"].items()
        }
        seen["players"] = {at: what for at, what in players.items() if what}
    return seen


def secrets_of(step: Frame, rulebook: Rulebook) -> Frame:
    """Return what :func:`without_secrets` takes out of a step."""
    hidden = _hidden(rulebook)
    taken = {"secret": step["secret"]} if hidden and "secret" in step else {}
    players = {
        place: {key: value for key, value in what.items() if key in hidden}
        for place, what in step.get("players", {}).items()
    }
    if players := {place: what for place, what in players.items() if what}:
        taken["players"] = players
    return taken


def _hidden(rulebook: Rulebook) -> list[str]:
    """Return which fields of a player in a frame a spectator may not see."""
    hands = [] if rulebook.hands is Hands.OPEN else ["hand"]
    return hands + hidden_assets(rulebook)
