" Messages, deltas and sessions are JSON, one value a line or all in an array.

if exists('b:current_syntax')
  finish
endif
runtime! syntax/json.vim
let b:current_syntax = 'msgjson'
