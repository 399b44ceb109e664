-- Asks a model in Neovim, with editors/vim on the runtimepath, by the command that people type.
-- Reports what can be seen after each step, and judges nothing.

local playing = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/playing.lua')
local tell, text, wait_for = playing.tell, playing.text, playing.wait_for
local comes, ends = playing.comes, playing.ends

local function ask()
  playing.go_to('word0')
  vim.cmd('Msgls ask.answer')
  comes('You said:')
end

playing.play(function()
  ask()
  tell('cursor', { vim.fn.line('.'), vim.fn.col('.') })
  tell('begun', text())
  ends(1)
  tell('answered', text())
  vim.cmd('silent undo')
  tell('undone', text())
  vim.cmd('silent redo')
  tell('redone', text())
  vim.cmd('silent undo')

  ask()
  for _, word in ipairs({ 'typed ', 'while ', 'it ', 'came ' }) do
    playing.go_to('word0')
    playing.press('i' .. word .. '<Esc>')
    vim.wait(150)
  end
  ends(2)
  tell('typed', text())

  playing.go_to('word0')
  vim.cmd('Msgls ask.answer')
  wait_for('the second answer', function()
    return select(2, text():gsub('You said:', '')) == 2
  end)
  vim.cmd('Msgls ask.stop')
  ends(3)
  tell('stopped', text())
  vim.cmd('silent write')
end)
