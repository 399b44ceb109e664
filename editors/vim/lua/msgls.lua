-- msgls in Neovim, from 0.7 on.
--
--   require('msgls').setup()                         starts the server for our files
--   require('msgls').setup({ cmd = { … } })          … another server, or other settings
--   :Msgls cell.split                                runs a command of the server at the cursor
--   :MsglsView                                       shows what the model sees, beside the file

local M = {}

-- Who wrote last into a buffer, of what is written bit by bit, and at which change of it.
local written = {}

local places = vim.api.nvim_create_namespace('msgls-places')

--- Does something, and puts the cursors back to where they were in the text: Neovim moves one down
--- that is in the line which is edited, even if it stands before the edit.
local function keeping_cursors(buffer, act)
  local marks = {}
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    local row, column = unpack(vim.api.nvim_win_get_cursor(window))
    local options = { right_gravity = false }
    marks[window] = vim.api.nvim_buf_set_extmark(buffer, places, row - 1, column, options)
  end
  local result = act()
  for window, mark in pairs(marks) do
    local row, column = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer, places, mark, {}))
    vim.api.nvim_win_set_cursor(window, { row + 1, column })
  end
  vim.api.nvim_buf_clear_namespace(buffer, places, 0, -1)
  return result
end

--- An answer comes in many edits: as long as nobody edits in between, one undo takes all of it.
local function apply_edit(err, params, context, options)
  local live = params.live
  if not live then
    return vim.lsp.handlers['workspace/applyEdit'](err, params, context, options)
  end
  local document = params.edit.documentChanges[1].textDocument
  local buffer = vim.uri_to_bufnr(document.uri)
  -- Neovim would print that it is too old, and say that it made the edit.
  if (vim.lsp.util.buf_versions[buffer] or 0) > document.version then
    return { applied = false }
  end
  local last = written[buffer]
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  if last and last.token == live.token and last.tick == tick then
    vim.api.nvim_buf_call(buffer, function()
      pcall(vim.cmd, 'undojoin')
    end)
  end
  -- Without its label, which Neovim prints for every edit.
  params.label = nil
  local result = keeping_cursors(buffer, function()
    return vim.lsp.handlers['workspace/applyEdit'](err, params, context, options)
  end)
  written[buffer] = { token = live.token, tick = vim.api.nvim_buf_get_changedtick(buffer) }
  return result
end

local function config(options)
  local file = vim.api.nvim_get_runtime_file('lsp/msgls.lua', false)[1]
  local base = vim.tbl_extend('force', dofile(file), options or {})
  base.name = 'msgls'
  base.handlers = vim.tbl_extend('keep', base.handlers or {}, {
    ['workspace/applyEdit'] = apply_edit,
  })
  base.init_options = vim.tbl_extend('keep', base.init_options or {}, { takesLive = true })
  base.get_language_id = function(_, filetype)
    return filetype
  end
  return base
end

-- Before 0.8 there is no vim.lsp.start, which knows what runs already.
local started = {}

local function start(buffer, wanted)
  wanted.root_dir(buffer, function(root)
    local own = vim.tbl_extend('force', wanted, { root_dir = root })
    own.workspace_folders = { { uri = vim.uri_from_fname(root), name = root } }
    if vim.lsp.start then
      return vim.lsp.start(own, { bufnr = buffer })
    end
    local id = started[root]
    if not id or not vim.lsp.get_client_by_id(id) then
      id = vim.lsp.start_client(own)
      started[root] = id
    end
    if id then
      vim.lsp.buf_attach_client(buffer, id)
    end
  end)
end

local function clients(buffer)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = buffer, name = 'msgls' })
  end
  return vim.tbl_filter(function(client)
    return client.name == 'msgls'
  end, vim.lsp.buf_get_clients(buffer))
end

