" ChatBuilder messages: a header of lines with `;`, and Markdown.

if exists('b:current_syntax')
  finish
endif
runtime! syntax/markdown.vim
unlet! b:current_syntax

syntax match chatbuilderHeader /^;.*$/ contains=chatbuilderField,chatbuilderRole
syntax match chatbuilderField /^;\s*\zs[A-Za-z-]\+\ze\s*:/ contained
syntax match chatbuilderRole /^;\s*role\s*:\s*\zs\S\+/ contained

highlight default link chatbuilderHeader Comment
highlight default link chatbuilderField Identifier
highlight default link chatbuilderRole Statement

let b:current_syntax = 'chatbuilder'
