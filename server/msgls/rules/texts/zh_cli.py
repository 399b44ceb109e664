"""What the command line says in simplified Chinese, by the English template.

Part of ``zh_phrases``, which is loaded when somebody asks for Chinese.
"""

from __future__ import annotations

from collections.abc import Mapping

_HELP: Mapping[str, str] = {
    "Check, format and explore files that hold conversations with language models.": (
        "检查、格式化和浏览保存与语言模型对话的文件。"
    ),
    "{sentence}.": "{sentence}。",
    "commands": "命令",
    "find problems, and fix what can be fixed": "查找问题，并修复可以修复的",
    "tidy headers, definitions and blank lines": "整理标题行、定义和空行",
    "explain a rule, or list all of them": "解释一条规则，或列出全部规则",
    "show the cells of files": "显示文件的单元",
    "list every agent that a file involves, or add one": "列出文件涉及的所有代理，或添加一个",
    "`add` to add an agent; without it, all agents are listed": (
        "`add` 表示添加代理；不写则列出所有代理"
    ),
    "the name of the agent to be added": "要添加的代理的名称",
    "its model; without one, its name is its model": "它的模型；不写则以名称为模型",
    "add it in a cell, for this conversation": "在单元中添加，仅用于本次对话",
    "--model and --temporary say how to `add` an agent": (
        "--model 和 --temporary 说明如何用 `add` 添加代理"
    ),
    "the name of the agent to be added is missing": "缺少要添加的代理的名称",
    "added the agent `{name}`.": "已添加代理 `{name}`。",
    "name the default agent of a file": "指定文件的默认代理",
    "start a file with a message, or add one to it": "用一条消息新建文件，或向文件添加消息",
    "write a configuration; keep other formatters away": "写入配置；让其他格式化工具避开",
    "write a conversation in another format": "将对话写成另一种格式",
    "show what the model sees of a file": "显示模型看到的文件内容",
    "put messages together from a stream of deltas": "将增量流组装成消息",
    "write a page of HTML, for reading and sharing": "生成便于阅读和分享的 HTML 网页",
    "compare two files by cell": "按单元比较两个文件",
    "merge two changed files by cell, for git": "按单元合并两个改动过的文件，供 git 调用",
    "print a JSON Schema": "输出 JSON Schema",
    "run the language server, for editors": "运行供编辑器使用的语言服务器",
    "print completions for a shell": "输出 shell 补全脚本",
    "print the version": "输出版本",
    # What arguments are.
    "files and folders": "文件和文件夹",
    "files and folders; - is standard input": "文件和文件夹；- 表示标准输入",
    "the name of what comes from standard input": "标准输入内容的文件名",
    "a message file": "消息文件",
    "a message file, or agents.json": "消息文件，或 agents.json",
    "default: text": "默认：text",
    "{formats} (default: text)": "{formats}（默认：text）",
    "{formats} (default: full)": "{formats}（默认：full）",
    # check, format
    "apply safe fixes": "应用安全的修复",
    "apply fixes that may change the meaning too": "同时应用可能改变含义的修复",
    "show what --fix would change, and change nothing; exit 1 if a file would change": (
        "显示 --fix 会做的改动，但不改文件；若有文件会改动，则以 1 退出"
    ),
    "run these rules only": "只运行这些规则",
    "do not run these rules": "不运行这些规则",
    "report from here on: {severities} (default: warning)": (
        "从这一级起报告：{severities}（默认：warning）"
    ),
    "count the problems by rule": "按规则统计问题",
    "check again whenever a file changes": "文件一有变化就重新检查",
    "exit 0 even where problems are found": "即使发现问题也以 0 退出",
    "how many processes to use": "使用多少个进程",
    "write nothing; exit 1 where a file would change": "不写文件；若有文件会改动，则以 1 退出",
    "write nothing; show what would change, and exit 1": "不写文件；显示会有的改动，并以 1 退出",
    # rule
    "a code or a name": "代码或名称",
    "all rules": "全部规则",
    # set-default, chat, init
    "an agent that the file knows": "文件已知的代理",
    "a message file; it is made if it is not there": "消息文件；不存在时会新建",
    "the text; - is standard input": "文本；- 表示标准输入",
    "let it be this agent's answer": "作为该代理的回答",
    "add to the file if it is there already": "文件已存在时向其添加",
    "default: here": "默认：当前文件夹",
    "let rumdl, markdownlint, mdformat and Prettier ignore message files": (
        "让 rumdl、markdownlint、mdformat 和 Prettier 忽略消息文件"
    ),
    "let git merge message files by cell, in this repository": (
        "在此仓库中让 git 按单元合并消息文件"
    ),
    # convert, view, assemble, render
    "what it is, where its name and its content do not tell: {formats}": (
        "输入的格式，用于名称和内容无法判断时：{formats}"
    ),
    "what to write: {formats}": "输出的格式：{formats}",
    "what to write: {formats} (default: {default}, a message a line)": (
        "输出的格式：{formats}（默认：{default}，每行一条消息）"
    ),
    "the file, or the folder of several": "输出文件；有多个时为文件夹",
    "the model that a request names": "请求中写明的模型",
    "overwrite what is there": "覆盖已有的文件",
    "where something is lost, write nothing and exit 1": "若有内容会丢失，则不写文件并以 1 退出",
    "a message file, or any other that holds a conversation": "消息文件，或其他保存对话的文件",
    "who is to see it (default: the default agent)": "由谁来看（默认：默认代理）",
    "list the cells: seen, or why not": "列出单元：是否可见，以及为什么不可见",
    "deltas as JSONL; - is standard input": "JSONL 格式的增量；- 表示标准输入",
    "go on when the file grows; Ctrl+C ends": "文件增长时继续；按 Ctrl+C 结束",
    "give what came of streams that end in an error or do not end, too": (
        "以错误结束或没有结束的流，也给出已收到的部分"
    ),
    "a message file, or a folder of ChatBuilder messages": "消息文件，或 ChatBuilder 消息的文件夹",
    "where the page goes; default: standard output": "网页写到哪里；默认：标准输出",
    "replace the page if it is there already": "网页已存在时替换它",
    # diff, merge
    "the file as it was": "原来的文件",
    "the file as it is now; any format goes with any": "现在的文件；任何格式之间都可以比较",
    "the file that both came from": "双方共同的原文件",
    "our file; the merge is written into it": "我方文件；合并结果写入其中",
    "their file": "对方文件",
    "how long the markers of conflicts are; default: 7": "冲突标记的长度；默认：7",
    "where the file belongs: its name tells the format": "文件本来的位置：由名称判断格式",
    # schema, completions, serve
    "config: msgls.toml; agents: agents.json with boot messages; "
    "message: a message; delta: a message delta": (
        "config：msgls.toml；agents：带启动消息的 agents.json；message：消息；delta：消息增量"
    ),
    "the shell to complete for": "为哪种 shell 补全",
    "talk over standard input and output": "通过标准输入和输出通信",
    "wait for one client on a TCP port": "在 TCP 端口上等待一个客户端",
    "wait for one client on a WebSocket": "在 WebSocket 上等待一个客户端",
    "let HOST be an address that other machines reach; without it, only this one": (
        "允许 HOST 是其他机器可以访问的地址；否则仅限本机"
    ),
    "write the log there": "将日志写到该文件",
    "how much to log": "日志的详细程度",
    # What argparse says itself.
    "usage: ": "用法：",
    "positional arguments": "位置参数",
    "options": "选项",
    "show this help message and exit": "显示此帮助并退出",
    "show program's version number and exit": "显示版本号并退出",
    "{prog}: error: {message}": "{prog}: 错误：{message}",
    "argument {name}: {what}": "参数 {name}：{what}",
    "the following arguments are required: {names}": "缺少必需的参数：{names}",
    "unrecognized arguments: {names}": "无法识别的参数：{names}",
    "invalid choice: {value} (choose from {choices})": "不能是 {value}（可选：{choices}）",
    "invalid {type} value: {value}": "{value} 不是有效的 {type} 值",
    "expected one argument": "需要一个值",
    "expected at least one argument": "至少需要一个值",
    "not allowed with argument {name}": "不能与参数 {name} 同时使用",
    "ignored explicit argument {value}": "不接受值 {value}",
    "ambiguous option: {option} could match {options}": "选项 {option} 不明确，可能是 {options}",
    "a number from 1 on is needed": "需要不小于 1 的整数",
}

