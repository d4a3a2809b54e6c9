"""What a spectator may not see before the end: hands where they are hidden, and hidden assets."""

from admin.view.frames import Frame
from game.rulebook import Assets, Hands, Rulebook


def without_secrets(step: Frame, rulebook: Rulebook) -> Frame:
    """Return a step as a spectator may see it during the match."""
    hidden = []
    if rulebook.hands is not Hands.OPEN:
        hidden.append("hand")
    if rulebook.assets is Assets.HIDDEN:
        hidden += ["cash", "shares", "worth"]
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
