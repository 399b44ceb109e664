"""What a conversion says it lost, in simplified Chinese, by the English template.

Part of ``zh_phrases``, which is loaded when somebody asks for Chinese. A loss is a sentence, or
names what is gone; both stand behind the word for "lost".
"""

from __future__ import annotations

from collections.abc import Mapping

_REQUESTS: Mapping[str, str] = {
    "a refusal becomes text": "拒绝回答的内容成为文本",
    "there is no place for the temperature {temperature}": "没有地方放温度 {temperature}",
    "there is no place for the text that the arguments of `{call}` were read from": (
        "没有地方放 `{call}` 的参数的原文"
    ),
    "the arguments of `{call}` are no object": "`{call}` 的参数不是对象",
    "{what} `{name}` becomes `{given}`": "{what} `{name}` 变为 `{given}`",
    "the id": "ID",
    "the tool": "工具",
    "a result in it becomes a message of its own": "其中的结果成为单独的消息",
    "a part of kind `{kind}` becomes a message of the user's": "`{kind}` 类内容成为用户的消息",
    "a part of kind `{kind}` is written as text": "`{kind}` 类内容写成文本",
    "a part of kind `{kind}` in a result is written as text": "结果中的 `{kind}` 类内容写成文本",
    "a part of kind `{kind}` is written as text in a message of the role `{role}`": (
        "角色为 `{role}` 的消息中的 `{kind}` 类内容写成文本"
    ),
    "a message of a tool that has no result is left out": "没有结果的工具消息被略去",
    "a message that says nothing is left out": "没有内容的消息被略去",
    "a text that is blank is left out": "空白的文本被略去",
    "no call `{call_id}` waits for this result: it becomes text": (
        "没有等待此结果的调用 `{call_id}`：它成为文本"
    ),
    "the call `{call_id}` has no result: it becomes text": "调用 `{call_id}` 没有结果：它成为文本",
    "this result is moved up to its call": "此结果被移到它的调用之后",
    "results are put in the order of their calls": "结果按调用的顺序排列",
    "text behind a call is moved before it": "调用之后的文本被移到调用之前",
    "a system message is moved before the conversation": "系统消息被移到对话之前",
    "the message behind it is joined with it": "它后面的消息并入其中",
    "it is joined with the message before it": "它并入前面的消息",
    "the assistant cannot speak first: a message of the user's, `{message}`, is put before it": (
        "助手不能先说话：在它之前放了一条用户消息 `{message}`"
    ),
    "blanks at the very end are cut off": "末尾的空白被去掉",
    "a result that is an object becomes JSON text": "作为对象的结果写成 JSON 文本",
    "a result without parts becomes an empty text": "没有内容的结果成为空文本",
    "thinking is not sent": "思考内容不发送",
    "thinking that is not signed is not sent": "没有签名的思考内容不发送",
    "a file is written as its name": "文件写成它的名称",
    "an empty text is written as none": "空文本不写出",
    "an image is sent by its data, without its address": "图像以数据发送，不带地址",
    "an image of the type `{type}` becomes a link": "`{type}` 类型的图像成为链接",
    "that an image is of the type `{type}`": "图像的类型 `{type}`",
    "half a character is replaced by U+FFFD": "半个字符被替换为 U+FFFD",
    "{count} half characters are replaced by U+FFFD": "{count} 个半字符被替换为 U+FFFD",
}

_OTHERS: Mapping[str, str] = {
    "this is no message": "这不是消息",
    "no message is there to carry {keys}": "没有消息可以承载 {keys}",
    "there is no role {role}: it is taken for the user's": "没有角色 {role}：视为用户的消息",
    "there is no sender {sender}: it is taken for the user's": (
        "没有发送者 {sender}：视为用户的消息"
    ),
    "{keys} of a message": "消息的 {keys}",
    "{keys} of a block": "块的 {keys}",
    "content of the type {kind}": "{kind} 类型的内容",
    "content of the type {kind} is not known": "未知类型 {kind} 的内容",
    "a call of the type {kind}": "{kind} 类型的调用",
    "`function_call` becomes a tool call": "`function_call` 成为工具调用",
    "`content` is neither a text nor a list": "`content` 既不是文本也不是列表",
    "1 message on other branches": "其他分支上的 1 条消息",
    "{count} messages on other branches": "其他分支上的 {count} 条消息",
    "what messages say beside their content: {keys}": "消息内容以外的信息：{keys}",
    "what the conversation says beside its messages: {keys}": "对话中消息以外的信息：{keys}",
    "no call stands before this result": "此结果之前没有调用",
    "no call is left that this result answers": "没有剩下由此结果回答的调用",
    "what cells say beside their source: {keys}": "单元源文本以外的信息：{keys}",
    "what the notebook says beside its cells: {keys}": "笔记本中单元以外的信息：{keys}",
    "a cell of the type {kind} is taken for Markdown": "{kind} 类型的单元视为 Markdown",
    "an output of the type {kind}": "{kind} 类型的输出",
    "an output is shown in one way, and not as {keys}": "输出只保留一种形式，没有 {keys}",
    "the metadata of an output": "输出的元数据",
    "the colours of a traceback": "错误回溯的颜色",
    "the attachment `{name}`": "附件 `{name}`",
}

