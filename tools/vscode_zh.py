"""What the options of the server mean in simplified Chinese, by their English descriptions.

Owns the translations that only the VS Code client's settings show. They are looked up by the
English text and not by key, so that a description that changes is missed here, and noticed.
"""

from __future__ import annotations

from collections.abc import Mapping

OPTIONS_IN_CHINESE: Mapping[str, str] = {
    "Rules to run: codes (`MSG302`), prefixes of codes (`MSG3`), names, or `ALL`.": (
        "要运行的规则：代码（`MSG302`）、代码前缀（`MSG3`）、名称，或 `ALL`。"
    ),
    "Rules not to run. Where a rule is selected and ignored, the longer code decides.": (
        "不运行的规则。如果一条规则既被选中又被忽略，以较长的代码为准。"
    ),
    "How severe the findings of a rule are; `off` switches it off.": (
        "规则所发现问题的严重程度；`off` 表示关闭该规则。"
    ),
    "Rules not to run on some files: patterns as in .gitignore, with a list of rules each.": (
        "在某些文件上不运行的规则：写法同 .gitignore 的模式，每个模式对应一个规则列表。"
    ),
    "The section of a plain Markdown file that `message_section: true` stands for.": (
        "普通 Markdown 文件中 `message_section: true` 所指的章节。"
    ),
    "For Simple Text Format files (`*.stf`): the character that starts a command line.": (
        "用于简单文本格式的文件（`*.stf`）：命令行开头的字符。"
    ),
    "How tokens are counted: by an `estimate`, or exactly by an encoding, which takes the "
    "extra `msgls[tokens]` and its table on this machine; else the estimate stands in. "
    "`auto` is `o200k_base` where that can be had.": (
        "词元的计数方式：用 `estimate` 估算，或者用某种编码精确计数。精确计数需要安装附加组件 "
        "`msgls[tokens]`，并且本机有该编码的表，否则以估算代替。`auto` 在可用时就是 `o200k_base`。"
    ),
    "Whether a new conversation starts with the boot message of the default agent, where an "
    "`agents.json` is in reach.": ("找得到 `agents.json` 时，新对话是否以默认代理的启动消息开始。"),
    "The `agents.json` whose agents are registered, instead of the nearest one upward. "
    "Relative to the configuration file, or in an editor to the folder that is open.": (
        "注册其中代理的 `agents.json`，用来代替向上最近的那一个。相对于配置文件；"
        "在编辑器中则相对于打开的文件夹。"
    ),
    "The language of messages, fixes and commands: English (`en`) or simplified Chinese "
    "(`zh`). `auto` is the editor's language; where it names none, and on the command line, "
    "that of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`). Output for programs is English "
    "then.": (
        "提示、修复和命令所用的语言：英文（`en`）或简体中文（`zh`）。`auto` 跟随编辑器的语言；"
        "编辑器没有告知时，以及在命令行中，跟随环境变量（`LC_ALL`、`LC_MESSAGES`、`LANG`）；"
        "此时给程序用的输出是英文。"
    ),
    "Whose problems an editor shows: those of the files that are open, or of all in the "
    "`workspace`, where the editor can ask for them.": (
        "编辑器显示哪些文件的问题：仅已打开的文件，或在编辑器能够查询时整个 `workspace`。"
    ),
    "How many problems of a file an editor is sent at most; the worst come first.": (
        "每个文件最多向编辑器发送多少个问题；最严重的排在最前。"
    ),
    # Switches.
    "Offer code actions: fixes, and what can be done with a cell.": (
        "提供代码操作：修复，以及可对单元进行的操作。"
    ),
    "Complete while typing.": "输入时自动补全。",
    "Go to definitions.": "转到定义。",
    "Report problems.": "报告问题。",
    "Say what can be folded.": "提供折叠范围。",
    "Format files and ranges.": "格式化文件和选定范围。",
    "Show calls as a hierarchy.": "以层次结构显示调用。",
    "Highlight the name under the cursor wherever it stands.": "突出显示光标处名称的所有出现位置。",
    "Show tokens, times and titles between the text.": "在文本之间显示词元数、时间和标题。",
    "Explain what is under the mouse.": "说明鼠标所指的内容。",
    "Show lenses above cells.": "在单元上方显示 CodeLens。",
    "Let an id change in header and definition at once.": "ID 在标题行和定义中同步更改。",
    "Show links to other files.": "显示指向其他文件的链接。",
    "Write the definition of a new cell below its header, a moment after Enter.": (
        "按下 Enter 片刻后，在新单元的标题行下方写入其定义。"
    ),
    "Show the cells of a file as its outline.": "将文件中的单元显示为大纲。",
    "Find references.": "查找引用。",
    "Rename ids, agents and tools; follow links when files are renamed.": (
        "重命名 ID、代理和工具；文件重命名时更新链接。"
    ),
    "Grow and shrink selections.": "扩大和缩小选定范围。",
    "Find cells in all files.": "在所有文件中查找单元。",
    "Colour by meaning.": "按语义着色。",
}
