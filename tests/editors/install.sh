#!/bin/sh
# Installs the editors that the tests in this folder drive, where that may be done: as root
# on a system with apt. Elsewhere it says what is missing. It never fails: whether a missing
# editor is one, the tests know.
#
# VS Code itself is not among them: `make vscode` gets it from the npm registry. What it needs
# is: a browser, and letters for every script that the tests write in.
#
# Usage: install.sh STAMP, the file that says that all was there.
set -u
stamp=$1
# Which packages the stamp is for: another list is installed again.
packages="neovim vim vim-ale emacs-nox chromium fonts-dejavu-core fonts-noto-color-emoji fonts-wqy-microhei"

are_there() {
    command -v nvim > /dev/null && command -v vim > /dev/null &&
        command -v emacs > /dev/null && has_browser
}

has_browser() {
    test -n "${CHROMIUM:-}" && return
    for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
        command -v "$name" > /dev/null && return
    done
    return 1
}

has_eglot() {
    emacs -q --batch --eval "(progn (package-initialize) (require 'eglot))" > /dev/null 2>&1
}

has_ale() {
    vim -u NONE -i NONE -es --cmd 'silent! packadd ale' \
        --cmd 'if exists(":ALEInfo") | qall | else | cquit | endif' > /dev/null 2>&1
}

is_stamped() {
    test -e "$stamp" && test "$(cat "$stamp")" = "$packages"
}

install() {
    # Newer systems have it in Emacs itself.
    eglot=$(apt-cache --names-only search '^elpa-eglot$' | cut -d ' ' -f 1)
    # As do these Helix.
    helix=$(apt-cache --names-only search '^hx$' | cut -d ' ' -f 1)
    # shellcheck disable=SC2086 # each word is a package, and there may be no such one
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y \
        --no-install-recommends $packages $eglot $helix
}

if are_there && is_stamped; then
    exit 0
fi
if test "$(id -u)" = 0 && command -v apt-get > /dev/null; then
    echo "installing Neovim, Vim, Emacs and Chromium for tests/editors"
    log=$(mktemp)
    { apt-get -qq -o Acquire::Retries=3 update && install; } > "$log" 2>&1 || tail -n 20 "$log"
    rm -f "$log"
fi
if are_there && has_eglot && has_ale; then
    echo "$packages" > "$stamp"
else
    echo "******** REAL EDITORS ARE NOT ALL TESTED: nvim, vim, vim-ale, emacs, eglot or chromium is missing. ********" >&2
    echo "******** Debian has them: apt-get install $packages elpa-eglot ********" >&2
fi
exit 0