_FORMATS: Mapping[str, str] = {
    # Message files.
    "this cell stands outside the section and is not recorded": "此单元在章节之外，没有记录",
    "no message is there to carry the text of the file": "没有消息可以承载文件的文本",
    "the text behind the section is not recorded": "章节之后的文本没有记录",
    "{written} on the definition line is not kept": "定义行上的 {written} 没有保留",
    "of two attributes {written} only the last one is kept": "两个属性 {written} 只保留最后一个",
    "an open fence is closed, so that it ends with its message": (
        "没有闭合的围栏被闭合，使它随消息结束"
    ),
    "the id {given} cannot stand in a header": "ID {given} 不能出现在标题行中",
    "the type {given} cannot stand in a definition": "类型 {given} 不能出现在定义中",
    "its meta is no JSON, or nested too deeply": "它的元数据不是 JSON，或嵌套过深",
    "what stands behind a tool call is moved before it": "工具调用之后的内容被移到调用之前",
    "it becomes {answer_id}, so that tool calls can follow it": (
        "它变为 {answer_id}，以便后面可以有工具调用"
    ),
    "no agent can be called {name}": "代理不能命名为 {name}",
    "an answer of {count} parts becomes {count} cells": (
        "有 {count} 段内容的回答成为 {count} 个单元"
    ),
    "the tool call {call} becomes {call_id}": "工具调用 {call} 变为 {call_id}",
    "the arguments of the tool call {call} become JSON text": (
        "工具调用 {call} 的参数写成 JSON 文本"
    ),
    "the tool call {call} becomes XML of its arguments": "工具调用 {call} 写成其参数的 XML",
    "a {kind} part of a tool message becomes a message cell": (
        "工具消息中的 {kind} 类内容成为消息单元"
    ),
    "a tool message without a result becomes a message cell": "没有结果的工具消息成为消息单元",
    "the result of {call} becomes a result of {call_id}": "{call} 的结果成为 {call_id} 的结果",
    "a tool result that is an object becomes JSON text": "作为对象的工具结果写成 JSON 文本",
    "{count} parts are joined into one text": "{count} 段内容合并为一段文本",
    "an image becomes a Markdown link": "图像成为 Markdown 链接",
    "a file becomes a Markdown link": "文件成为 Markdown 链接",
    "a {kind} part becomes JSON text": "{kind} 类内容写成 JSON 文本",
    # The Simple Text Format.
    "comments are not kept": "注释没有保留",
    "a command in a block is passed over": "块中的命令被略过",
    "{written} is no command, and not kept": "{written} 不是命令，没有保留",
    "`{word}` belongs to no message": "`{word}` 不属于任何消息",
    "arguments cannot be read": "无法读取参数",
    "text that belongs to no message": "不属于任何消息的文本",
    "`extra` belongs to no message": "`extra` 不属于任何消息",
    "the JSON5 of `{word}` cannot be read": "无法读取 `{word}` 的 JSON5",
    "JSON has neither NaN nor Infinity": "JSON 没有 NaN 和 Infinity",
    "it has no role, and is taken for the user's": "它没有角色，视为用户的消息",
    "`{word}` has no data line": "`{word}` 没有数据行",
    "part of the raw message is of a kind that is not known": "raw 消息中有未知类型的内容",
    "no message is there to carry `meta`": "没有消息可以承载 `meta`",
    "`meta` of the file has no place in the dialect `@`": "方言 `@` 没有地方放文件的 `meta`",
    "what the file says of itself has no place here: {keys}": (
        "文件关于自身的信息在这里没有位置：{keys}"
    ),
    # ChatBuilder messages, boot messages.
    "a file holds one message": "一个文件只有一条消息",
    "the field `{key}` stands here again": "字段 `{key}` 在这里重复出现",
    "no role is given: `{guess}` is assumed": "没有给出角色：假定为 `{guess}`",
    "there is no role `{role}`: `{guess}` is assumed": "没有角色 `{role}`：假定为 `{guess}`",
    "there is no role `{role}`: it is written as `{other}`": "没有角色 `{role}`：写成 `{other}`",
    "the field `{key}` cannot be written in a header": "字段 `{key}` 不能写在消息头中",
    "the field `{key}` is written on one line": "字段 `{key}` 写成一行",
    "a comment of the header cannot be written as one": "消息头中的注释无法写成注释",
    "the header does not say {keys}": "消息头不包含 {keys}",
    "the time {time} is not written": "时间 {time} 没有写出",
    "the run `{run}` is not written": "运行 `{run}` 没有写出",
    "several parts are written as one text": "多段内容写成一段文本",
    "the empty lines that it begins with are not written": "开头的空行没有写出",
    "a backslash before backticks at the start of a line is read as an escape": (
        "行首反引号之前的反斜杠会被读作转义"
    ),
    "an agent": "某个代理",
    "the agent `{name}`": "代理 `{name}`",
    "{who} has no boot message": "{who} 没有启动消息",
    "what {who} says beside its boot message is not told: {keys}": (
        "没有说明 {who} 启动消息以外的信息：{keys}"
    ),
    "it is no boot message of an agent": "它不是代理的启动消息",
    "the path of its agent is not known": "不知道其代理的路径",
    "a boot message does not say {keys}": "启动消息不包含 {keys}",
    "every boot message is virtual": "启动消息都是虚拟的",
    "only texts are written": "只写出文本",
    # Messages in JSON.
    "neither a message nor a delta nor a session entry": "既不是消息，也不是增量或会话条目",
    "entries of the type `{kind}` are passed over": "`{kind}` 类型的条目被略过",
    "no message: {reason}": "不是消息：{reason}",
    "no delta: {reason}": "不是增量：{reason}",
    "`{key}` says something else than the entry around it": "`{key}` 与它所在的条目不一致",
    "`{key}` of deltas": "增量的 `{key}`",
    "{said} (it can be retried)": "{said}（可以重试）",
    "{said} (it cannot be retried)": "{said}（不能重试）",
    "the stream of run `{run}` ends in an error and yields no message: {said}": (
        "运行 `{run}` 的流以错误结束，没有产生消息：{said}"
    ),
    "a stream of run `{run}` that no `message` entry holds": (
        "运行 `{run}` 的流不在任何 `message` 条目中"
    ),
    "the stream of run `{run}` has no start and yields no message": (
        "运行 `{run}` 的流没有开始，没有产生消息"
    ),
    "the stream of run `{run}` begins anew, without what came before": (
        "运行 `{run}` 的流重新开始，不含之前的内容"
    ),
    "the stream of run `{run}` before this one has not ended": "此前运行 `{run}` 的流没有结束",
    "the stream of run `{run}` has not ended and yields no message": (
        "运行 `{run}` 的流没有结束，没有产生消息"
    ),
    "what follows the end of the stream of run `{run}`": "运行 `{run}` 的流结束之后的内容",
    "arguments of `{call}`, a tool call that was not started": "没有开始的工具调用 `{call}` 的参数",
    "numbers that are not finite, which JSON does not have, become null": (
        "JSON 没有的非有限数变为 null"
    ),
    # What is found when a text is read again.
    "it is nested too deeply to be compared": "嵌套过深，无法比较",
    "there are other messages now, or in another order": "消息有所不同，或顺序不同",
    "what the file says of itself changes": "文件关于自身的信息有变化",
}

