"""What the server says by itself in simplified Chinese, and what is said of files and settings.

Part of ``zh_phrases``, which is loaded when somebody asks for Chinese.
"""

from __future__ import annotations

from collections.abc import Mapping

_REQUESTS: Mapping[str, str] = {
    "{uri} is not open here": "{uri} 没有在这里打开",
    "the document has changed: version {version} was meant, but version {current} is here": (
        "文档已经改变：请求针对版本 {version}，而这里是版本 {current}"
    ),
    "the document has changed since this was offered": "提供此操作之后，文档已经改变",
    "this action is none of ours": "此操作不是由我们提供的",
    "this lens is none of ours": "此标记不是由我们提供的",
    "there is no such fix": "没有这项修复",
    "there is no command `{name}`": "没有命令 `{name}`",
    "a command takes one object as its argument": "命令需要一个对象作为参数",
    "`{name}` is registered in {file}, which cannot be read here": (
        "`{name}` 注册在 {file} 中，而这里无法读取该文件"
    ),
    "this editor does not let a server place the cursor": "此编辑器不允许服务器移动光标",
    "this editor does not let a server apply edits": "此编辑器不允许服务器应用编辑",
    "this editor does not let a server make files": "此编辑器不允许服务器新建文件",
    "this editor does not let a server show a document": "此编辑器不允许服务器显示文档",
    "this editor does not show documents that a server writes": "此编辑器不显示由服务器编写的文档",
    "`{uri}` is not the address of a document of ours": "`{uri}` 不是由此服务器编写的文档的地址",
    "This file is not open.": "此文件没有打开。",
    "The model sees nothing of this file.": "模型看不到此文件的任何内容。",
    "lost on the way, or said otherwise:": "转换中丢失或改变了表述：",
    # Arguments.
    "`uri` must be that of a document": "`uri` 必须是文档的地址",
    "`{key}` must be a name": "`{key}` 必须是名称",
    "`{name}` must be a text": "`{name}` 必须是文本",
    "`{name}` must be one of: {all}": "`{name}` 必须是以下之一：{all}",
    "`{name}` must be true or false": "`{name}` 必须是 true 或 false",
    "`type` is missing": "缺少 `type`",
    "`version` must be a number": "`version` 必须是数字",
    "`{key}` must have a `line` and a `character`, from 0": (
        "`{key}` 必须有从 0 开始的 `line` 和 `character`"
    ),
    "`uri` and `head` must be texts": "`uri` 和 `head` 必须是文本",
    "`uri`, `position` and `text` are needed": "需要 `uri`、`position` 和 `text`",
    # The protocol.
    "{what} failed: {error}": "{what} 失败：{error}",
    "the result": "结果",
    "cancelled": "已取消",
    "this is not a request": "这不是请求",
    "a method has a name": "方法必须有名称",
    "{method} is not known here": "这里没有 {method}",
    "{method} after shutdown": "{method} 在 shutdown 之后",
    "{method} before initialize": "{method} 在 initialize 之前",
    "initialize comes only once": "initialize 只能有一次",
    "invalid params for {method}: {reason}": "{method} 的参数无效：{reason}",
    # Progress.
    "Checking message files": "正在检查消息文件",
    "Searching message files": "正在搜索消息文件",
    "Finding references": "正在查找引用",
    "Renaming": "正在重命名",
    "Updating links": "正在更新链接",
    "{done:,} of {total:,}": "{done:,}/{total:,}",
}