_ERRORS: Mapping[str, str] = {
    "there is no command `{name}`{guess}": "没有命令 `{name}`{guess}",
    "there are: {names}": "可用的有：{names}",
    " (did you mean `{near}`?)": "（是否指 `{near}`？）",
    " ({otherwise})": "（{otherwise}）",
    "internal error: {error}": "内部错误：{error}",
    "the output cannot be written: {reason}": "无法写入输出：{reason}",
    "standard input (-) cannot be mixed with other paths": "标准输入（-）不能与其他路径混用",
    "standard input (-) cannot be mixed with other inputs": "标准输入（-）不能与其他输入混用",
    "--stdin-filename goes with standard input (-)": "--stdin-filename 要与标准输入（-）一起使用",
    "no message file was found": "没有找到消息文件",
    "this is no message file, by its name and start": "从名称和开头看，这不是消息文件",
    "this is no message file: its name must end in .msg.md, or its "
    "frontmatter must have `message_section`": (
        "这不是消息文件：名称要以 .msg.md 结尾，或者前置元数据中要有 `message_section`"
    ),
    "--watch goes with files, and not with --diff": "--watch 只能用于文件，且不能与 --diff 同用",
    "a rule failed, the others went on: {failure}": "有规则出错，其余规则已继续：{failure}",
    "`msgls rule --all` lists the rules": "`msgls rule --all` 会列出全部规则",
    "name a rule, such as MSG302, or say --all": "请指定一条规则，如 MSG302，或使用 --all",
    "there is no rule `{selector}`{guess}": "没有规则 `{selector}`{guess}",
    "allowed are codes, prefixes such as MSG3, names and ALL": (
        "可以是代码、MSG3 之类的前缀、名称和 ALL"
    ),
    # Agents.
    "there is no agent `{agent}`{guess}": "没有代理 `{agent}`{guess}",
    "it knows: {names}": "文件已知的有：{names}",
    "it knows none": "文件中一个也没有",
    "it names no agent at all": "文件没有提到任何代理",
    "files of this format have no agents: --agent": "这种格式的文件没有代理，不能用 --agent",
    "`{agent}` answers, but nobody registers it: put it below `agents:` in the frontmatter first": (
        "`{agent}` 有回答，但没有注册：请先把它写到前置元数据的 `agents:` 之下"
    ),
    "its frontmatter cannot be edited; do it by hand": "无法编辑它的前置元数据；请手动修改",
    "`{agent}` is the default agent.": "默认代理是 `{agent}`。",
    # Files that are there already, or not.
    "there is no message: --message is blank": "没有消息：--message 是空白",
    "it is there already; --force adds to it": "文件已存在；可用 --force 向其添加",
    "it is there already; --force overwrites it": "文件已存在；可用 --force 覆盖",
    "it is there already; --force replaces it": "文件已存在；可用 --force 替换",
    "and {count} more": "还有 {count} 个",
    "the name of a message file ends in .msg.md": "消息文件的名称要以 .msg.md 结尾",
    "added {what}.": "已添加 {what}。",
    "this is no folder": "这不是文件夹",
    "this is no folder, and several messages need one": "这不是文件夹，而多条消息需要文件夹",
    "this is the file that is read": "这正是要读取的文件",
    "the folder holds no ChatBuilder message": "文件夹中没有 ChatBuilder 消息",
    "is there already": "已存在",
    "written": "已写入",
    "{pattern} is ignored now": "现在会忽略 {pattern}",
    "{pattern} is ignored already": "已经忽略 {pattern}",
    "{pattern} is merged by cell now": "现在会按单元合并 {pattern}",
    "{pattern} is merged by cell already": "已经按单元合并 {pattern}",
    "add {pattern} to {key} by hand": "请手动将 {pattern} 加入 {key}",
    "in the repository, run: {command}": "请在仓库中运行：{command}",
    # Conversions.
    "no conversation was found": "没有找到对话",
    "nothing is written: something would be lost (--strict)": (
        "没有写入任何内容：会有内容丢失（--strict）"
    ),
    "no model is named: `{model}` stands for it; --model names one": (
        "没有指定模型：以 `{model}` 代替；可用 --model 指定"
    ),
    "no agent names a model: `{model}` stands for it": "没有代理指定模型：以 `{model}` 代替",
    "lost: {what}": "丢失：{what}",
    "lost in {format}: {what}": "在 {format} 中丢失：{what}",
    "message {number}: {lost}": "第 {number} 条消息：{lost}",
    "{count} conversations need a folder: -o names it": (
        "有 {count} 个对话，需要文件夹：请用 -o 指定"
    ),
    "{count} messages need a folder: -o names it": "有 {count} 条消息，需要文件夹：请用 -o 指定",
    "{count} messages are a folder there: use `msgls convert` with -o": (
        "{count} 条消息在该格式中是文件夹：请使用 `msgls convert` 和 -o"
    ),
    "{what}; --from says what it is: {kinds}": "{what}；可用 --from 指定格式：{kinds}",
    "what it is cannot be told": "无法判断它是什么格式",
    "this JSON is no conversation": "这段 JSON 不是对话",
    "this is not {what}": "这不是{what}",
    "a request with `messages`, or a list of messages": "带 `messages` 的请求，也不是消息列表",
    "a conversation with a `mapping`, or a list of such": (
        "带 `mapping` 的对话，也不是这类对话的列表"
    ),
    "a conversation with `chat_messages`, or a list of such": (
        "带 `chat_messages` 的对话，也不是这类对话的列表"
    ),
    "a notebook of nbformat 4, with `cells`": "带 `cells` 的 nbformat 4 笔记本",
    "it is not valid JSON: {reason}": "不是有效的 JSON：{reason}",
    "it is not valid JSON: {reason} (line {line}, column {column})": (
        "不是有效的 JSON：{reason}（第 {line} 行第 {column} 列）"
    ),
    "its JSON is nested too deeply": "它的 JSON 嵌套过深",
    # Streams.
    "--follow writes a message a line: --to {format} needs the end": (
        "--follow 每行写一条消息：--to {format} 要等到结束才能写"
    ),
    "{why}, starting over": "{why}，重新开始",
    "it became shorter": "文件变短了",
    "it was replaced by another file": "文件被另一个文件取代",
    "this is an array over many lines, and not JSONL": "这是占多行的数组，而不是 JSONL",
    "{reason} (column {column})": "{reason}（第 {column} 列）",
    "it is not UTF-8": "它不是 UTF-8",
    "a line is longer than {count:,} bytes": "有一行超过 {count:,} 字节",
    # What the model sees.
    "--explain is a table of its own, and goes without --to": (
        "--explain 输出的是表格，不能与 --to 同用"
    ),
    "the model sees nothing of this file; --explain says why": (
        "模型看不到此文件的任何内容；--explain 会说明原因"
    ),
    # The server, before it serves.
    "`{address}` is no HOST:PORT, for example 127.0.0.1:2087": (
        "`{address}` 不是 HOST:PORT，例如 127.0.0.1:2087"
    ),
    "`{host}` is open to other machines: whoever reaches it can read the files that "
    "a client opens. Use --allow-remote": (
        "`{host}` 对其他机器开放：能连上它的人都能读取客户端打开的文件。确有需要请用 --allow-remote"
    ),
    "cannot listen on {address}: {reason}": "无法监听 {address}：{reason}",
    "cannot write the log to {file}: {reason}": "无法将日志写到 {file}：{reason}",
}

