" What ALE is told of the server. ALE finds ale_linters/ on the runtimepath by itself.
"
" g:msgls_command is the program with its arguments; g:msgls_settings are the server's settings.

" ALE counts columns in bytes, whatever a server says: so must this one.
let s:options = {'positionEncoding': 'utf-8'}

function! msgls#ale#Define(filetype) abort
  " Neovim starts the server by itself.
  if has('nvim')
    return
  endif
  call ale#linter#Define(a:filetype, {
  \   'name': 'msgls',
  \   'lsp': 'stdio',
  \   'executable': {_ -> s:words()[0]},
  \   'command': {_ -> join(map(copy(s:words()), 'ale#Escape(v:val)'))},
  \   'project_root': function('s:root'),
  \   'language': a:filetype,
  \   'initialization_options': {_ -> extend({'settings': get(g:, 'msgls_settings', {})}, s:options)},
  \ })
endfunction

function! s:words() abort
  return get(g:, 'msgls_command', ['msgls', 'serve'])
endfunction

" The nearest folder upward that is somebody's project, else the one of the file.
function! s:root(buffer) abort
  for name in ['msgls.toml', 'pyproject.toml', '.git/HEAD']
    let found = ale#path#FindNearestFile(a:buffer, name)
    if !empty(found)
      return fnamemodify(found, name =~# '/' ? ':h:h' : ':h')
    endif
  endfor
  return fnamemodify(bufname(a:buffer), ':p:h')
endfunction
