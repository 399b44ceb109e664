" Which files hold conversations; for Vim and Neovim.
" `set` and not `setfiletype`: for *.md and *.json others have spoken already.

autocmd BufNewFile,BufRead *.msg.md set filetype=msgmd
autocmd BufNewFile,BufRead *.stf set filetype=stf
autocmd BufNewFile,BufRead *.messages.json,*.messages.jsonl,*.deltas.jsonl,*.session.jsonl set filetype=msgjson
autocmd BufNewFile,BufRead *.md call msgls#Detect()