_SHOWN: Mapping[str, str] = {
    "checking": "正在检查",
    "Watching for changes; Ctrl+C ends.": "正在等待文件变化；按 Ctrl+C 结束。",
    # format
    "Would change: {file}": "会改动：{file}",
    "1 file": "1 个文件",
    "{count} files": "{count} 个文件",
    "{files} changed, {left} left alone.": "改动了 {files}，{left}保持原样。",
    "{files} would change, {left} left alone.": "会改动 {files}，{left}保持原样。",
    # outline, agents
    "no cells": "没有单元",
    "no agents": "没有代理",
    "name": "名称",
    "default": "默认",
    "from": "来源",
    "defined": "定义处",
    "answers": "回答数",
    "models": "模型",
    "frontmatter": "前置元数据",
    "temporary": "临时",
    "a model": "模型",
    "not registered": "未注册",
    "line {line}": "第 {line} 行",
    # diff, merge
    "added": "新增",
    "removed": "删除",
    "edited": "编辑",
    "metadata only": "仅元数据",
    "moved": "移动",
    "{count} {kind}": "{kind} {count} 个",
    "1 cell differs: {counts}.": "1 个单元不同：{counts}。",
    "{count} cells differ: {counts}.": "{count} 个单元不同：{counts}。",
    "No cell differs; only what stands around the cells does.": (
        "单元没有不同；只有单元以外的内容不同。"
    ),
    "{kind}: {what}": "{kind}：{what}",
    "{kind}: {what} ({place})": "{kind}：{what}（{place}）",
    "line {line} → {other}": "第 {line} → {other} 行",
    "(none)": "（无）",
    "… {count} more lines": "……还有 {count} 行",
    "{old} lines are {new} others now": "{old} 行现在是另外 {new} 行",
    "preamble": "前言",
    "code": "代码",
    "answer": "回答",
    "answer of {agent}": "{agent} 的回答",
    "tool call": "工具调用",
    "tool result": "工具结果",
    "execution output": "执行输出",
    "1 conflict": "1 处冲突",
    "{count} conflicts": "{count} 处冲突",
    "{conflicts}, between the usual markers": "有 {conflicts}，在通常的冲突标记之间",
    # view
    "line": "行",
    "id": "ID",
    "role": "角色",
    "tokens": "词元",
    "seen": "可见",
    "system prompt": "系统提示词",
    "yes": "是",
    "yes: {why}": "是：{why}",
    "no: {why}": "否：{why}",
    "{total}.": "{total}。",
    "About {tokens:,} tokens in all, an estimate": "共约 {tokens:,} 个词元，为估算值",
    "{total}; {agent} does not say how many it can take.": "{total}；{agent} 没有说明能接受多少。",
    "{total}, of the {budget:,} that {agent} can take.": "{total}，{agent} 能接受 {budget:,} 个。",
    "{total}, more than the {budget:,} that {agent} can take.": (
        "{total}，超过了 {agent} 能接受的 {budget:,} 个。"
    ),
    # rule
    "fix": "可修复",
    "fix: there is one": "可修复",
    "fix: none": "不可修复",
    "What it does": "作用",
    "Why it matters": "原因",
    "Example": "示例",
    "Fix safety": "修复是否安全",
    # what the model does not see
    "write also what the model does not see, where the target has no place to say so": (
        "目标无处标明可见性时，也写出模型看不到的内容"
    ),
    "a request is what the model sees: --all is not for {targets}": (
        "请求就是模型看到的内容：--all 不适用于 {targets}"
    ),
    "show also what the model does not see, each with a mark that says so": (
        "也显示模型看不到的内容，并逐一标明"
    ),
    "{count} messages that the model does not see are left out": (
        "略去了 {count} 条模型看不到的消息"
    ),
    "1 message that the model does not see is left out": "略去了 1 条模型看不到的消息",
    "{what}; --all shows them": "{what}；--all 可显示",
}

