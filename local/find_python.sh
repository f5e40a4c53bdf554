#!/bin/sh
# Prints the path of a Python 3.13; without one, installs it where it may, or says how and fails.
uv=$(command -v uv)
for python in "$(command -v python3.13)" \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python3.13 \
    "${UV_PYTHON_INSTALL_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/uv/python}"/cpython-3.13*/bin/python3.13 \
    /usr/local/bin/python3.13 /opt/*/bin/python3.13; do
    # A pyenv shim exists for every version ever installed: one must run it to know.
    # It must be 3.13.x, for which the layers are built, and have ensurepip, which venv needs and
    # Debian packages apart.
    found=$("$python" -c 'import ensurepip, sys; print(sys.executable)' 2>/dev/null) || continue
    echo "$found"
    exit 0
done
# uv may be told to fetch no Python, and a network may not let it: then the others are tried.
if [ -n "$uv" ] && [ -z "$FETCHED" ]; then
    echo "installing Python 3.13: uv python install 3.13" >&2
    "$uv" python install 3.13 >&2 && FETCHED=1 exec sh "$0"
fi
install="apt-get install -y python3.13 python3.13-venv"
if apt-cache show python3.13-venv >/dev/null 2>&1; then
    [ "$(id -u)" = 0 ] || install="sudo $install"
    if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then
        echo "installing Python 3.13: $install" >&2
        $install >&2 && exec sh "$0"
    fi
elif [ -n "$uv" ]; then
    install="uv python install 3.13"
else
    install="curl -fsSL https://astral.sh/uv/install.sh | sh && uv python install 3.13"
fi
echo "Python 3.13 is missing (looked on PATH, in pyenv's and uv's folders, /usr/local and /opt). Get it with: $install" >&2
exit 1