_FILES: Mapping[str, str] = {
    "it is no regular file": "它不是普通文件",
    "it is read-only": "它是只读的",
    "it was changed meanwhile, and is left as it is": "它在此期间被改动，因此保持原样",
    "no UTF-8: byte {byte} at offset {offset}{hint}": (
        "不是 UTF-8：偏移 {offset} 处的字节是 {byte}{hint}"
    ),
    "; it looks like UTF-16": "；看起来是 UTF-16",
    "{character} cannot be written as UTF-8": "{character} 无法写成 UTF-8",
    "there is no such file": "没有这个文件",
    "{what}; it registers no agents": "{what}；它没有注册代理",
    # What operating systems say.
    "no such file or directory": "没有这个文件或文件夹",
    "permission denied": "没有权限",
    "operation not permitted": "不允许此操作",
    "is a directory": "它是文件夹",
    "not a directory": "它不是文件夹",
    "directory not empty": "文件夹不为空",
    "file exists": "文件已存在",
    "file name too long": "文件名过长",
    "read-only file system": "文件系统是只读的",
    "no space left on device": "设备上没有剩余空间",
    "disk quota exceeded": "超出磁盘配额",
    "too many levels of symbolic links": "符号链接层数过多",
    "too many open files": "打开的文件过多",
    "input/output error": "输入/输出错误",
    "invalid argument": "参数无效",
    "Permission denied": "没有权限",
    "No such file or directory": "没有这个文件或文件夹",
    "Is a directory": "它是文件夹",
    "No space left on device": "设备上没有剩余空间",
    "Input/output error": "输入/输出错误",
    "Address already in use": "地址已被占用",
    "Cannot assign requested address": "无法使用该地址",
    "Name or service not known": "未知的名称或服务",
}

_SETTINGS: Mapping[str, str] = {
    "the editor's settings": "编辑器设置",
    "the editor's settings for {folder}": "{folder} 的编辑器设置",
    "it is not valid TOML: {reason}": "不是有效的 TOML：{reason}",
    "{reason} (at line {line}, column {column})": "{reason}（第 {line} 行第 {column} 列）",
    "{reason} (at end of document)": "{reason}（文件末尾）",
    "unknown key{guess}; known keys: {keys}": "未知的键{guess}；已知的键：{keys}",
    "says again what another spelling of `{key}` says": "与 `{key}` 的另一种写法重复",
    "{value} is not allowed{guess}; allowed: {choices}": "不能是 {value}{guess}；可以是：{choices}",
    "holds {value}: allowed are codes, prefixes and names": (
        "其中有：{value}；只能是代码、前缀和名称"
    ),
    "must be an object": "应为对象",
    "must be a table, not {value}": "应为表，实际是：{value}",
    "must be a list of rules, not {value}": "应为规则列表，实际是：{value}",
    "must be a table of rules and severities, not {value}": (
        "应为规则与严重程度的表，实际是：{value}"
    ),
    "must be a table of patterns and lists, not {value}": "应为模式与列表的表，实际是：{value}",
    "must be a text that is not empty, not {value}": "应为非空文本，实际是：{value}",
    "must be the path of a file, not {value}": "应为文件路径，实际是：{value}",
    "must be a whole number from 1 on, not {value}": "应为不小于 1 的整数，实际是：{value}",
    "must be true or false, not {value}": "应为 true 或 false，实际是：{value}",
    "a table": "表",
    "a list": "列表",
    # What the reader of TOML says.
    "Invalid statement": "无效的语句",
    "Invalid value": "无效的值",
    "Invalid initial character for a key part": "键不能以这个字符开头",
    "Expected '=' after a key in a key/value pair": "键之后应为 '='",
    "Expected ']' at the end of a table declaration": "表声明的末尾应为 ']'",
    "Expected ']]' at the end of an array declaration": "数组声明的末尾应为 ']]'",
    "Expected newline or end of document after a statement": "语句之后应换行或结束",
    "Cannot overwrite a value": "不能覆盖已有的值",
    "Unclosed array": "数组没有闭合",
    "Unterminated string": "字符串没有结束",
    "Unclosed inline table": "内联表没有闭合",
    "Unescaped '\\' in a string": "字符串中的 '\\' 没有转义",
    'Expected "\'"': '应为 "\'"',
}

PHRASES: Mapping[str, str] = {**_REQUESTS, **_FILES, **_SETTINGS}
