# Sourced by scripts/play, scripts/train and scripts/test: the virtual environment of this checkout.
#
#   set_up NAME SPEC [TIME]   makes .venv if needed and installs SPEC (a pip requirement such as
#                             '.[dev]') into it, once for each state of pyproject.toml,
#                             scripts/constraints.txt and the checkout's own folder.
#
# PYTHON names the interpreter to use; otherwise the first one that is new enough.

venv=.venv

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 2
}

find_python() {
    local candidate
    local candidates=(python3 python3.14 python3.13 python3.12 python3.11 python)
    if [[ -n ${PYTHON:-} ]]; then
        candidates=("$PYTHON")
    fi
    for candidate in "${candidates[@]}"; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "bgai needs Python 3.11 or newer, and none of these is: ${candidates[*]}." \
        "Install one, or name it: PYTHON=/path/to/python3.12 $0"
}

make_venv() {
    local python
    python=$(find_python) || exit 2
    echo "Making the virtual environment $venv with $("$python" --version) ..."
    "$python" -m venv --clear "$venv" >/dev/null 2>&1 || {
        rm -rf "$venv"
        fail "'$python -m venv' failed. On Debian and Ubuntu install the package python3-venv" \
            "(apt install python3-venv), or name another interpreter: PYTHON=... $0"
    }
}

set_up() {
    local name=$1 spec=$2
    local stamp="$venv/.installed-$name" place="$venv/.checkout" state
    state=$(cat pyproject.toml scripts/constraints.txt | cksum)
    # A virtual environment holds absolute paths: one that moved with its checkout is made anew.
    if [[ ! -x $venv/bin/python || $(cat "$place" 2>/dev/null) != "$PWD" ]]; then
        make_venv
        echo "$PWD" >"$place"
    fi
    if [[ $(cat "$stamp" 2>/dev/null) == "$state" ]]; then
        return
    fi
    echo "Installing bgai and what it needs for '$name' (once; ${3:-a minute or two}) ..."
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --constraint scripts/constraints.txt --editable "$spec" ||
        fail "the installation failed; pip's message is above. Run $0 again to go on."
    echo "$state" >"$stamp"
}
