-- Plays the story of tests/editors/story.py in Neovim (0.7 and newer), with editors/vim on the
-- runtimepath, through the functions that people bind to keys. Reports what can be seen after
-- each step, and judges nothing.

local playing = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/playing.lua')
local story, tell, wait_for = playing.story, playing.tell, playing.wait_for
local text, go_to = playing.text, playing.go_to

-- The diagnostics as they are shown, with the text that is underlined.
local function shown()
  local found = {}
  for _, it in ipairs(vim.diagnostic.get(0)) do
    local lines = vim.api.nvim_buf_get_text(0, it.lnum, it.col, it.end_lnum, it.end_col, {})
    table.insert(found, {
      code = it.code or it.user_data.lsp.code,
      message = it.message,
      severity = vim.diagnostic.severity[it.severity],
      source = it.source,
      line = it.lnum + 1,
      text = table.concat(lines, '\n'),
    })
  end
  -- An empty table would be written as an object.
  return #found > 0 and found or vim.empty_dict()
end

local function diagnose()
  wait_for('the first diagnostics', function()
    return #vim.diagnostic.get(0) > 0
  end)
  tell('diagnostics', shown())
end

local function fix()
  local before = text()
  local offered, chosen
  vim.ui.select = function(items, options, choose)
    offered = vim.tbl_map(options.format_item, items)
    for index, title in ipairs(offered) do
      if vim.startswith(title, story.fix_title) then
        chosen = items[index]
        return choose(chosen, index)
      end
    end
    choose(nil)
  end
  go_to(story.fix_at)
  vim.lsp.buf.code_action()
  wait_for('code actions', function()
    return offered ~= nil
  end)
  tell('offered', offered)
  assert(chosen ~= nil, 'no code action is called: ' .. story.fix_title)
  wait_for('the fix', function()
    return text() ~= before
  end)
  tell('fixed', text())
  wait_for('the diagnostics to go', function()
    return #vim.diagnostic.get(0) == 0
  end)
  tell('diagnostics_fixed', shown())
end

local function rename()
  local before = text()
  go_to(story.rename_at)
  vim.lsp.buf.rename(story.rename_to)
  wait_for('the rename', function()
    return text() ~= before
  end)
  tell('renamed', text())
end

local function view()
  local source = vim.api.nvim_get_current_buf()
  vim.cmd('MsglsView')
  assert(vim.api.nvim_get_current_buf() == source, 'the view took the keys')
  vim.cmd('wincmd w')
  local shown = vim.api.nvim_get_current_buf()
  vim.cmd('wincmd p')
  local function seen()
    return table.concat(vim.api.nvim_buf_get_lines(shown, 0, -1, true), '\n')
  end
  wait_for('the view', function()
    return seen():find('Will it rain')
  end)
  -- By keys: what is typed is in the view a moment later.
  go_to('Will it')
  playing.press('iReally: <Esc>')
  vim.cmd('doautocmd TextChanged')
  wait_for('what is typed', function()
    return seen():find('Really: Will it rain')
  end)
  tell('view', seen())
  vim.cmd('silent undo')
  vim.api.nvim_buf_delete(shown, { force = true })
end

local function command()
  local before = text()
  go_to(story.rename_to)
  vim.cmd('Msgls ' .. story.command_name:gsub('^msgls%.', ''))
  wait_for('the command', function()
    return text() ~= before
  end)
  tell('excluded', text())
end

playing.play(function()
  diagnose()
  fix()
  rename()
  vim.cmd('silent write')
  command()
  view()
end)
