-- What the scripts for Neovim share: the story, the report, waiting, and what can be seen.

local function read_json(path)
  return vim.fn.json_decode(vim.fn.join(vim.fn.readfile(path), '\n'))
end

local M = { story = read_json(vim.env.MSGLS_STORY), notices = {} }

local deadline = vim.loop.now() + M.story.patience_seconds * 1000
local report = {}
local server_exit_code

function M.tell(step, value)
  report[step] = value
  vim.fn.writefile({ vim.fn.json_encode(report) }, M.story.report)
end

function M.wait_for(what, check)
  local patience = math.max(0, deadline - vim.loop.now())
  local came
  vim.wait(patience, function()
    came = check()
    return came or server_exit_code ~= nil
  end, 10)
  if not came then
    local left = server_exit_code and (' (the server left with ' .. server_exit_code .. ')') or ''
    error('no sign of ' .. what .. left .. '; notices: ' .. vim.inspect(M.notices))
  end
end

function M.text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
end

function M.comes(words)
  M.wait_for(words, function()
    return M.text():find(words, 1, true)
  end)
end

-- Answers and runs of which the progress has ended.
local ended = 0
local tell_progress = vim.lsp.handlers['$/progress']
vim.lsp.handlers['$/progress'] = function(err, params, ...)
  ended = ended + (params.value.kind == 'end' and 1 or 0)
  return tell_progress(err, params, ...)
end

function M.ends(number)
  M.wait_for('the end of number ' .. number, function()
    return ended == number
  end)
end

function M.go_to(place)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search('\\V' .. vim.fn.escape(place, '\\'), 'cW') > 0, 'no such place: ' .. place)
end

-- Presses keys as a person does, who is back in normal mode after them.
function M.press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'tx', false)
end

-- The id of the server's client, once the buffer has one.
local function client()
  local found = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 })
    or vim.lsp.buf_get_clients(0)
  for _, it in pairs(found) do
    return it.id
  end
end

-- Opens the file with our configuration, lets `act` do what it wants, and ends the server.
function M.play(act)
  local function play()
    vim.notify = function(message)
      table.insert(M.notices, message)
    end
    require('msgls').setup({
      cmd = M.story.command,
      on_exit = function(code)
        server_exit_code = code
      end,
    })
    vim.cmd('edit ' .. vim.fn.fnameescape(M.story.file))
    M.tell('filetype', vim.bo.filetype)
    local client_id
    M.wait_for('the server', function()
      client_id = client()
      return client_id
    end)
    act()
    vim.lsp.stop_client(client_id)
    M.wait_for('the server to leave', function()
      return server_exit_code ~= nil
    end)
    M.tell('server_exit_code', server_exit_code)
    M.tell('notices', #M.notices > 0 and M.notices or vim.empty_dict())
  end
  local ok, problem = xpcall(play, debug.traceback)
  if not ok then
    M.tell('error', problem)
    vim.cmd('cquit 1')
  end
  vim.cmd('qall!')
end

return M
