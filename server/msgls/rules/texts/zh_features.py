"""What hovers, completions, outlines and folds say in simplified Chinese, by the English template.

Merged into ``zh_phrases``, which says what holds of all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

_MARKS: Mapping[str, str] = {
    ", ": "、",
    ": ": "：",
    " or ": " 或 ",
    ": {words}": "：{words}",
    ", {language}": "，{language}",
    ", {characters}": "，{characters}",
    "{role}: {words}": "{role}：{words}",
    "{name} ({messages})": "{name}（{messages}）",
}

_COUNTED: Mapping[str, str] = {
    "{count:,} part": "{count:,} 个部分",
    "{count:,} parts": "{count:,} 个部分",
    "{count:,} delta": "{count:,} 个增量",
    "{count:,} deltas": "{count:,} 个增量",
    "{count:,} line": "{count:,} 行",
    "{count:,} lines": "{count:,} 行",
    "{count:,} character": "{count:,} 个字符",
    "{count:,} characters": "{count:,} 个字符",
    "{count:,} message": "{count:,} 条消息",
    "{count:,} messages": "{count:,} 条消息",
    "1 child": "1 个下级单元",
    "{count:,} children": "{count:,} 个下级单元",
    "{count:,} more parts": "另有 {count:,} 个部分",
    "and {count:,} more": "另有 {count:,} 个",
    " and {count} more": "，另有 {count} 个",
    "{tokens} so far": "目前共 {tokens}",
}

# In more than one format.
_COMMON: Mapping[str, str] = {
    "Agent": "代理",
    "Role": "角色",
    "Type": "类型",
    "Message": "消息",
    "Tool call": "工具调用",
    "Value: ": "值：",
    "Values: ": "可用的值：",
    "Default: ": "默认值：",
    "agent": "代理",
    "answer": "回答",
    "tool": "工具",
    "tool call": "工具调用",
    "tool result": "工具结果",
    "execution output": "执行输出",
    "text": "文本",
    "now": "现在",
    "default": "默认",
    "required": "必填",
    "answered": "已有结果",
    "not answered": "尚无结果",
    "failed": "失败",
    "any text": "任意文本",
    "a free id": "未使用的 ID",
    "no role": "没有角色",
    "(call)": "（调用）",
    "(empty heading)": "（空标题）",
    "line {line}: {what}": "第 {line} 行：{what}",
    "Who speaks.": "说话者。",
    "The model that answers.": "回答的模型。",
    "What the model is told before everything else.": "在其他一切之前告诉模型的内容。",
    "No call in this file has it.": "此文件中没有使用它的调用。",
    "Relative to the folder of this file.": "相对于此文件所在的文件夹。",
    "An address or an absolute path: it is not looked at.": "网址或绝对路径：不作检查。",
    # Attributes of agents.
    "Agent attribute": "代理属性",
    "The models that the agent may use, the preferred one first.": (
        "代理可以使用的模型，首选的排在最前。"
    ),
    "How many tokens the model takes in, its answer included.": (
        "模型能容纳多少词元，包括它的回答。"
    ),
    "How many tokens an answer has at most.": "一个回答最多有多少词元。",
    "Whether the model reasons before it answers.": "模型在回答之前是否推理。",
    "Whether a temperature is sent at all.": "是否发送温度参数。",
    "How freely the model chooses its words.": "模型用词的随机程度。",
    "a list of model names, at least one": "模型名称的列表，至少有一个",
    "a positive whole number": "正整数",
    "true or false": "true 或 false",
    "a number from 0 to 2": "0 到 2 之间的数",
    # Rules.
    "All about this rule": "关于此规则的全部说明（英文）",
    "There is no rule ": "没有规则 ",
    ": this silences nothing.": "：它不会屏蔽任何问题。",
    "error": "错误",
    "warning": "警告",
    "info": "信息",
    "hint": "提示",
}

_MESSAGE_FILES: Mapping[str, str] = {
    # Cells.
    "Preamble": "前言",
    "Code cell": "代码单元",
    "Answer": "回答",
    "Tool result": "工具结果",
    "Execution output": "执行输出",
    "preamble": "前言",
    "code cell": "代码单元",
    " by `{agent}`": "，来自 `{agent}`",
    " of `{tool}`": "，工具 `{tool}`",
    ", defines the agent `{name}`": "，定义代理 `{name}`",
    "Belongs to {role} `{id}`": "属于{role} `{id}`",
    "Belongs to `{id}`, which is not in this file": "属于 `{id}`，但此文件中没有它",
    "Has {children}: ": "有 {children}：",
    "It has no definition yet.": "它还没有定义。",
    "The model sees this cell.": "模型会看到此单元。",
    "The model sees only a summary of this cell.": "模型只会看到此单元的摘要。",
    "The model does not see this cell, because of `history={value}`.": (
        "模型看不到此单元，因为 `history={value}`。"
    ),
    "The model does not see this cell: it is virtual, for people only.": (
        "模型看不到此单元：它是虚拟的，仅供人阅读。"
    ),
    "The model does not see this cell: a later cell resets the context.": (
        "模型看不到此单元：后面有单元重置了上下文。"
    ),
    "The model does not see this cell: it stands before the recorded section.": (
        "模型看不到此单元：它在记录对话的章节之前。"
    ),
    "About {tokens}.": "约 {tokens}。",
    "About {tokens}, of which the model sees {seen}.": "约 {tokens}，模型看到其中 {seen} 个。",
    "Nonce": "Nonce",
    "The nonce ties results to their call: every result of this call has it too. "
    "It is random, so that no model can make up a result for a call that it never made.": (
        "Nonce 把结果与调用联系起来：此调用的每个结果也都带有它。"
        "它是随机的，因此模型无法为从未发起的调用编造结果。"
    ),
    "It has {results}.": "它有 {results}。",
    "Footnote": "脚注",
    # Agents.
    "Model": "模型",
    "A model of ": "此模型属于 ",
    ", the default one": "，默认代理",
    "Registered in `agents.json`.": "在 `agents.json` 中注册。",
    "Registered in the frontmatter.": "在前置元数据中注册。",
    "Defined by the cell `{id}`.": "由单元 `{id}` 定义。",
    "Nobody registered it in this file.": "此文件中没有注册它。",
    "models": "模型",
    "context window": "上下文窗口",
    "max output tokens": "最大输出词元数",
    "reasoning": "推理",
    "use temperature": "使用温度",
    "temperature": "温度",
    "Frontmatter": "前置元数据",
    "The agents that may answer in this file, by name.": "可以在此文件中回答的代理，按名称列出。",
    "The agent that answers unless another one is named; else the first one is.": (
        "没有指定其他代理时由它回答；没有写明时是第一个。"
    ),
    "The heading below which this file records a conversation; true stands for “Discussion”.": (
        "此文件在这个标题下方记录对话；true 表示“Discussion”。"
    ),
    # Definitions.
    "A message in Markdown.": "用 Markdown 写的消息。",
    "Code to run: the first fenced block is the code, the rest is reasoning.": (
        "要运行的代码：第一个围栏代码块是代码，其余是推理。"
    ),
    "A message that is taken as it stands.": "原样使用的消息。",
    "A tool call `id.nonce`, or a result `id.nonce.n` of one.": (
        "工具调用 `id.nonce`，或它的结果 `id.nonce.n`。"
    ),
    "The output of running a code cell in this language.": "以此语言运行代码单元的输出。",
    "Attribute": "属性",
    "a time": "时间",
    "a duration": "时长",
    "a MIME type": "MIME 类型",
    "a path relative to this file": "相对于此文件的路径",
    "On: ": "适用于：",
    "every cell": "所有单元",
    "messages": "消息",
    "outputs": "输出",
    "{roles} (required on: {needed})": "{roles}（必填于：{needed}）",
    "On this cell ({role}) it means nothing.": "在此单元（{role}）上它没有意义。",
    "Whether the model sees this cell: all of it, only its summary, or nothing.": (
        "模型是否看到此单元：全部、只有摘要，或完全看不到。"
    ),
    "What the model sees of this cell where `history` is `summary`.": (
        "`history` 为 `summary` 时，模型看到的此单元的内容。"
    ),
    "Who speaks in this message.": "这条消息由谁说。",
    "When this output was made: ISO 8601 with an offset, as 2025-05-30T09:30:00+08:00.": (
        "生成此输出的时间：带时区偏移的 ISO 8601，例如 2025-05-30T09:30:00+08:00。"
    ),
    "Whether this answer is the agent's reasoning.": "此回答是否为代理的推理。",
    "The tool that is called, or the agent that is defined.": "所调用的工具，或所定义的代理。",
    "How it ended.": "结果如何。",
    "How long it took: a number with `ms`, `s`, `m` or `h`, or a bare number of seconds.": (
        "用了多长时间：带 `ms`、`s`、`m` 或 `h` 的数，或不带单位的秒数。"
    ),
    "What the output is; a binary type means base64.": "输出是什么；二进制类型表示 base64。",
    "Where the output is kept, relative to this file.": "输出保存在哪里，相对于此文件。",
    "`agent`: this cell defines a temporary agent.": "`agent`：此单元定义临时代理。",
    "`1`: shown to people, and never sent to the model.": "`1`：显示给人看，从不发送给模型。",
    "`1`: the message that an agent starts a conversation with.": ("`1`：代理用来开始对话的消息。"),
    "`1`: what the model sees starts behind this cell.": "`1`：模型看到的内容从此单元之后开始。",
    # Completion.
    "start of a message cell": "消息单元的开头",
    "start of an output cell": "输出单元的开头",
    "frontmatter with an agent": "带一个代理的前置元数据",
    "time": "时间",
    "duration": "时长",
    "mime type": "MIME 类型",
    "path": "路径",
    "footnote": "脚注",
    "the definition of this cell": "此单元的定义",
    "run of {id}": "{id} 的运行",
    "result of {id}": "{id} 的结果",
    "tool call by {id}, new nonce": "{id} 的工具调用，新的 nonce",
    "next free id": "下一个未使用的 ID",
    "next free id, for an answer": "下一个未使用的 ID，用于回答",
    "defined below": "在下方定义",
    "message cell": "消息单元",
    "what you say": "你说的话",
    "answer cell": "回答单元",
    "what an agent says": "代理说的话",
    "code to run": "要运行的代码",
    "temporary agent": "临时代理",
    "an agent for this conversation": "用于此对话的代理",
    "tool result cell": "工具结果单元",
    "a result of {id}": "{id} 的一个结果",
    "tool call cell": "工具调用单元",
    "a call by {id}": "{id} 发起的调用",
    "execution output cell": "执行输出单元",
    "a run of {id}": "{id} 的一次运行",
    # Outline and folding.
    "frontmatter": "前置元数据",
    "definitions": "定义",
    "{count} tool cells": "{count} 个工具单元",
    "(message)": "（消息）",
    "(code)": "（代码）",
    "(answer)": "（回答）",
    "(tool call)": "（工具调用）",
    "(tool result)": "（工具结果）",
    "Out {number} · {what}": "输出 {number} · {what}",
}

_SIMPLE_TEXT: Mapping[str, str] = {
    "What a person says.": "人说的话。",
    "What the model says.": "模型说的话。",
    "What the model is told by who builds with it; lowered to a system message.": (
        "开发者告诉模型的内容；转换为 system 消息。"
    ),
    "What a tool answered to a call.": "工具对调用返回的结果。",
    "Starts a message. {role}": "开始一条消息。{role}",
    "Starts a message. Without `role` it has the role of the message before it.": (
        "开始一条消息。没有 `role` 时沿用前一条消息的角色。"
    ),
    "Starts a message that is a JSON5 object, as chat services write them, up to `end`.": (
        "开始一条以 JSON5 对象书写的消息，与聊天服务的写法相同，直到 `end`。"
    ),
    "Calls a tool. The next data line is its name, a blank and a JSON5 object.": (
        "调用工具。下一个数据行是工具名称、一个空格和一个 JSON5 对象。"
    ),
    "Takes a file into the message. The next data line is its path, or an address.": (
        "把文件放入消息。下一个数据行是它的路径或网址。"
    ),
    "Says something of the whole file: a JSON5 object, up to `end`.": (
        "说明整个文件的情况：一个 JSON5 对象，直到 `end`。"
    ),
    "Says something more of this message: a JSON5 object, up to `end`.": (
        "补充说明这条消息：一个 JSON5 对象，直到 `end`。"
    ),
    "Ends the message: what follows needs a new one.": "结束这条消息：其后的内容需要新的消息。",
    "Ends a block.": "结束一个块。",
    "what a person says": "人说的话",
    "what the model says": "模型说的话",
    "what the model is told before everything else": "在其他一切之前告诉模型的内容",
    "what the model is told by who builds with it; lowered to a system message": (
        "开发者告诉模型的内容；转换为 system 消息"
    ),
    "what a tool answered to a call": "工具对调用返回的结果",
    "starts a message": "开始一条消息",
    "starts a message that is a JSON5 object, as chat services write them, up to `end`": (
        "开始一条以 JSON5 对象书写的消息，与聊天服务的写法相同，直到 `end`"
    ),
    "calls a tool": "调用工具",
    "takes a file into the message": "把文件放入消息",
    "says something of the whole file: a JSON5 object, up to `end`": (
        "说明整个文件的情况：一个 JSON5 对象，直到 `end`"
    ),
    "says something more of this message: a JSON5 object, up to `end`": (
        "补充说明这条消息：一个 JSON5 对象，直到 `end`"
    ),
    "ends the message: what follows needs a new one": "结束这条消息：其后的内容需要新的消息",
    "ends a block": "结束一个块",
    "The name of who speaks.": "说话者的名称。",
    "The name of who speaks; of a tool's message, the tool.": (
        "说话者的名称；在工具的消息中是工具名称。"
    ),
    "The context has been reset. How can I help you?": "上下文已重置。有什么我可以帮您的吗？",
    "The name of this message, for whoever wants to speak of it.": "这条消息的名称，供引用时使用。",
    "The call that this message answers; without it, the earliest one still open.": (
        "这条消息对应的调用；没有写明时，指最早的、尚未回答的调用。"
    ),
    "The name of this call. The message that answers it says it as `call_id`.": (
        "此调用的名称。对应它的消息以 `call_id` 写明它。"
    ),
    "What is said: a text, or a list of parts.": "所说的内容：文本，或部分的列表。",
    "The calls that the message makes.": "这条消息发起的调用。",
    "The call that the message answers.": "这条消息对应的调用。",
    "Command": "命令",
    ", short for `{command}`": "，`{command}` 的简写",
    ", for short `{command}`": "，简写为 `{command}`",
    "Arguments: ": "参数：",
    "Only in the dialect `{dialect}`": "仅用于方言 `{dialect}`",
    "Argument": "参数",
    "Key of a raw message": "raw 消息的键",
    "Not one of the usual roles; such a message is taken for the user's.": (
        "不是常用的角色；这样的消息会被当作用户的消息。"
    ),
    "Usual: ": "常用的有：",
    "Its role is that of the message before it.": "沿用前一条消息的角色。",
    "Length: {tokens}": "长度：{tokens}",
    "`{tool}` as `{id}`": "`{tool}`（`{id}`）",
    "Calls {call}: {state}": "调用 {call}：{state}",
    "answered on line {lines}": "结果在第 {lines} 行",
    " without a role": "，没有角色",
    " of `{role}`": "，角色 `{role}`",
    ", id `{id}`": "，ID `{id}`",
    "Answers the call of {call} on line {line}": "对应第 {line} 行的调用 {call}",
    "Call": "调用",
    " of {call}": " {call}",
    "No message answers it.": "没有消息对应它。",
    "Answered on line {line}": "结果在第 {line} 行",
    "Of the block that `{command}` opens on line {line}": (
        "结束的是第 {line} 行由 `{command}` 打开的块"
    ),
    "Id of a call": "调用的 ID",
    "Embedded file": "嵌入的文件",
    "Literal": "字面字符",
    "A data line that starts with one `{prefix}`, and no command.": (
        "以一个 `{prefix}` 开头的数据行，不是命令。"
    ),
    "{call}, answered": "{call}，已有结果",
    "{role} message": "{role} 消息",
    "a call in this message": "这条消息中的调用",
    "embedded file": "嵌入的文件",
    "a file in this message": "这条消息中的文件",
    "raw message": "raw 消息",
    "a message as JSON5": "以 JSON5 书写的消息",
    "{word} block": "{word} 块",
    "about the file": "关于文件",
    "about this message": "关于这条消息",
    "block comment": "块注释",
    "tool message": "tool 消息",
    "the result of a call": "调用的结果",
    "the result of {call}": "{call} 的结果",
}

_CHATBUILDER: Mapping[str, str] = {
    "Field": "字段",
    "Field that every message should have": "每条消息都应有的字段",
    "Which message this is. No other message has the same one.": (
        "这是哪条消息。没有其他消息与它相同。"
    ),
    "What kind of message it is.": "消息的种类。",
    "The version of the message. It is counted on when the message changes.": (
        "消息的版本。消息更改时递增。"
    ),
    "What the message is about, in a few words.": "用几个词说明消息的内容。",
    "The language that the message is written in.": "消息所用的语言。",
    "When the message was made.": "消息的创建时间。",
    "Who wrote the message, each with a version.": "消息的作者，每位都带有版本。",
    "The message that this one comes from.": "这条消息由哪条消息而来。",
    "Who is to see the message.": "谁可以看到消息。",
    "Whose message it is. A program that reads the file cannot do without.": (
        "这是谁的消息。读取文件的程序离不开它。"
    ),
    "Rules that are silent in this file.": "在此文件中忽略的规则。",
    "a UUID, such as `{value}`": "UUID，例如 `{value}`",
    "a name, such as `UserMessage`": "名称，例如 `UserMessage`",
    "a semantic version, such as `1.0.0`": "语义化版本号，例如 `1.0.0`",
    "the name of a language, such as `markdown`": "语言的名称，例如 `markdown`",
    "a time of ISO 8601, such as `2025-04-21T18:15:00.000Z`": (
        "ISO 8601 时间，例如 `2025-04-21T18:15:00.000Z`"
    ),
    "`Name (vX.Y.Z)`, several with commas between them": "`Name (vX.Y.Z)`，多个之间用逗号分隔",
    "the `{field}` of another message, or `N/A`": "另一条消息的 `{field}`，或 `N/A`",
    "any word": "任意词",
    "`ignore` and the codes of rules, such as `ignore CBM005`": (
        "`ignore` 和规则代码，例如 `ignore CBM005`"
    ),
    "The person who asks.": "提问的人。",
    "What the model is told before the conversation.": "对话之前告诉模型的内容。",
    "This message has it.": "这条消息使用它。",
    "So 1 other message has:": "另有 1 条消息也使用它：",
    "So {count:,} other messages have:": "另有 {count:,} 条消息也使用它：",
    "1 other message has it:": "另有 1 条消息使用它：",
    "{count:,} other messages have it:": "另有 {count:,} 条消息使用它：",
    "No message has it here.": "这里没有消息使用它。",
    "1 message comes from it:": "有 1 条消息由它而来：",
    "{count:,} messages come from it:": "有 {count:,} 条消息由它而来：",
    "with a new UUID": "带新的 UUID",
    "a new UUID": "新的 UUID",
    "silence a rule": "忽略某条规则",
    "silence rules in this file": "在此文件中忽略规则",
    "no parent": "没有父消息",
    "the first version": "第一个版本",
    "patch": "修订号",
    "minor": "次版本号",
    "major": "主版本号",
    "header": "头部",
    "header · {role}": "头部 · {role}",
    "A message from the {role}": "来自 {role} 的消息",
}

_MESSAGES_IN_JSON: Mapping[str, str] = {
    "Key of a message": "消息的键",
    "Key of a session entry": "会话条目的键",
    "Key of a delta": "增量的键",
    "Key of a part": "部分的键",
    "Key of a payload": "载荷的键",
    "Kind of delta": "增量的类型",
    "Kind of part": "部分的类型",
    "Type of entry": "条目的类型",
    "Must be there.": "必须有。",
    "May be left out.": "可以省略。",
    "may be left out": "可以省略",
    " (may be left out): ": "（可以省略）：",
    "a text": "文本",
    "a whole number": "整数",
    "a number": "数",
    "`true` or `false`": "`true` 或 `false`",
    "an object": "对象",
    "a list": "列表",
    "anything": "任意值",
    "Instructions that stand above the conversation.": "在对话之上的指令。",
    "A person, or whoever asks.": "人，或其他提问者。",
    "The model.": "模型。",
    "A tool that answers a call of the model.": "响应模型调用的工具。",
    "The payload is a message.": "载荷是一条消息。",
    "The payload is a list of deltas, bare or below `{key}`.": (
        "载荷是增量的列表，直接写出或放在 `{key}` 之下。"
    ),
    "The payload is a list of deltas, bare or below {key}.": (
        "载荷是增量的列表，直接写出或放在 {key} 之下。"
    ),
    "No message and no deltas: it is passed over.": "既不是消息也不是增量：略过。",
    # Streams and calls.
    "No `start` opens a stream of run `{run}`.": "没有 `start` 打开运行 `{run}` 的流。",
    "Behind the end of its stream: it is part of no message.": (
        "在它的流结束之后：不属于任何消息。"
    ),
    "The message": "消息",
    "The message so far": "目前的消息",
    "{deltas} of run `{run}`": "运行 `{run}` 的 {deltas}",
    "The stream is long: {lines} behind its start were not read for this.": (
        "流很长：此处没有读取其开头之后的 {lines}。"
    ),
    "Nothing is said yet.": "还没有内容。",
    "No call of this run has that id.": "此运行中没有使用该 ID 的调用。",
    "Result on line {line}: ": "结果在第 {line} 行：",
    "No result": "没有结果",
    "Tool `{name}`, called on line {line}": "工具 `{name}`，在第 {line} 行调用",
    "failed, {words}": "失败，{words}",
    "an object, or parts": "对象，或若干部分",
    "{parts} of the kind `{kind}`": "{parts}，类型为 `{kind}`",
    "Run": "运行",
    "Stream from line {line} on": "从第 {line} 行开始的流",
    "Stream from line {line} on by `{model}`": "从第 {line} 行开始的流，来自 `{model}`",
    "It has not ended.": "尚未结束。",
    "Ended by `{kind}` on line {line}": "在第 {line} 行以 `{kind}` 结束",
    "File": "文件",
    "the stream of run `{run}` has not ended: this is so far": (
        "运行 `{run}` 的流尚未结束：这是目前的内容"
    ),
    "the stream of run `{run}` ends in an error": "运行 `{run}` 的流以错误结束",
    # Completion and outline.
    "not for the role {role}": "不适用于角色 {role}",
    "said before": "前面用过",
    "open": "未结束",
    "{state}, run {run}": "{state}，运行 {run}",
    "after {number}": "在 {number} 之后",
    "the first": "第一个",
    "message: {role}": "消息：{role}",
    "An entry": "会话条目",
    "stream · {run}": "流 · {run}",
    "(result)": "（结果）",
    "file": "文件",
    "(file)": "（文件）",
    # What the models say of themselves.
    "One message of a conversation; the order of its parts has a meaning.": (
        "对话中的一条消息；各部分的顺序有意义。"
    ),
    "The run that the message belongs to.": "消息所属的运行。",
    "What the message says, in order.": "消息的内容，按顺序。",
    "When it was said, in ISO 8601.": "说出的时间，用 ISO 8601 书写。",
    "Whatever else is known of the message.": "关于消息的其他信息。",
    "One line of a session's log. `payload` is whatever its `type` says.": (
        "会话日志中的一行。`payload` 的内容由 `type` 说明。"
    ),
    "The name of this entry.": "此条目的名称。",
    "The entry that this one follows.": "此条目所接续的条目。",
    "What the payload is: `message`, `message_delta_batch`, or anything else.": (
        "载荷是什么：`message`、`message_delta_batch` 或其他。"
    ),
    "When it was written, in ISO 8601.": "写入的时间，用 ISO 8601 书写。",
    "The run that the entry belongs to.": "条目所属的运行。",
    "What is recorded, in the shape of its type.": "所记录的内容，形式由类型决定。",
    "Whatever else is known of the entry.": "关于条目的其他信息。",
    "What all deltas have; in annotations use the union, `MessageDelta`.": (
        "所有增量共有的内容；在类型标注中请用联合类型 `MessageDelta`。"
    ),
    "The run that the delta belongs to.": "增量所属的运行。",
    "The place of the delta in its stream: larger than that of the one before.": (
        "增量在流中的位置：大于前一个增量的位置。"
    ),
    "What the delta does; the payload follows from it.": "增量的作用；载荷由它决定。",
    "What the delta adds, in the shape of its kind.": "增量所添加的内容，形式由类型决定。",
    "When it was sent, in ISO 8601.": "发送的时间，用 ISO 8601 书写。",
    "What the provider sent, as it came.": "提供方发送的原始内容。",
    "What all parts have; in annotations use the union, `MessagePart`.": (
        "所有部分共有的内容；在类型标注中请用联合类型 `MessagePart`。"
    ),
    "What the part is; the payload follows from it.": "部分是什么；载荷由它决定。",
    "What the part says, in the shape of its kind.": "部分的内容，形式由类型决定。",
    "Tokens so far, and what they cost.": "目前的词元数及其费用。",
    "Tokens that the model was given.": "给予模型的词元数。",
    "Tokens that the model has written so far.": "模型目前写出的词元数。",
    "Both together.": "两者之和。",
    "What it costs: a total, or an object that itemises it.": "费用：总额，或分项列出的对象。",
    "Opens a stream.": "打开一个流。",
    "Which model answers which request.": "哪个模型回答哪个请求。",
    "The request that is answered.": "所回答的请求。",
    "Goes on with the answer.": "继续回答。",
    "More text, of an answer or of a thought.": "更多文本，属于回答或思考。",
    "What follows the text so far.": "接在目前文本之后的内容。",
    "Goes on with the reasoning.": "继续推理。",
    "Opens a tool call.": "打开一个工具调用。",
    "Which tool is about to be called.": "即将调用哪个工具。",
    "The name of the call; no other of its run has it.": (
        "调用的名称；同一运行中没有其他调用使用它。"
    ),
    "The tool that is called.": "所调用的工具。",
    "Goes on with a tool call's arguments.": "继续工具调用的参数。",
    "More of the JSON text of a call's arguments.": "调用参数的更多 JSON 文本。",
    "The call whose arguments go on.": "参数仍在继续的调用。",
    "What follows the JSON text of the arguments so far.": "接在目前参数 JSON 文本之后的内容。",
    "Closes a tool call.": "结束一个工具调用。",
    "Which call has all its arguments now.": "哪个调用的参数已经齐全。",
    "The call whose arguments are complete.": "参数已经齐全的调用。",
    "Counts tokens.": "统计词元。",
    "Ends a stream well.": "正常结束流。",
    "Why the stream is over.": "流为何结束。",
    "Why the model stopped, such as `stop`, `length` or `tool_calls`.": (
        "模型为何停止，例如 `stop`、`length` 或 `tool_calls`。"
    ),
    "Ends a stream badly.": "因出错而结束流。",
    "Why the stream broke off.": "流为何中断。",
    "What went wrong, as a name.": "出了什么错，以名称表示。",
    "What went wrong, in words.": "出了什么错，用文字说明。",
    "Whether it may go better another time.": "重试是否可能成功。",
    "A part that is text.": "文本部分。",
    "What was said.": "所说的内容。",
    "A part that is reasoning.": "推理部分。",
    "What was thought before it was said.": "说出之前的思考。",
    "What was thought.": "思考的内容。",
    "A part that calls a tool.": "调用工具的部分。",
    "A tool's name and its arguments, or the text that could not be read as such.": (
        "工具的名称及其参数，或无法读作参数的文本。"
    ),
    "The name of the call: results refer to it, and no other of its run has it.": (
        "调用的名称：结果引用它，同一运行中没有其他调用使用它。"
    ),
    "What the tool is given, read as JSON.": "给工具的参数，读作 JSON。",
    "The text of the arguments, where it could not be read as JSON.": (
        "参数的文本，在无法读作 JSON 时使用。"
    ),
    "A part that answers a tool call.": "对应工具调用的部分。",
    "What came of one tool call.": "一次工具调用的结果。",
    "The call that this answers.": "它所对应的调用。",
    "Whether the tool failed.": "工具是否失败。",
    "What the tool gave back: a text, an object, or parts.": (
        "工具返回的内容：文本、对象或若干部分。"
    ),
    "A part that is an image.": "图像部分。",
    "An image: its bytes in base64, or where it is, or both.": (
        "图像：以 base64 书写的字节、它的位置，或两者都有。"
    ),
    "What kind of image it is, such as `image/png`.": "图像的类型，例如 `image/png`。",
    "The bytes of the image, in base64.": "图像的字节，以 base64 书写。",
    "Where the image is.": "图像的位置。",
    "A part that names a file.": "指明文件的部分。",
    "A file that is named and not included.": "只指明而不包含内容的文件。",
    "Where the file is.": "文件的位置。",
    "What kind of file it is.": "文件的类型。",
    "How long the file is, in bytes.": "文件的长度，以字节计。",
}

_AGENTS_JSON: Mapping[str, str] = {
    "Key": "键",
    "Required": "必填",
    "Task": "任务",
    "task": "任务",
    "available task": "可选任务",
    "new {what}": "新建：{what}",
    "{type}, required": "{type}，必填",
    "switch": "开关",
    "list": "列表",
    "object": "对象",
    "list of objects": "对象的列表",
    "Type: ": "类型：",
    "Message: ": "消息：",
    "Program: ": "程序：",
    "No boot message": "没有启动消息",
    "Boot message:": "启动消息：",
    "Available tasks:": "可选任务：",
    "Runs by itself, after the boot message": "在启动消息之后自动运行",
    "Shown as: ": "显示为：",
    "agent {number}": "代理 {number}",
    "task {number}": "任务 {number}",
    "boot message": "启动消息",
    # What the models say of themselves.
    "An agent of the host.": "宿主程序的代理。",
    "What the agent is called, here and in message files.": (
        "代理的名称，在这里和消息文件中都用它。"
    ),
    "The program of the agent, relative to this file.": "代理的程序，相对于此文件。",
    "What is known about the agent.": "关于代理的信息。",
    "What can be configured; not looked at.": "可以配置的内容；不作检查。",
    "The buttons and menus of the agent.": "代理的按钮和菜单。",
    "A task that the user is offered.": "提供给用户的任务。",
    "What the user sees of the task.": "用户看到的任务名称。",
    "What is done when the user chooses it.": "用户选择它时执行的任务。",
    "The message that a new conversation begins with.": "新对话开始时的消息。",
    "The text that welcomes the user.": "欢迎用户的文本。",
    "Whether the text is HTML; it is not, if nothing is said.": "文本是否为 HTML；没有写明时不是。",
    "Must mark the message as virtual, or the model sees it.": (
        "必须把消息标记为虚拟的，否则模型会看到它。"
    ),
    "The tasks that the user may begin with.": "用户可以用来开始的任务。",
    "The tasks that run by themselves, one after the other.": "依次自动运行的任务。",
    "What a boot message is.": "启动消息的性质。",
    "Marks the message as a boot message.": "把消息标记为启动消息。",
    "Shown to the user, and never sent to the model. Must be `true`.": (
        "显示给用户，从不发送给模型。必须是 `true`。"
    ),
    "What is known about an agent.": "关于代理的信息。",
    "Something that the host can do.": "宿主程序可以做的事。",
    "What the agent knows the task by.": "代理识别任务所用的名称。",
    "`action` or `message`, in any case.": "`action` 或 `message`，不区分大小写。",
    "What is shown when the task runs.": "任务运行时显示的内容。",
    "Whatever the task needs to know.": "任务需要知道的信息。",
    "What of the host the task may use.": "任务可以使用的宿主功能。",
    "Whether no message of the user is shown for the task.": "是否不为任务显示用户的消息。",
    "Whether the answer to the task is not shown.": "是否不显示任务的回答。",
    "Every agent of the host.": "宿主程序的所有代理。",
}

_PAGES: Mapping[str, str] = {
    "en": "zh-Hans",
    "System": "系统",
    "User": "用户",
    "Assistant": "助手",
    "Tool": "工具",
    "Contents": "目录",
    "There are no messages.": "没有消息。",
    "{count:,} agent": "{count:,} 个代理",
    "{count:,} agents": "{count:,} 个代理",
    "Output {number} of {code}": "{code} 的输出 {number}",
    "Result": "结果",
    "Result of": "结果：",
    "Reasoning": "推理",
    "File:": "文件：",
    "Image, {who}": "图像，{who}",
    "Text": "文本",
    "Standard output": "标准输出",
    "Standard error": "标准错误",
    "… nested deeper than is shown": "……嵌套过深，未显示",
    "not sent to the model: {why}": "不发送给模型：{why}",
    "for the model, {why}": "对模型而言，{why}",
    "an agent of this conversation; not sent to the model": "此对话的代理；不发送给模型",
    "Agent {name}": "代理 {name}",
}

FEATURES: Mapping[str, str] = {
    **_PAGES,
    **_MARKS,
    **_COUNTED,
    **_COMMON,
    **_MESSAGE_FILES,
    **_SIMPLE_TEXT,
    **_CHATBUILDER,
    **_MESSAGES_IN_JSON,
    **_AGENTS_JSON,
}
