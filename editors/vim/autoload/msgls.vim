" What a file named *.md is, and where the cells of a message file are; for Vim and Neovim.

let s:marker = '^#\{1,5}\s\+%%%\?%\@!'

" A plain *.md is a message file if its frontmatter names a section for one, and a ChatBuilder
" message if it is called by a number and starts like one. All others stay Markdown.
function! msgls#Detect() abort
  if &filetype ==# 'msgmd'
    return
  endif
  let head = getline(1, 50)
  if get(head, 0, '') =~# '^\%ufeff\=---\s*$'
    for line in head[1:]
      if line =~# '^\%(---\|\.\.\.\)\s*$'
        break
      elseif line =~# '^message_section\s*:'
        set filetype=msgmd
        return
      endif
    endfor
  endif
  if expand('%:t') =~# '^\d\+\.md$' && expand('%:p') !~# '[/\\]trees[/\\]'
    let inside = expand('%:p:h:h:t') ==# 'messages'
    if get(head, 0, '') =~# '^;' || (inside && match(head[:19], '^;\|^role:\|Block-UUID') >= 0)
      set filetype=chatbuilder
    endif
  endif
endfunction

" Where a line starts a cell, the fold starts: for 'foldexpr'.
function! msgls#Fold(lnum) abort
  let hashes = getline(a:lnum) =~# s:marker ? matchstr(getline(a:lnum), '^#\+') : ''
  return empty(hashes) ? '=' : '>' . len(hashes)
endfunction

" To the next cell, or with 'b' to the one before.
function! msgls#Go(flags, count) abort
  for _ in range(a:count)
    call search(s:marker, 'W' . a:flags)
  endfor
endfunction
