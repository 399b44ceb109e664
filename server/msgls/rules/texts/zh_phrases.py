"""What features say in simplified Chinese, by the English template; loaded when asked for.

Every phrase has its twin here, with the same arguments and the same quoted code. Reasons that
libraries give in English are here as far as they are common, and else stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgls.rules.texts.zh_cli import PHRASES as _CLI
from msgls.rules.texts.zh_features import FEATURES
from msgls.rules.texts.zh_losses import PHRASES as _LOSSES
from msgls.rules.texts.zh_rules import PHRASES as _RULES
from msgls.rules.texts.zh_server import PHRASES as _SERVER

_COMMANDS: Mapping[str, str] = {
    "Insert message cell above": "在上方插入消息单元",
    "Insert message cell below": "在下方插入消息单元",
    "Insert output cell above": "在上方插入输出单元",
    "Insert output cell below": "在下方插入输出单元",
    "Insert tool call cell": "插入工具调用单元",
    "Insert tool result cell": "插入工具结果单元",
    "Insert execution cell": "插入执行单元",
    "Split cell": "拆分单元",
    "Merge cell with next": "与下一个单元合并",
    "Move cell up": "上移单元",
    "Move cell down": "下移单元",
    "Duplicate cell": "创建单元副本",
    "Delete cell": "删除单元",
    "Change cell type": "更改单元类型",
    "Change cell type to `{kind}`": "将单元类型改为 `{kind}`",
    "Change cell type to `{role}`": "将单元类型改为 `{role}`",
    "Renumber cells": "重新编号单元",
    "Renumber results": "重新编号结果",
    "Renumber runs": "重新编号运行",
    "Go to the next cell": "转到下一个单元",
    "Go to the next cell, or insert one at the end": "转到下一个单元，在末尾则插入一个",
    "Cell…": "单元…",
    "1 problem is left": "还剩 1 个问题",
    "{count:,} problems are left": "还剩 {count:,} 个问题",
    "{many}. {why}": "{many}。{why}",
    "{rules}: it has a fix that may change what is meant": "{rules}：其修复可能改变含义",
    "{rules}: nobody but you can mend it": "{rules}：只能由您来修改",
    "Add result": "添加结果",
    "Add run": "添加运行输出",
    "Add call": "添加调用",
    "Insert below": "在下方插入",
    "Include": "纳入",
    "Exclude": "排除",
    "Go to the previous cell": "转到上一个单元",
    "Go to the cell that this one belongs to": "转到此单元所属的单元",
    "Go to the first cell that belongs to this one": "转到属于此单元的第一个单元",
    "Go to the first cell below it": "转到其下的第一个单元",
    "Go to the first tool call": "转到第一个工具调用",
    "Go to the first result": "转到第一个结果",
    "Go to the first run": "转到第一次运行",
    "Go to the call": "转到调用",
    "Go to the call that this one answers": "转到此结果对应的调用",
    "Exclude cell from history": "从历史中排除单元",
    "Include cell in history": "将单元纳入历史",
    "Summarize cell in history": "在历史中只保留单元摘要",
    "Include {count} cells in history": "将 {count} 个单元纳入历史",
    "Exclude {count} cells from history": "从历史中排除 {count} 个单元",
    "Summarize {count} cells in history": "在历史中只保留 {count} 个单元的摘要",
    "Exclude from here": "从这里起排除",
    "Include from here": "从这里起纳入",
    "Summarize from here": "从这里起只保留摘要",
    "Reset context": "重置上下文",
    "Reset context below this cell": "在此单元之后重置上下文",
    "Set default agent": "设置默认代理",
    "Add agent": "添加代理",
    "there is an agent `{name}` already": "已经有代理 `{name}`",
    "`name` is missing": "缺少 `name`",
    "agents cannot be added to a file of this format": "这种格式的文件不能添加代理",
    "Make `{name}` the default agent": "将 `{name}` 设为默认代理",
    "List agents": "列出代理",
    "Insert boot message": "插入启动消息",
    "Insert boot message of `{name}`": "插入 `{name}` 的启动消息",
    "Convert to the other dialect": "转换为另一种方言",
    "Convert to the dialect `{dialect}`": "转换为方言 `{dialect}`",
    "Convert to …": "转换为……",
    "What the model sees": "模型看到什么",
    "Convert to {target}": "转换为：{target}",
    "message file": "消息文件",
    "Simple Text Format (@)": "简单文本格式（@）",
    "Simple Text Format (;)": "简单文本格式（;）",
    "messages in JSON": "JSON 格式的消息",
    "OpenAI request": "OpenAI 请求",
    "Anthropic request": "Anthropic 请求",
    "Markdown to read": "供阅读的 Markdown",
    "Bump version of message": "提升消息版本",
    "Bump version to {version} ({part})": "将版本提升到 {version}（{part}）",
    "New next message in this folder": "在此文件夹中新建下一条消息",
    "New next message in this folder (`{file}`)": "在此文件夹中新建下一条消息（`{file}`）",
    "Go to the next message": "转到下一条消息",
    "Go to the next message (`{file}`)": "转到下一条消息（`{file}`）",
    "Go to the previous message": "转到上一条消息",
    "Go to the previous message (`{file}`)": "转到上一条消息（`{file}`）",
    "Open as message file": "作为消息文件打开",
    "Open this stream as message file": "将此流作为消息文件打开",
    "Fix all problems that can be fixed safely": "修复所有可安全修复的问题",
    "Ignore {code} in this cell": "在此单元中忽略 {code}",
    "Ignore {code} in this file": "在此文件中忽略 {code}",
}

_SHOWN: Mapping[str, str] = {
    "about {tokens}": "约 {tokens}",
    "About {tokens}": "约 {tokens}",
    "≈ {tokens}": "≈ {tokens}",
    "{count:,} token": "{count:,} 个词元",
    "{count:,} tokens": "{count:,} 个词元",
    "{count:,} run": "{count:,} 次运行",
    "{count:,} runs": "{count:,} 次运行",
    "{count:,} result": "{count:,} 个结果",
    "{count:,} results": "{count:,} 个结果",
    "{count:,} cell": "{count:,} 个单元",
    "{count:,} cells": "{count:,} 个单元",
    "{count:,} tool call": "{count:,} 次工具调用",
    "{count:,} tool calls": "{count:,} 次工具调用",
    "{count:,} text": "{count:,} 段文本",
    "{count:,} texts": "{count:,} 段文本",
    "{count:,} thought": "{count:,} 段思考",
    "{count:,} thoughts": "{count:,} 段思考",
    "{calls}, {count:,} unanswered": "{calls}，{count:,} 个未应答",
    "unanswered": "未应答",
    "{count:,} call": "{count:,} 个调用",
    "{count:,} calls": "{count:,} 个调用",
    "{seen:,} of {tokens}": "{tokens}中的 {seen:,} 个",
    "excluded": "已排除",
    "summary": "摘要",
    "for people only": "仅供人阅读",
    "before a reset": "在重置之前",
    "outside of the section": "在章节之外",
    "~{seen:,} of {tokens}": "~{tokens}中的 {seen:,} 个",
    "The cell has {whole}; the model sees {seen} of it.": "单元有{whole}，模型看到其中{seen}。",
    "Belongs to `{id}`: {title}": "属于 `{id}`：{title}",
    "So much later than the output before it: {time}": "比前一个输出晚：{time}",
    "The message has {tokens}.": "这条消息有{tokens}。",
    "The role of the message before it": "前一条消息的角色",
    "Answers the call on line {line}": "对应第 {line} 行的调用",
    "a call": "某个调用",
    "role={role}": "role={role}",
    "message {number:,} of {count:,}": "第 {number:,} 条消息，共 {count:,} 条",
    "message {name}": "消息 {name}",
    "previous message": "上一条消息",
    "next message": "下一条消息",
    "new next message": "新建下一条消息",
    "its summary stands in": "以摘要代替",
    "its `summary` stands in": "以 `summary` 代替",
    "its first paragraph stands in": "以第一段代替",
    "it is virtual": "它是虚拟的",
    "it stands before the last reset": "它在最近一次重置之前",
    "it stands outside the section": "它在章节之外",
    "it is no cell": "它不是单元",
    "it resets the context": "它会重置上下文",
    "history={value}": "history={value}",
    "has not ended": "尚未结束",
    "error: {reason}": "错误：{reason}",
    "more than {count:,} deltas": "超过 {count:,} 个增量",
    "no parts yet": "还没有内容",
    "{count} more problems are not shown: `msgls check` lists all of them": (
        "还有 {count} 个问题没有显示：`msgls check` 会列出全部"
    ),
}

_REFUSALS: Mapping[str, str] = {
    "`{title}` cannot be done in a file of this format": "这种格式的文件不支持 `{title}`",
    "nothing can be added to a file of this format": "无法向这种格式的文件添加内容",
    "a rename cannot be done in a file of this format": "这种格式的文件不支持重命名",
    # Cells.
    "there is no cell here": "这里没有单元",
    "there is no other cell": "没有其他单元",
    "there is no cell behind this one": "此单元后面没有单元",
    "this is the first cell": "这是第一个单元",
    "this is the last cell": "这是最后一个单元",
    "this is the first cell of the section": "这是章节中的第一个单元",
    "this cell belongs to no other one": "此单元不属于其他单元",
    "no other cell belongs to this one": "没有其他单元属于此单元",
    "this cell belongs to the one above it": "此单元属于它上方的单元",
    "this cell is outside of the section that holds the conversation": (
        "此单元在对话所在的章节之外"
    ),
    "the cursor is outside of the section that holds the conversation": (
        "光标在对话所在的章节之外"
    ),
    "the cursor is in a fenced block that is not closed": "光标在没有闭合的代码块中",
    "the cursor is in a fenced block of a list": "光标在列表的代码块中",
    "put the cursor into the cell that it belongs to": "请将光标放到它所属的单元中",
    "put the cursor below the header and the definition": "请将光标放到标题行和定义的下方",
    "the section `{name}` is missing": "缺少章节 `{name}`",
    "the section `{name}` is not the last one": "章节 `{name}` 不是最后一个",
    "the frontmatter is not closed": "前置元数据没有结束",
    "its frontmatter is not closed": "它的前置元数据没有结束",
    "the frontmatter cannot be read well enough to change it": "前置元数据无法读懂，因此不能更改",
    "the fence that opens on line {line} is not closed": "第 {line} 行打开的代码围栏没有闭合",
    "a fenced block in the cell is not closed": "单元中有代码块没有闭合",
    "only a tool call with an id has results": "只有带 ID 的工具调用才有结果",
    "only a code cell with an id can be run": "只有带 ID 的代码单元才能运行",
    "only an agent's answer with an id can call a tool": "只有带 ID 的代理回答才能调用工具",
    "a tool call comes behind the answer that asks for it": "工具调用要放在发起它的回答之后",
    "they are numbered in their order: a new one comes last": "它们按顺序编号：新的放在最后",
    "the cell is {kind}, which cannot be cut in two": "单元是{kind}，不能拆分",
    "{one} and {other} cannot be one cell": "{one}与{other}不能合并为一个单元",
    "a preamble": "前言",
    "a message": "消息",
    "a code": "代码",
    "an answer": "回答",
    "a tool call": "工具调用",
    "a tool result": "工具结果",
    "an execution output": "执行输出",
    "a message and an output cannot be one cell": "消息与输出不能合并为一个单元",
    "the two cells belong to different ones": "两个单元属于不同的单元",
    "the two answers are from different agents": "两个回答来自不同的代理",
    "the two messages have different roles": "两条消息的角色不同",
    "other cells belong to `{id}`": "有其他单元属于 `{id}`",
    "other cells belong to `{cell_id}`": "有其他单元属于 `{cell_id}`",
    "`{cell_id}` says that the cell belongs to another one": (
        "`{cell_id}` 表明此单元属于另一个单元"
    ),
    "the cell is of type `{kind}` already": "单元的类型已经是 `{kind}`",
    "a tool call needs an id that names the answer it belongs to": (
        "工具调用的 ID 必须写明它属于哪个回答"
    ),
    "the cell's id is empty, so that nothing can define it": "单元的 ID 为空，因此无法定义它",
    "`history` cannot be `{value}`": "`history` 不能是 `{value}`",
    "`history` is `{value}` already": "`history` 已经是 `{value}`",
    "the cell is included already": "单元已经纳入历史",
    "no cell here would be seen otherwise": "这里没有单元会因此改变是否可见",
    "only the results of a tool call and the runs of code are numbered": (
        "只有工具调用的结果和代码的运行才有编号"
    ),
    "the numbers are right already": "编号已经正确",
    # Agents.
    "this cell is no agent's: say the `name` of one": "此单元不是代理的：请给出 `name`",
    "`{name}` is the default agent already": "`{name}` 已经是默认代理",
    "no agent can be called `{name}`": "代理不能命名为 `{name}`",
    "there is no type `{kind}`: is `{meant}` meant?": "没有类型 `{kind}`：是否指 `{meant}`？",
    "there is no agent `{agent}`": "没有代理 `{agent}`",
    "the conversation has begun: a boot message comes first, or resets it": (
        "对话已经开始：启动消息要放在最前，或者用来重置对话"
    ),
    "there is no `agents.json` in the folders above this file": (
        "此文件的上级文件夹中没有 `agents.json`"
    ),
    "no agent in `agents.json` has a boot message": "`agents.json` 中没有带启动消息的代理",
    "`{name}` has no boot message in `agents.json`: pick one of {those}": (
        "`{name}` 在 `agents.json` 中没有启动消息：请从 {those} 中选择"
    ),
    # The Simple Text Format.
    "there is no message here": "这里没有消息",
    "there is no other message": "没有其他消息",
    "there is no message behind this one": "这条消息后面没有消息",
    "this is the first message": "这是第一条消息",
    "this is the last message": "这是最后一条消息",
    "the comment that opens on line {line} is not closed": "第 {line} 行打开的注释没有闭合",
    "the dialect `{dialect}` has no `call`: write a raw message": (
        "方言 `{dialect}` 没有 `call`：请写成 raw 消息"
    ),
    "only a message of the assistant calls tools": "只有 assistant 的消息才调用工具",
    "only a message that calls a tool has results": "只有调用工具的消息才有结果",
    "a block in the message is not closed": "消息中有块没有闭合",
    "a command in the message still waits for its data line": "消息中有命令还缺少数据行",
    "the command above still waits for its data line": "上面的命令还缺少数据行",
    "`flush` has ended the message": "`flush` 已经结束了这条消息",
    "the message is a raw one, which cannot be cut in two": "这是 raw 消息，不能拆分",
    "the message is a raw one: its block says its role": "这是 raw 消息：角色由它的块说明",
    "a raw message cannot be one with another": "raw 消息不能与其他消息合并",
    "put the cursor below the line that starts the message": "请将光标放到消息起始行的下方",
    "the arguments of the message cannot be read": "无法读取消息的参数",
    "the cursor is in a comment": "光标在注释中",
    "the cursor is in the block of `{word}`": "光标在 `{word}` 的块中",
    "the cursor is on the line that belongs to `{word}`": "光标在属于 `{word}` 的行上",
    "the two messages have different names": "两条消息的名称不同",
    "the two messages answer different calls": "两条消息对应不同的调用",
    "the next message has `{key}`, which this one has not": "下一条消息有 `{key}`，而这条没有",
    "`{role}` is no role: {roles}": "`{role}` 不是角色：应为 {roles}",
    "the message has the role `{role}` already": "消息的角色已经是 `{role}`",
    "this message answers no call": "这条消息没有对应的调用",
    "no message answers a call of this one": "没有消息对应此消息中的调用",
    "no command tells the dialect of this file": "没有命令能说明此文件的方言",
    "a setting says that files have the dialect `{dialect}`": "设置规定文件的方言是 `{dialect}`",
    "line {line}: `{word}` cannot be said in the dialect `{prefix}`": (
        "第 {line} 行：方言 `{prefix}` 无法表达 `{word}`"
    ),
    "the file would not say the same in the other dialect": "换成另一种方言后，文件的内容会改变",
    # ChatBuilder messages.
    "this file is empty": "此文件为空",
    "the name of this file is no number, so it has no place in a folder": (
        "此文件的名称不是数字，因此在文件夹中没有位置"
    ),
    "this message has no version": "这条消息没有版本",
    "`{value}` is no semantic version": "`{value}` 不是语义化版本号",
    "no message comes after this one in its folder": "文件夹中此消息之后没有消息",
    "no message comes before this one in its folder": "文件夹中此消息之前没有消息",
    "there is no other section": "没有其他小节",
    # Messages in JSON.
    "there is no other line or element": "没有其他行或元素",
    "nothing here leads to a call": "这里没有通向调用的内容",
    "nothing here leads to the result of a call": "这里没有通向调用结果的内容",
    "there is no stream here: put the cursor on one of its deltas": (
        "这里没有流：请将光标放到流的某个增量上"
    ),
    "no message can be made of this: {why}": "无法由此生成消息：{why}",
    "there is no message in it": "其中没有消息",
    "no model is named: `{model}` stands for it": "没有指定模型：以 `{model}` 代替",
    "there is none in it": "其中没有消息",
    # Renaming.
    "nothing to rename here: put the cursor on an id, an agent or the name of a tool": (
        "这里没有可重命名的内容：请将光标放到 ID、代理或工具名称上"
    ),
    "nothing to rename here: put the cursor on the name of an agent": (
        "这里没有可重命名的内容：请将光标放到代理的名称上"
    ),
    "nothing to rename here: put the cursor on the value of `id` or `call_id`": (
        "这里没有可重命名的内容：请将光标放到 `id` 或 `call_id` 的值上"
    ),
    "nothing to rename here: put the cursor on a `toolCallId`": (
        "这里没有可重命名的内容：请将光标放到 `toolCallId` 上"
    ),
    "an id cannot be empty": "ID 不能为空",
    "an id is one line, without control characters": "ID 只能有一行，且不含控制字符",
    "`{new}` has a dot: an id is renamed one segment at a time": (
        "`{new}` 含有点：ID 每次只能重命名一段"
    ),
    "`{new}` differs in several segments: rename one at a time": (
        "`{new}` 有多段不同：请每次只重命名一段"
    ),
    "`{new}` is no id: no blanks, dots, brackets or carets": (
        "`{new}` 不是 ID：不能含空格、点、方括号或脱字符"
    ),
    "`{new}` is no nonce: letters, digits, `_` and `-` only": (
        "`{new}` 不是 nonce：只能用字母、数字、`_` 和 `-`"
    ),
    "`{new}` is no number: 1, 2, 3, …": "`{new}` 不是编号：1、2、3……",
    "`{new_id}` would not be read as an id": "`{new_id}` 不会被读作 ID",
    "{count} cells have the id `{id}`: rename one of them at its header": (
        "有 {count} 个单元的 ID 是 `{id}`：请在标题行处重命名其中一个"
    ),
    "`{after}` is taken: {what} has that id already": "`{after}` 已被占用：{what}已使用该 ID",
    "`{after}` is taken: cells below that id are there already": (
        "`{after}` 已被占用：已有属于该 ID 的单元"
    ),
    "a cell": "某个单元",
    "a definition": "某个定义",
    "a footnote": "某个脚注",
    "an agent": "某个代理",
    "another call has the nonce `{nonce}` already": "另一个调用已使用 nonce `{nonce}`",
    "`{name}` is a model there, and a model keeps its name": (
        "`{name}` 在那里是模型，模型的名称不能更改"
    ),
    "`{name}` is a model of {named}, and a model keeps its name": (
        "`{name}` 是 {named} 的模型，模型的名称不能更改"
    ),
    '`{new}` is no name for an agent: no brackets, no `=`, no `"`': (
        '`{new}` 不能作为代理的名称：不能含方括号、`=` 和 `"`'
    ),
    "`{type}` is the type of tool calls, and no name for an agent": (
        "`{type}` 是工具调用的类型，不能作为代理的名称"
    ),
    "`{new}` is taken: an agent has that name already": "`{new}` 已被占用：已有同名的代理",
    "`{new}` is taken: an agent or a model has that name already": (
        "`{new}` 已被占用：已有同名的代理或模型"
    ),
    "the name of a tool cannot be empty or have several lines": "工具名称不能为空，也不能有多行",
    "`{new}` is taken: another tool has that name already": "`{new}` 已被占用：已有同名的工具",
    "`{new}` is taken: another call of this run has that id": (
        "`{new}` 已被占用：此运行的另一个调用已使用该 ID"
    ),
    "`{new}` is taken: a message has that id already": "`{new}` 已被占用：已有消息使用该 ID",
    "`{new}` is taken: a call has that id already": "`{new}` 已被占用：已有调用使用该 ID",
    "`{new}` is taken: a message answers a call of that id already": (
        "`{new}` 已被占用：已有消息对应使用该 ID 的调用"
    ),
}

_REASONS: Mapping[str, str] = {
    "{what} is missing": "缺少 {what}",
    "a value": "值",
    "a value is missing": "缺少值",
    "JSON has no comments": "JSON 没有注释",
    "this is not JSON": "这不是 JSON",
    "a comma is missing before this": "这里前面缺少逗号",
    "a file holds one value; in JSONL, whose files end in `.jsonl`, a line does": (
        "一个文件只有一个值；在以 `.jsonl` 结尾的 JSONL 文件中，一行只有一个值"
    ),
    "the comma before the end of the array is too many": "数组末尾前多了一个逗号",
    "there is nothing before this comma": "这个逗号前面没有内容",
    "nothing opens this bracket": "没有与这个括号匹配的左括号",
    "it is nested too deeply": "嵌套过深",
    "it is not a JSON object": "它不是 JSON 对象",
    "message": "消息",
    "delta": "增量",
    "entry": "会话条目",
    # Why a text is not strict JSON.
    "a value is expected here": "这里应有一个值",
    "a key in double quotes is expected here": "这里应有双引号括起的键",
    "a colon is missing before this": "这里前面缺少冒号",
    "this string is never closed": "这个字符串没有闭合",
    "a line break or a tab in a string is written `\\n` or `\\t`": (
        "字符串中的换行或制表符要写作 `\\n` 或 `\\t`"
    ),
    "this is not an escape: a backslash is written `\\\\`": "这不是转义：反斜杠要写作 `\\\\`",
    "four hexadecimal digits must follow `\\u`": "`\\u` 后面必须有四个十六进制数字",
    "this follows the end of the value": "这在值结束之后",
    "the comma before a closing bracket is one too many": "右括号前多了一个逗号",
    "the text ends too early": "文本过早结束",
    "a number is too long": "数字过长",
    "JSON has no `{name}`": "JSON 没有 `{name}`",
    "this cannot stand here": "这里不能有这个",
    "this is not valid JSON": "这不是有效的 JSON",
    # What pydantic says.
    "field required": "缺少此字段",
    "input should be an object": "应为对象",
    "input should be a list": "应为列表",
    "input should be a valid string": "应为文本",
    "input should be a valid integer": "应为整数",
    "input should be a valid number": "应为数字",
    "input should be a valid boolean": "应为 true 或 false",
    "input should be a valid list": "应为列表",
    "input should be a valid dictionary": "应为对象",
    "input should be {value}": "应为 {value}",
    "input should be {others} or {last}": "应为 {others} 或 {last}",
    "input should be one of {values}": "应为以下之一：{values}",
    "input should be a list of message parts, an object or a text": "应为部分的列表、对象或文本",
    "input should be a number or an object": "应为数字或对象",
    "arguments may be missing only where rawArgsText is there": "有 rawArgsText 才可省略 arguments",
    "extra inputs are not permitted": "不允许有此字段",
    "an image needs data or url": "图像需要 data 或 url",
    # What is wrong with XML.
    "the character {name} is not allowed in XML": "XML 中不允许字符 {name}",
    "<{tag}> is never closed": "<{tag}> 没有闭合",
    "</{found}> stands where </{expected}> is expected": "此处应为 </{expected}>，却是 </{found}>",
    "a plain & is written &amp;": "单独的 & 要写作 &amp;",
    "a plain < is written &lt;": "单独的 < 要写作 &lt;",
    "a document type or an entity declaration is not allowed": "不允许文档类型或实体声明",
    "there is no element": "没有元素",
    "XML has no `{name}`: write the character itself": "XML 没有 `{name}`：请直接写该字符",
    "the value of an attribute needs quotes": "属性的值需要引号",
    "this attribute stands here twice": "这个属性出现了两次",
    "this is never closed": "这里没有闭合",
    "this `<![CDATA[` is never closed": "这个 `<![CDATA[` 没有闭合",
    "only one element may stand here": "这里只能有一个元素",
    "a tag is expected here": "这里应有标签",
    "`<?xml` may only stand at the start": "`<?xml` 只能在开头",
    "there is no such character": "没有这个字符",
    # What is wrong with YAML.
    "a tab cannot stand here: YAML is indented with blanks": "这里不能用制表符：YAML 用空格缩进",
    "this quote is never closed": "这个引号没有闭合",
    "`{escape}` is not an escape: single quotes take it as it is": (
        "`{escape}` 不是转义：用单引号可保持原样"
    ),
    "hexadecimal digits are missing in this escape": "这个转义缺少十六进制数字",
    "`{bracket}` is never closed": "`{bracket}` 没有闭合",
    "a comma or `{closing}` is missing before this": "这里前面缺少逗号或 `{closing}`",
    "a bracket is never closed": "有括号没有闭合",
    "`:` is missing behind this key": "这个键后面缺少 `:`",
    "a value that holds `: ` needs quotes": "含有 `: ` 的值需要引号",
    "a key cannot stand here: see its indentation, and the line above": (
        "这里不能有键：请检查缩进和上一行"
    ),
    "this follows the closing quote: write a quote inside twice": (
        "这在右引号之后：值里面的引号要写两遍"
    ),
    "this follows the closing bracket": "这在右括号之后",
    "`- ` is missing here, or the indentation is wrong": "这里缺少 `- `，或者缩进不对",
    "a key is expected here: see the indentation": "这里应有键：请检查缩进",
    "a list begins on a line of its own": "列表要另起一行",
    "`{character}` cannot begin a value: put it in quotes": (
        "值不能以 `{character}` 开头：请加引号"
    ),
    "nothing but `+`, `-`, a digit or a comment may follow `|` or `>`": (
        "`|` 或 `>` 后面只能有 `+`、`-`、一个数字或注释"
    ),
    "the tag `{tag}` is not known": "未知的标签 `{tag}`",
    "a list or a mapping cannot be a key": "列表或映射不能作为键",
    "`<<` takes a mapping, or a list of mappings": "`<<` 后面应为映射或映射的列表",
    "this follows the end of the document": "这在文档结束之后",
    "the tag does not fit its value": "标签与它的值不符",
    "a value does not fit its tag": "有值与它的标签不符",
    "a tag is not UTF-8": "标签不是 UTF-8",
    "`---` starts a second document": "`---` 开始了第二个文档",
    "`*{name}` stands for nothing: there is no `&{name}` before it": (
        "`*{name}` 没有所指：前面没有 `&{name}`"
    ),
    "`*{name}` stands inside what it stands for": "`*{name}` 位于它所指的内容之中",
    "nested deeper than {count} levels": "嵌套超过 {count} 层",
    "more than {count} values, with aliases expanded": "展开别名后超过 {count} 个值",
    "the character {name} is not allowed in YAML": "YAML 中不允许字符 {name}",
    "this is not a whole number": "这不是整数",
    "this is not a number": "这不是数字",
    "this is neither true nor false": "这既不是 true 也不是 false",
    "there is no such date": "没有这样的日期",
    "this is not base64": "这不是 base64",
}

_COMMAND_LINE: Mapping[str, str] = {
    "= see": "= 参见",
    "= fix:": "= 修复",
    " (not safe)": "（不安全）",
    " … to line {line}": " … 到第 {line} 行",
    "1 problem": "1 个问题",
    "{count} problems": "{count} 个问题",
    "Found {problems}. ": "发现 {problems}。",
    "{count} of them can be fixed by --fix. ": "其中 {count} 个可用 --fix 修复。",
    "Fixed {problems}, {left} left. ": "已修复 {problems}，还剩 {left} 个。",
    "Fixed {problems}, none left. ": "已修复 {problems}，没有剩余。",
    "Would fix {problems}. ": "将修复 {problems}。",
    "Nothing to fix. ": "没有可修复的问题。",
    "No problems found. ": "没有发现问题。",
    "no agent `{name}` is registered, and the frontmatter cannot be edited; "
    "`agents:` in it or an agents.json can do that": (
        "没有注册名为 `{name}` 的代理，也无法编辑前置元数据；"
        "可在其中的 `agents:` 或 agents.json 中注册"
    ),
    "`{name}` is new here, and is registered in the frontmatter": (
        "`{name}` 在这里是新的，已在前置元数据中注册"
    ),
}

PHRASES: Mapping[str, str] = {
    **_COMMANDS,
    **_SHOWN,
    **_REFUSALS,
    **_REASONS,
    **_COMMAND_LINE,
    **_CLI,
    **_LOSSES,
    **_RULES,
    **_SERVER,
    **FEATURES,
}
