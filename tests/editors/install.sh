#!/bin/sh
# Installs the editors that the tests in this folder drive, where that may be done: as root
# on a system with apt. Elsewhere it says what is missing. It never fails: whether a missing
# editor is one, the tests know.
#
# Usage: install.sh STAMP, the file that says that all was there.
set -u
stamp=$1

are_there() {
    command -v nvim > /dev/null && command -v emacs > /dev/null
}

has_eglot() {
    emacs -q --batch --eval "(progn (package-initialize) (require 'eglot))" > /dev/null 2>&1
}

install() {
    # Newer systems have it in Emacs itself.
    eglot=$(apt-cache --names-only search '^elpa-eglot$' | cut -d ' ' -f 1)
    # shellcheck disable=SC2086 # no word where there is no such package
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y \
        --no-install-recommends neovim emacs-nox $eglot
}

if are_there && { test -e "$stamp" || has_eglot; }; then
    touch "$stamp"
    exit 0
fi
if test "$(id -u)" = 0 && command -v apt-get > /dev/null; then
    echo "installing Neovim and Emacs for tests/editors"
    log=$(mktemp)
    { apt-get -qq -o Acquire::Retries=3 update && install; } > "$log" 2>&1 || tail -n 20 "$log"
    rm -f "$log"
fi
if are_there && has_eglot; then
    touch "$stamp"
else
    echo "******** REAL EDITORS ARE NOT ALL TESTED: nvim, emacs or eglot is missing. ********" >&2
    echo "******** Debian has them: apt-get install neovim emacs-nox elpa-eglot ********" >&2
fi
exit 0
