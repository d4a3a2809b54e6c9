#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image: it installs what grading needs.
#
# ACQUIRE is the folder to install to. With PACKAGES=none no package of the system is installed.
set -euo pipefail
SOURCE=${SOURCE:-/autograder/source}
ACQUIRE=${ACQUIRE:-/opt/acquire}

# acquire needs Python 3.11 or later, which older images have under another name
find_python() {
    for each in python3 python3.11 python3.12 python3.13 python3.14; do
        if "$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            echo "$each"
            return
        fi
    done
}

if [ "${PACKAGES:-all}" != none ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    # bubblewrap keeps students' programs apart; a JDK, node and Python are for programs in them
    apt-get install --yes --no-install-recommends \
        bubblewrap default-jdk-headless libseccomp2 nodejs procps python3 python3-venv util-linux
    if [ -z "$(find_python)" ]; then
        apt-get install --yes --no-install-recommends python3.11 python3.11-venv
    fi
fi

PYTHON=$(find_python)
if [ -z "$PYTHON" ]; then
    echo "No Python 3.11 or later was found. Choose a newer image for the assignment." >&2
    exit 1
fi
"$PYTHON" -m venv "$ACQUIRE"
# pyseccomp is for the sandbox of bubblewrap
"$ACQUIRE/bin/python" -m pip install --quiet "$SOURCE"/acquire_referee-*.whl pyseccomp
"$ACQUIRE/bin/acquire" check --list > /dev/null  # fails here, and not for each submission

# builds what students hand in; it can read neither the hidden cases nor the results
id acquire-builder > /dev/null 2>&1 || useradd --system --shell /usr/sbin/nologin acquire-builder
chmod -R go= "$SOURCE"