--- Asks the server; what it refuses is told.
local function request(client, buffer, method, params, done)
  local function answer(err, result)
    if err then
      vim.notify(err.message, vim.log.levels.WARN)
    elseif done then
      done(result)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request(method, params, answer, buffer)
  else
    client.request(method, params, answer, buffer)
  end
end

--- Runs a command of the server, such as `msgls.cell.split`, at the cursor.
function M.run(command, arguments)
  local client = clients(0)[1]
  if not client then
    return vim.notify('msgls does not run here', vim.log.levels.WARN)
  end
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local argument = vim.tbl_extend('force', arguments or {}, {
    uri = place.textDocument.uri,
    position = place.position,
  })
  -- By its number: Neovim 0.7 sends what was typed a moment ago first only where it has that.
  local buffer = vim.api.nvim_get_current_buf()
  local params = { command = command, arguments = { argument } }
  request(client, buffer, 'workspace/executeCommand', params)
end

local function encode(text)
  return (text:gsub('[^%w%-._~]', function(character)
    return ('%%%02X'):format(character:byte())
  end))
end

-- What was typed a moment ago is shown when nothing was typed since.
local PAUSE_MS = 150

--- Shows what the model sees of this buffer in a window beside it, and follows the typing;
--- `agent` names another agent than the default one.
function M.view(agent)
  local source = vim.api.nvim_get_current_buf()
  local client = clients(source)[1]
  if not client then
    return vim.notify('msgls does not run here', vim.log.levels.WARN)
  end
  local uri = 'msgls-view:/view.md?' .. encode(vim.uri_from_bufnr(source))
  uri = uri .. (agent and agent ~= '' and '#' .. encode(agent) or '')
  vim.cmd('vertical new')
  local view = vim.api.nvim_get_current_buf()
  vim.cmd('wincmd p')
  vim.bo[view].buftype, vim.bo[view].bufhidden, vim.bo[view].swapfile = 'nofile', 'wipe', false
  vim.bo[view].filetype, vim.bo[view].modifiable = 'markdown', false
  vim.api.nvim_buf_set_name(view, uri)
  local function show(result)
    if vim.api.nvim_buf_is_valid(view) then
      vim.bo[view].modifiable = true
      vim.api.nvim_buf_set_lines(view, 0, -1, false, vim.split(result.text, '\n'))
      vim.bo[view].modifiable = false
    end
  end
  local changes = 0
  local function refresh()
    if not vim.api.nvim_buf_is_valid(view) then
      return true
    end
    changes = changes + 1
    local number = changes
    vim.defer_fn(function()
      if number == changes and vim.api.nvim_buf_is_valid(source) then
        request(client, source, 'workspace/textDocumentContent', { uri = uri }, show)
      end
    end, PAUSE_MS)
  end
  refresh()
  local events = { 'TextChanged', 'TextChangedI' }
  vim.api.nvim_create_autocmd(events, { buffer = source, callback = refresh })
end

local function complete(lead)
  local client = clients(0)[1]
  local provider = client and client.server_capabilities.executeCommandProvider
  local names = vim.tbl_map(function(name)
    return (name:gsub('^msgls%.', ''))
  end, provider and provider.commands or {})
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names)
end

function M.setup(options)
  local wanted = config(options)
  if vim.lsp.enable then
    vim.lsp.config('msgls', wanted)
    vim.lsp.enable('msgls')
  else
    vim.api.nvim_create_autocmd('FileType', {
      group = vim.api.nvim_create_augroup('msgls', {}),
      pattern = wanted.filetypes,
      callback = function(event)
        start(event.buf, wanted)
      end,
    })
  end
  vim.api.nvim_create_user_command('Msgls', function(call)
    M.run('msgls.' .. call.args)
  end, { nargs = 1, complete = complete, desc = 'Run a command of msgls' })
  vim.api.nvim_create_user_command('MsglsView', function(call)
    M.view(call.args)
  end, { nargs = '?', desc = 'Show what the model sees, or what an agent sees' })
end

return M
