" What is typed is what is in the file: a new line is not indented.

if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal noautoindent nosmartindent nocindent indentexpr=
let b:undo_indent = 'setlocal autoindent< smartindent< cindent< indentexpr<'