_SESSIONS: Mapping[str, str] = {
    "a session of Claude Code": "Claude Code 的会话",
    "a rollout of Codex": "Codex 的 rollout 记录",
    "a chat of Gemini CLI": "Gemini CLI 的对话",
    "an export of opencode": "opencode 的导出文件",
    "a history of aider": "aider 的历史记录",
    "{count} lines are not valid JSON": "{count} 行不是有效的 JSON",
    "a line is not valid JSON": "有一行不是有效的 JSON",
    "{count} lines are not records": "{count} 行不是记录",
    "a line is not a record": "有一行不是记录",
    "{count} records of the kind `{kind}` are left out": "略去了 {count} 条 `{kind}` 类型的记录",
    "a record of the kind `{kind}` is left out": "略去了一条 `{kind}` 类型的记录",
}

# What the model does not see, and where it goes.
_HIDDEN: Mapping[str, str] = {
    "the message": "这条消息",
    "the message `{id}`": "消息 `{id}`",
    "{what} is visible now, though the model does not see it: {why}": (
        "{what} 现在可见，而模型本来看不到它：{why}"
    ),
    "{what} is written in full, though the model sees only its summary": (
        "{what} 全文写出，而模型只看到它的摘要"
    ),
    "of {what} only the summary is written": "{what} 只写出摘要",
    "{what} is not written, because the model does not see it: {why}": (
        "{what} 未写出，因为模型看不到它：{why}"
    ),
    "it is a boot message": "它是启动消息",
    "it defines an agent": "它定义一个代理",
}

