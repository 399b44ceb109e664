" Message files: cells fold, and [[ and ]] go from one to the next.

if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=<!--\ %s\ -->
setlocal foldmethod=expr foldexpr=msgls#Fold(v:lnum) foldlevel=99
noremap <buffer> <silent> ]] :<C-U>call msgls#Go('', v:count1)<CR>
noremap <buffer> <silent> [[ :<C-U>call msgls#Go('b', v:count1)<CR>

let b:undo_ftplugin = 'setlocal commentstring< foldmethod< foldexpr< foldlevel<'
      \ . ' | silent! unmap <buffer> ]]| silent! unmap <buffer> [['
