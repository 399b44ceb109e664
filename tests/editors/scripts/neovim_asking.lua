-- Asks a model in Neovim, with editors/vim on the runtimepath, by the command that people type.
-- Reports what can be seen after each step, and judges nothing.

local playing = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/playing.lua')
local tell, text, wait_for = playing.tell, playing.text, playing.wait_for

local function comes(words)
  wait_for(words, function()
    return text():find(words, 1, true)
  end)
end

-- Answers of which the progress has ended.
local ended = 0
local tell_progress = vim.lsp.handlers['$/progress']
vim.lsp.handlers['$/progress'] = function(err, params, ...)
  ended = ended + (params.value.kind == 'end' and 1 or 0)
  return tell_progress(err, params, ...)
end

local function ends(number)
  wait_for('the end of an answer', function()
    return ended == number
  end)
end

local function ask()
  playing.go_to('word0')
  vim.cmd('Msgls ask.answer')
  comes('You said:')
end

playing.play(function()
  ask()
  tell('cursor', vim.fn.getline('.'):sub(1, vim.fn.col('.') + 4))
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