# What a message says beside its content.
_THINGS: Mapping[str, str] = {
    "there is no place for {things}": "没有地方放{things}",
    "names of agents": "代理的名称",
    "the tasks of a boot message": "启动消息的任务",
    "comments in the header": "头部的注释",
    "durations": "时长",
    "what a session says of its entries": "会话条目的信息",
    "run numbers": "运行编号",
    "why an answer ended": "回答结束的原因",
    "the frontmatter": "frontmatter",
    "what the model does not see": "模型看不到的内容",
    "ids": "ID",
    "which messages are boot messages": "哪些消息是启动消息",
    "where the context was reset": "上下文在何处重置",
    "which messages are virtual": "哪些消息是虚拟的",
    "`meta` of the file": "文件的 `meta`",
    "names of models": "模型的名称",
    "names": "名称",
    "the path of an agent": "代理的路径",
    "the preamble": "前言",
    "prose beside code": "代码旁的说明",
    "ids of requests": "请求的 ID",
    "ids of runs": "运行的 ID",
    "summaries": "摘要",
    "times": "时间",
    "titles": "标题",
    "token usage": "词元用量",
    "`{key}`": "`{key}`",
}

# What of a message's content is not there, or is otherwise.
_PARTS: Mapping[str, str] = {
    "the message was left out": "这条消息被略去",
    "the message becomes {count} messages": "这条消息变为 {count} 条消息",
    "the role `{role}` becomes `{other}`": "角色 `{role}` 变为 `{other}`",
    "the model would see it in another way": "模型看到的会有所不同",
    "its parts stand in another order": "各部分的顺序不同",
    "the arguments or the id of the tool call `{name}` change": (
        "工具调用 `{name}` 的参数或 ID 有变化"
    ),
    "the tool call `{name}` was left out": "工具调用 `{name}` 被略去",
    "a thought becomes part of what is said": "一段思考成为所说的内容",
    "a thought was left out": "一段思考被略去",
    "an image becomes a file": "图像成为文件",
    "an image becomes a link in the text": "图像成为文本中的链接",
    "an image was left out": "图像被略去",
    "the file `{path}` becomes a link in the text": "文件 `{path}` 成为文本中的链接",
    "the file `{path}` becomes an image": "文件 `{path}` 成为图像",
    "the type and the size of the file `{path}` are not kept": ("文件 `{path}` 的类型和大小未保留"),
    "the file `{path}` was left out": "文件 `{path}` 被略去",
    "texts that stood apart are joined": "分开的文本合为一段",
    "blank text was left out": "空白文本被略去",
    "a text changes": "文本有变化",
    "the type of an image is not kept": "图像的类型未保留",
    "no call `{call}` is there: its result becomes a message": (
        "没有调用 `{call}`：它的结果成为消息"
    ),
    "the id `{id}` becomes another": "ID `{id}` 变为另一个",
    "the arguments of `{name}` become JSON text": "`{name}` 的参数成为 JSON 文本",
    "characters in the arguments of `{name}` that XML has not are replaced": (
        "`{name}` 的参数中 XML 没有的字符被替换"
    ),
    "the blanks or line ends of a text change": "文本的空白或换行有变化",
    "the result of `{call}` becomes one of `{other}`": "`{call}` 的结果成为 `{other}` 的结果",
    "the result of `{call}` was left out": "`{call}` 的结果被略去",
    "that the tool call `{call}` failed is not kept": "工具调用 `{call}` 失败的信息未保留",
    "the result of `{call}`, an object, becomes JSON text": (
        "`{call}` 的结果是对象，变为 JSON 文本"
    ),
    "in the result of `{call}`: {what}": "`{call}` 的结果中：{what}",
    "the result of `{call}` changes": "`{call}` 的结果有变化",
}

PHRASES: Mapping[str, str] = {
    **_REQUESTS,
    **_OTHERS,
    **_FORMATS,
    **_SESSIONS,
    **_HIDDEN,
    **_THINGS,
    **_PARTS,
}
