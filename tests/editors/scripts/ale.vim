" Plays the story of tests/editors/story.py in Vim with ALE, with editors/vim on the runtimepath,
" through the commands that people type. Reports what can be seen after each step, and judges
" nothing.

let s:story = json_decode(join(readfile($MSGLS_STORY), "\n"))
let s:deadline = reltime()
let s:report = {}

function s:Tell(step, value)
  let s:report[a:step] = a:value
  call writefile([json_encode(s:report)], s:story.report)
endfunction

function s:WaitFor(what, Check)
  while !a:Check()
    if reltimefloat(reltime(s:deadline)) > s:story.patience_seconds
      throw 'no sign of ' . a:what . '; messages: ' . execute('messages')
    endif
    " Vim hears of its jobs while it sleeps, and nowhere else in a script.
    sleep 10m
  endwhile
endfunction

function s:Text()
  return join(getline(1, '$'), "\n") . "\n"
endfunction

" The problems as ALE shows them, with the text that they are about.
function s:Shown()
  let problems = filter(copy(ale#engine#GetLoclist(bufnr(''))), 'v:val.bufnr == bufnr("")')
  return map(problems, {_, it -> {
  \   'code': it.code,
  \   'type': it.type,
  \   'message': it.text,
  \   'line': it.lnum,
  \   'text': getline(it.lnum)[it.col - 1 : it.end_col - 1],
  \ }})
endfunction

function s:Running()
  return filter(copy(job_info()), 'job_status(v:val) ==# "run"')
endfunction

function s:GoTo(place)
  call cursor(1, 1)
  if !search('\V' . escape(a:place, '\'), 'cW')
    throw 'no such place: ' . a:place
  endif
endfunction

" What ALE asks for is answered here: there is nobody at the keys.
runtime autoload/ale/util.vim
function! ale#util#Input(message, value, ...)
  let s:asked = a:message
  return s:Answer(a:message)
endfunction

" The number of the row that starts with a title.
function s:NumberOf(title, message)
  return matchstr(a:message, '\n\zs\d\+\ze) \V' . escape(a:title, '\'))
endfunction

function s:Act(step, offers, place, title)
  let before = s:Text()
  let s:asked = ''
  let s:Answer = function('s:NumberOf', [a:title])
  call s:GoTo(a:place)
  ALECodeAction
  call s:WaitFor('code actions', {-> !empty(s:asked)})
  call s:Tell(a:offers, map(split(s:asked, "\n"), 'substitute(v:val, "^\\d\\+) ", "", "")'))
  call s:WaitFor('what was chosen', {-> s:Text() !=# before})
  call s:Tell(a:step, s:Text())
endfunction

function s:Rename()
  let before = s:Text()
  let s:Answer = {_ -> s:story.rename_to}
  call s:GoTo(s:story.rename_at)
  ALERename
  call s:WaitFor('the rename', {-> s:Text() !=# before})
  call s:Tell('renamed', s:Text())
endfunction

function s:Play()
  execute 'silent edit' fnameescape(s:story.file)
  call s:Tell('filetype', &filetype)
  call s:WaitFor('the first problems', {-> !empty(s:Shown())})
  call s:Tell('diagnostics', s:Shown())
  call s:Act('fixed', 'offered', s:story.fix_at, s:story.fix_title)
  " In a script nothing else tells ALE that the text has changed.
  silent write
  call s:WaitFor('the problems to go', {-> empty(s:Shown())})
  call s:Tell('diagnostics_fixed', s:Shown())
  call s:Rename()
  silent write
  call s:Act('excluded', 'offered_later', s:story.rename_to, 'Exclude cell from history')
  call s:Tell('messages', split(execute('messages'), "\n"))
  ALEStopAllLSPs
  call s:WaitFor('the server to leave', {-> empty(s:Running())})
endfunction

if !exists(':ALECodeAction')
  call s:Tell('missing', 'vim-ale')
  qall!
endif
let g:msgls_command = s:story.command
try
  call s:Play()
catch
  call s:Tell('error', v:exception . ' in ' . v:throwpoint)
  cquit
endtry
qall!
