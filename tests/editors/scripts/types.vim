" Opens the files of $MSGLS_STORY and reports of each its filetype, and the highlighting of places;
" for Vim and Neovim. Judges nothing.

let s:story = json_decode(join(readfile($MSGLS_STORY), "\n"))
let s:report = {}
for s:file in s:story.files
  execute 'silent edit ' . fnameescape(s:file)
  let s:report[s:file] = {'type': &filetype, 'groups': {}}
  for s:place in s:story.places
    if search('\V' . escape(s:place, '\'), 'cw') > 0
      let s:id = synID(line('.'), col('.'), 1)
      let s:report[s:file].groups[s:place] = synIDattr(s:id, 'name')
    endif
  endfor
  if &filetype ==# 'msgmd'
    call cursor(1, 1)
    normal 2]]
    let s:report[s:file].second = getline('.')
    normal [[
    let s:report[s:file].first = getline('.')
    let s:report[s:file].fold = foldlevel('.')
  endif
endfor
call writefile([json_encode(s:report)], s:story.report)
qall!
