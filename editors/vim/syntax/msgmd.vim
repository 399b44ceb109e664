" Message files: Markdown, and the headers and definitions of cells.

if exists('b:current_syntax')
  finish
endif
runtime! syntax/markdown.vim
unlet! b:current_syntax

syntax match msgmdHeader /^#\{1,5}\s\+%%%\?%\@!.*$/ contains=msgmdMessageMarker,msgmdOutputMarker,msgmdId
syntax match msgmdMessageMarker /^#\{1,5}\s\+%%%\@!/ contained
syntax match msgmdOutputMarker /^#\{1,5}\s\+%%%%\@!/ contained
syntax match msgmdId /\[^[^][ \t]\+\]/ contained
syntax match msgmdDefinition /^\[^[^][ \t]\+\]:\s\+\[[^][]\+\]\%(\s.*\)\?$/ contains=msgmdId,msgmdType,msgmdKey,msgmdValue
syntax match msgmdType /:\s\+\zs\[[^][]\+\]/ contained
syntax match msgmdKey /\s\zs[A-Za-z_][A-Za-z0-9_-]*\ze=/ contained
syntax match msgmdValue /=\zs\%("\%(\\.\|[^"\\]\)*"\|'\%(\\.\|[^'\\]\)*'\|[^"' \t]\+\)/ contained
syntax match msgmdStdout /^stdout>/
syntax match msgmdStderr /^stderr>/
syntax match msgmdEscape /^\\\ze\%(#\|\[^\)/

highlight default link msgmdHeader Title
highlight default link msgmdMessageMarker Statement
highlight default link msgmdOutputMarker PreProc
highlight default link msgmdId Identifier
highlight default link msgmdType Type
highlight default link msgmdKey Keyword
highlight default link msgmdValue String
highlight default link msgmdStdout Comment
highlight default link msgmdStderr WarningMsg
highlight default link msgmdEscape SpecialChar

let b:current_syntax = 'msgmd'
