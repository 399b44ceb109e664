-- The language server for Neovim. From 0.11 on: vim.lsp.enable('msgls').
-- Older ones read this file, too: require('msgls').setup().

-- The nearest folder with one of these is the root.
local markers = { 'msgls.toml', 'pyproject.toml', '.git' }

---@type vim.lsp.Config
return {
  cmd = { 'msgls', 'serve' },
  -- `json` for agents.json alone; see root_dir.
  filetypes = { 'msgmd', 'stf', 'chatbuilder', 'msgjson', 'json' },
  root_dir = function(buffer, on_dir)
    local name = vim.api.nvim_buf_get_name(buffer)
    if vim.bo[buffer].filetype == 'json' and vim.fn.fnamemodify(name, ':t') ~= 'agents.json' then
      return
    end
    local folder = vim.fn.fnamemodify(name, ':p:h')
    local above = folder
    repeat
      for _, marker in ipairs(markers) do
        if vim.loop.fs_stat(above .. '/' .. marker) then
          return on_dir(above)
        end
      end
      local last = above
      above = vim.fn.fnamemodify(above, ':h')
    until above == last
    on_dir(folder)
  end,
}
