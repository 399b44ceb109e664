-- Runs code cells in Neovim, with editors/vim on the runtimepath, by the command that people type.
-- Reports what can be seen after each step, and judges nothing.

local playing = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/playing.lua')
local tell, text = playing.tell, playing.text

local function run(place)
  playing.go_to(place)
  vim.cmd('Msgls run.cell')
end

playing.play(function()
  run('x = 41')
  playing.ends(1)
  tell('begun', text())
  vim.cmd('silent undo')
  tell('undone', text())
  vim.cmd('silent redo')
  run('x + 1')
  playing.ends(2)
  tell('run', text())

  run('time.sleep')
  playing.comes('stdout> up')
  playing.go_to('x = 41')
  playing.press('Otyped = 1<Esc>')
  vim.cmd('Msgls run.interrupt')
  playing.ends(3)
  tell('interrupted', text())
  vim.cmd('silent write')
end)
