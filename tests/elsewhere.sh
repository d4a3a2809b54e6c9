#!/usr/bin/env bash
# Runs tests as on somebody else's machine; `make test-elsewhere` names them, see CONTRIBUTING.md.
#
# An ordinary user who can read nothing of root's, in a folder with a blank and a letter outside
# ASCII in its name, with an umask that hides new files, in another time zone, without HOME and a
# language, and with SIGINT and SIGHUP ignored. Needs root to make that user, and removes it again.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "The tests elsewhere are skipped: $1"
	exit 0
}
PATH=$PATH:/usr/sbin
[ "$(id -u)" = 0 ] || skip "only root can run them as another user."
for tool in git useradd userdel setpriv pkill; do
	command -v "$tool" > /dev/null || skip "$tool is not installed."
done

place=$(mktemp -d "/var/tmp/acquire ä.XXXXXX")
user=acquire-test-$$
clean_up() {
	pkill -KILL -u "$user" || true
	userdel "$user" || true
	rm -rf "$place"
}
useradd --no-create-home --home-dir "$place/home" "$user"
trap clean_up EXIT
chmod 711 "$place"
path=/usr/local/bin:/usr/bin:/bin
as_user() {
	setpriv --reuid="$user" --regid="$user" --init-groups env -i "PATH=$path" "$@"
}
python=$(PATH=$path command -v python3 || echo python3)
as_user "$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null ||
	skip "no Python 3.11 outside root's home can make a venv (apt-get install python3-venv)."

# what was downloaded for this checkout is copied, not linked: the user will own it
mkdir "$place/My Folder"
git ls-files -z | tar --null --create --files-from - | tar --extract --directory "$place/My Folder"
UV_LINK_MODE=copy make --no-print-directory -C "$place/My Folder" PYTHON="$python" setup > /dev/null
mkdir "$place/home" "$place/tmp"
chmod -R go= "$place"/*
chown -R "$user:" "$place"/*

trap '' INT HUP
cd "$place/My Folder"
umask 077
as_user LC_ALL=C .venv/bin/acquire --version > /dev/null # a language without that letter
as_user "TMPDIR=$place/tmp" TZ=Pacific/Chatham \
	.venv/bin/python -m pytest --numprocesses "${JOBS:-3}" --dist loadfile -q "$@"
