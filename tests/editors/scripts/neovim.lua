-- Plays the story of tests/editors/story.py in Neovim (0.7 and newer), with editors/vim on the
-- runtimepath, through the functions that people bind to keys. Reports what can be seen after
-- each step, and judges nothing.

local function read_json(path)
  return vim.fn.json_decode(vim.fn.join(vim.fn.readfile(path), '\n'))
end

local story = read_json(vim.env.MSGLS_STORY)
local deadline = vim.loop.now() + story.patience_seconds * 1000
local report = {}
local notices = {}
local server_exit_code

local function save_report()
  vim.fn.writefile({ vim.fn.json_encode(report) }, story.report)
end

local function tell(step, value)
  report[step] = value
  save_report()
end

local function wait_for(what, check)
  local patience = math.max(0, deadline - vim.loop.now())
  local came
  vim.wait(patience, function()
    came = check()
    return came or server_exit_code ~= nil
  end, 10)
  if not came then
    local left = server_exit_code and (' (the server left with ' .. server_exit_code .. ')') or ''
    error('no sign of ' .. what .. left .. '; notices: ' .. vim.inspect(notices))
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
end

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

local function go_to(place)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. vim.fn.escape(place, '\\'), 'cW') > 0, 'no such place: ' .. place)
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
  local keys = vim.api.nvim_replace_termcodes('iReally: <Esc>', true, false, true)
  vim.api.nvim_feedkeys(keys, 'tx', false)
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
  tell('commanded', text())
end

-- The id of the server's client, once the buffer has one.
local function client()
  local found = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 })
    or vim.lsp.buf_get_clients(0)
  for _, it in pairs(found) do
    return it.id
  end
end

local function play()
  vim.notify = function(message)
    table.insert(notices, message)
  end
  require('msgls').setup({
    cmd = story.command,
    on_exit = function(code)
      server_exit_code = code
    end,
  })
  vim.cmd('edit ' .. vim.fn.fnameescape(story.file))
  tell('filetype', vim.bo.filetype)
  local client_id
  wait_for('the server', function()
    client_id = client()
    return client_id
  end)
  diagnose()
  fix()
  rename()
  vim.cmd('silent write')
  command()
  view()
  vim.lsp.stop_client(client_id)
  wait_for('the server to leave', function()
    return server_exit_code ~= nil
  end)
  tell('server_exit_code', server_exit_code)
  tell('notices', #notices > 0 and notices or vim.empty_dict())
end

local ok, problem = xpcall(play, debug.traceback)
if not ok then
  tell('error', problem)
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