_IMPORT: Mapping[str, str] = {
    "list transcripts of agents, and make files of them": "列出代理的会话记录，并将其转为消息文件",
    "transcripts, or how the ids of listed ones begin; none: list what there is": (
        "会话记录，或所列会话 id 的开头；不给出则列出已有的会话"
    ),
    "the message file, FILE.msg.md, or a folder; default: standard output": (
        "消息文件 FILE.msg.md，或文件夹；默认：标准输出"
    ),
    "what it is, where its content does not tell: {kinds}": "内容无法说明时，指定其类型：{kinds}",
    "stay, and append what the session says while it runs": "持续运行，追加会话的新内容",
    "replace a file that was not imported from the same session": "替换不是从同一会话导入的文件",
    "list all transcripts, not the newest only": "列出所有会话记录，而不只是最新的",
    "of the list; default: text": "列表的格式；默认：text",
    "which transcript? `msgls import` lists what there is": (
        "哪个会话？`msgls import` 会列出已有的会话"
    ),
    "reading": "正在读取",
    "importing": "正在导入",
    "no transcript was found in the usual places of {names}": (
        "在 {names} 的常用位置没有找到会话记录"
    ),
    "{count} older ones are not shown; --all lists them": (
        "还有 {count} 个较早的未显示；--all 列出全部"
    ),
    "To import one: `msgls import {id} -o talk.msg.md`": (
        "导入其中一个：`msgls import {id} -o talk.msg.md`"
    ),
    "1 turn": "1 轮",
    "{count} turns": "{count} 轮",
    "? tokens": "? 个令牌",
    "{count} tokens": "{count} 个词元",
    "this is a folder, not a transcript": "这是文件夹，不是会话记录",
    "this is not a transcript of {names}": "这不是 {names} 的会话记录",
    "there is no such file, and no session whose id begins so": (
        "没有这样的文件，也没有 id 以此开头的会话"
    ),
    "several sessions are called so:": "有多个会话以此命名：",
    "several sessions need a folder: -o names it": "多个会话需要一个文件夹：用 -o 指定",
    "nothing was said in it yet": "其中还没有任何消息",
    "it is there already, and was not imported from this session; --force replaces it": (
        "它已存在，且不是从此会话导入的；--force 会替换它"
    ),
    "--follow takes one transcript, and -o names the message file": (
        "--follow 只接受一个会话记录，并用 -o 指定消息文件"
    ),
    "start a new file with everything up to a cell": "用某个单元及其之前的全部内容建立新文件",
    "the id of the last cell that comes along": "一同带走的最后一个单元的 id",
    "the new file; default: standard output": "新文件；默认：标准输出",
    "there is no cell `{id}`{guess}": "没有单元 `{id}`{guess}",
    "only a message file can be forked": "只有消息文件可以分叉",
    "`msgls outline` lists them": "`msgls outline` 会列出它们",
    "--redact: {what}": "--redact：{what}",
    "hide these, too: {kinds}": "还要隐藏：{kinds}",
    "hide nothing, not even secrets": "不隐藏任何内容，包括机密",
    "hidden: {what}": "已隐藏：{what}",
    "there is no `{kind}`; there are: {kinds}": "没有 `{kind}`；可用的有：{kinds}",
    "--redact and --no-redact contradict each other": "--redact 与 --no-redact 互相矛盾",
    "Following {path}; Ctrl+C ends.": "正在跟随 {path}；按 Ctrl+C 结束。",
}

PHRASES: Mapping[str, str] = {**_HELP, **_ERRORS, **_SHOWN, **_IMPORT}
