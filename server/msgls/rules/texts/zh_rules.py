"""How the page of each rule starts and ends in simplified Chinese: what it is about, and its fix.

The first is found by its English sentence, the second by the rule and the heading. Loaded when
somebody asks for Chinese.
"""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, str] = {
    # BOOT
    "The file is not valid JSON.": "文件不是有效的 JSON。",
    "A key is missing, or a value is of a wrong type.": "缺少某个键，或者值的类型不对。",
    "A boot message is not marked as virtual.": "启动消息没有标记为虚拟消息。",
    "The text of a boot message stands under its old name.": "启动消息的文本用了旧的键名。",
    "A task that the user is offered has no `task`.": "提供给用户的任务没有 `task`。",
    "Resetting the context does not show the boot message.": "重置上下文后不显示启动消息。",
    "Two agents have the same name.": "两个代理同名。",
    "Two tasks that a boot message offers have the same name.": "启动消息提供的两个任务同名。",
    # CBM
    "The header does not say whose message it is.": "消息头没有说明这是谁的消息。",
    "The role of a message is none that there is.": "消息的角色不存在。",
    "A line of the header does not start with `;`.": "消息头中有一行不以 `;` 开头。",
    "Two empty lines are missing between the header and the message.": (
        "消息头与消息之间缺少两个空行。"
    ),
    "Fields are missing in the header.": "消息头中缺少字段。",
    "A field has a value that it cannot have.": "字段的值无效。",
    "A field stands twice in the header.": "消息头中有字段出现两次。",
    "A field has nearly the name of one that is known.": "字段名与某个已知字段几乎相同。",
    "A line of the message starts with backticks that are not escaped.": (
        "消息中有一行以未转义的反引号开头。"
    ),
    "No lone `;` stands before the role.": "角色之前没有单独的 `;`。",
    "The message before this one is missing in its folder.": "文件夹中缺少此消息的前一条消息。",
    "Another message has the same `Block-UUID`.": "另一条消息有相同的 `Block-UUID`。",
    # DLT
    "This is not valid JSON.": "这不是 JSON。",
    "A value has not the shape of a message, a delta or a session entry.": (
        "值的结构不是消息、增量或会话条目。"
    ),
    "A stream has no `start`, or two.": "流没有 `start`，或者有两个。",
    "A stream has no end, two of them, or goes on behind it.": (
        "流没有结束、结束了两次，或者结束后还在继续。"
    ),
    "The `seq` of a delta is not larger than that of the one before it.": (
        "增量的 `seq` 没有比前一个增量的大。"
    ),
    "A tool call has arguments or an end without a start, or a start without an end.": (
        "工具调用有参数或结束而没有开始，或者有开始而没有结束。"
    ),
    "The arguments of a tool call are no JSON object.": "工具调用的参数不是 JSON 对象。",
    "Two tool calls of one run have the same id.": "同一次运行的两个工具调用有相同的 ID。",
    "A tool result belongs to no call.": "工具结果不属于任何调用。",
    "A tool call has two results.": "一个工具调用有两个结果。",
    "A part does not suit the role of its message.": "内容与消息的角色不符。",
    "A timestamp is no date and time as ISO 8601 writes them.": (
        "时间戳不是 ISO 8601 格式的日期和时间。"
    ),
    "A session has a tool result that is in none of its `message` entries.": (
        "会话中有工具结果不在任何 `message` 条目中。"
    ),
    # MSG
    "The frontmatter cannot be read.": "无法读取前置元数据。",
    "A key stands twice in the same YAML mapping.": "同一个 YAML 映射中有键出现两次。",
    "An agent's attribute has a value that it cannot have.": "代理的属性值无效。",
    "An agent has an attribute that nobody knows.": "代理有未知的属性。",
    "The default agent is one that nobody knows.": "默认代理不存在。",
    "A temporary agent has a system prompt of its own.": "临时代理有自己的系统提示词。",
    "A cell has an id, and nothing in the file defines it.": "单元有 ID，但文件中没有它的定义。",
    "A definition says what a cell is, and there is no such cell.": (
        "有单元的定义，但没有这个单元。"
    ),
    "Two things in the file claim one id.": "文件中有两处使用同一个 ID。",
    "The definition of a cell stands somewhere else in the file.": (
        "单元的定义写在文件的其他地方。"
    ),
    "The text refers to a footnote that is not there.": "文本引用了不存在的脚注。",
    "A line is nearly a cell header, but not quite.": "有一行像是单元的标题行，但写法不对。",
    "A cell has no id.": "单元没有 ID。",
    "The definition of a cell is there, but its head cannot be read.": (
        "单元有定义，但无法读取定义的开头。"
    ),
    "A Markdown formatter has put backslashes into a definition.": (
        "Markdown 格式化工具在定义中加入了反斜杠。"
    ),
    "A fenced block is not closed, and swallows what follows.": (
        "代码围栏没有闭合，吞没了其后的内容。"
    ),
    "The id of a cell does not have the shape that its cell asks for.": (
        "单元的 ID 不符合这类单元的要求。"
    ),
    "A merge was not finished: its marks are left in the file.": (
        "合并没有完成：文件中还留有冲突标记。"
    ),
    "A message cell has a type that no message has.": "消息单元的类型不是消息的类型。",
    "An agent answers that nobody registered.": "回答的代理没有注册。",
    "`history` has a value that means nothing.": "`history` 的值没有意义。",
    "An attribute has a value that it cannot have.": "属性的值无效。",
    "Something on a definition line is no attribute.": "定义行中有不是属性的内容。",
    "An attribute looks like a misspelt one.": "属性名像是拼写有误。",
    "A definition lacks an attribute that it needs.": "定义缺少必需的属性。",
    "An output is older than the one before it.": "输出的时间早于前一个输出。",
    "A tool call belongs to an answer that is not there.": "工具调用所属的回答不存在。",
    "A tool result names a call that does not exist.": "工具结果指向不存在的调用。",
    "Two calls of different answers have the same nonce.": "不同回答的两个调用有相同的 nonce。",
    "The results of a call are not numbered 1, 2, 3.": "调用的结果没有按 1、2、3 编号。",
    "A cell stands before the cell that it belongs to.": "单元出现在它所属的单元之前。",
    "The content of a tool call cannot be read, or names another tool.": (
        "工具调用的内容无法读取，或写的是另一个工具。"
    ),
    "A tool was called, the conversation went on, and no result was recorded.": (
        "调用了工具，对话已经继续，却没有记录结果。"
    ),
    "A code cell has no fenced block.": "代码单元没有代码块。",
    "A code cell has more than one fenced block.": "代码单元有多个代码块。",
    "The block of a code cell does not say its language.": "代码单元的代码块没有注明语言。",
    "The output of a program belongs to a code cell that is not there.": (
        "程序输出所属的代码单元不存在。"
    ),
    "A line of a program's output does not say which stream it came from.": (
        "程序输出中有一行没有说明来自哪个流。"
    ),
    "The content of a binary output is not base64.": "二进制输出的内容不是 base64。",
    "The number of a run repeats, or is lower than that of a run before it.": (
        "一次运行的编号重复，或小于前面运行的编号。"
    ),
    "The file names a section for its conversation, and has no such heading.": (
        "文件为对话指定了章节，却没有这个标题。"
    ),
    "A heading behind the section that holds the conversation looks like a section of its own.": (
        "对话所在的章节之后，有标题看起来像独立的章节。"
    ),
    "A cell stands before the section that holds the conversation.": (
        "单元出现在对话所在的章节之前。"
    ),
    "The heading of the section that holds the conversation stands twice.": (
        "对话所在章节的标题出现两次。"
    ),
    "The conversation is longer than the default agent can take.": (
        "对话超过了默认代理能接受的长度。"
    ),
    "A message has a title, and nothing to send.": "消息只有标题，没有可发送的内容。",
    "A link leads to a file that is not there.": "链接指向不存在的文件。",
    "A cell is to be summed up, and there is no summary.": "单元要以摘要代替，却没有摘要。",
    "The model does not see this cell.": "模型看不到此单元。",
    "A key or token stands in the file for everybody to read.": "文件中有人人可见的密钥或令牌。",
    # STF
    "A line is a command that there is not.": "有一行是不存在的命令。",
    "What follows a command cannot be read as its arguments.": "命令后面的内容无法读作参数。",
    "A command has the same argument twice.": "命令的同一个参数出现两次。",
    "Text, or a command, stands where there is no message.": "文本或命令出现在没有消息的地方。",
    "A line ends a comment that nothing opened.": "有一行结束了没有打开的注释。",
    "A comment is opened and never closed.": "注释打开后没有闭合。",
    "`call` or `embed` is not followed by its line.": "`call` 或 `embed` 后面缺少数据行。",
    "A block is not ended.": "块没有结束。",
    "`end` stands where no block is open.": "`end` 出现在没有打开的块的地方。",
    "A command stands inside a block.": "命令出现在块中。",
    "A message has no role.": "消息没有角色。",
    "Something that must be JSON5 is not.": "应为 JSON5 的内容不是 JSON5。",
    "A command has an argument that it does not know.": "命令有未知的参数。",
    "A tool call has no result, and the conversation went on.": (
        "工具调用没有结果，而对话已经继续。"
    ),
    "A result answers no call.": "结果没有回答任何调用。",
    "Two calls have the same id.": "两个调用使用相同的 ID。",
    "A message says two roles.": "消息说明了两个角色。",
    "A line would be a command in the other dialect.": "有一行在另一种方言中是命令。",
    "An embedded file is not there.": "嵌入的文件不存在。",
    "Lines end with a carriage return.": "行以回车符结尾。",
    "The key of an argument is a single letter.": "参数的键只有一个字母。",
    # In examples.
    "Use instead:": "应改为：",
    "Use instead, to show it to the model:": "要让模型看到它，应改为：",
    "A line below the header that lacks only its colon, as in `[^q1] [markdown]`, gets the "
    "colon, also where a full-width one was typed.": (
        "标题行下方只缺冒号的行，如 `[^q1] [markdown]`，会补上冒号，输入了全角冒号时也是如此。"
    ),
    "Where the brackets mean something else, put them between back-quotes, or a backslash "
    "before them: `\\[^x]`.": (
        "如果方括号另有含义，请把它放在反引号之间，或在前面加反斜杠：`\\[^x]`。"
    ),
    "A line that is meant as text can say so with a backslash: `\\# %%`.": (
        "本来就是文本的行可以用反斜杠说明：`\\# %%`。"
    ),
    "An agent with `context_window: 8000` and `max_output_tokens: 1000`, and a conversation of "
    "about 9,000 tokens:": (
        "代理有 `context_window: 8000` 和 `max_output_tokens: 1000`，而对话约有 9,000 个词元："
    ),
}

_FIX_SAFETY: Mapping[str, str] = {
    "BOOT001": "没有修复：本意只有作者知道。",
    "BOOT002": "不安全：插入缺少的键时带空文本，须由作者填写；拼错的键改为与它相近的名称。",
    "BOOT003": "安全：启动消息都应是虚拟的，这里也是这样读取的。",
    "BOOT004": "安全：文本不变，在这里的含义也不变。",
    "BOOT005": "不安全：指哪个任务只有作者知道。拼错的键会改名；否则插入须由作者命名的任务。",
    "BOOT006": "安全：消息都不变，只是重新显示启动消息。",
    "BOOT007": "没有修复：两个中哪一个该改名，只有作者知道。",
    "BOOT008": "没有修复：两个中哪一个该改名，只有作者知道。",
    "CBM001": (
        "不安全：哪个角色正确，是根据组件名称和文件编号猜测的。会提供所有角色，最可能的排在最前。"
    ),
    "CBM002": "不安全：本意是猜测的。如果与任何角色都不相似，就提供所有角色。",
    "CBM003": "安全：其他程序无法读取这一行，而在这里它的含义与之前相同。",
    "CBM004": "安全：其他程序无法读取这条消息，而在这里它的开头与之前相同。",
    "CBM005": "不安全：UUID 是新的，时间是现在，描述是消息的第一行，作者未知。",
    "CBM006": "没有修复：本意只有作者知道。",
    "CBM007": "没有修复：两个中该去掉哪一个，只有作者知道。",
    "CBM008": "不安全：也许确实需要这个名称的字段。",
    "CBM009": "安全：读取时会去掉反斜杠，所以消息的内容不变。消息中的所有围栏会一次全部转义。",
    "CBM010": "安全：这一行对读取消息者没有意义。",
    "CBM011": "没有修复：是缺少消息还是文件该改名，只有作者知道。",
    "CBM012": "不安全：两个中哪一个保留 UUID，只有作者知道。",
    "DLT001": "两个元素之间缺少逗号，或数组末尾前多一个逗号时是安全的。没有其他修复。",
    "DLT002": "没有修复：缺少或有误的值，只有作者知道。",
    "DLT003": "没有修复：是哪个模型、哪个请求，文件没有说明。",
    "DLT004": "没有修复：流如何结束，只有写入者知道。",
    "DLT005": "没有修复：是编号有误还是增量的位置不对，文件没有说明。",
    "DLT006": "没有修复：缺少什么，只有写入者知道。",
    "DLT007": "没有修复：模型就是这样写的。",
    "DLT008": "没有修复：哪些结果属于两个中的哪一个，文件没有说明。",
    "DLT009": "没有修复：指哪个调用，文件没有说明。",
    "DLT010": "没有修复：两个中哪一个算数，只有写入者知道。",
    "DLT011": "没有修复：是角色不对还是内容不对，只有写入者知道。",
    "DLT012": "没有修复：文本无法确定指的是哪个时刻。",
    "DLT013": "没有修复：缺少的条目的 ID 和位置只有写入者知道。",
    "DLT014": "没有修复：不知道工具会返回什么。",
    "MSG001": (
        "对没有结束的块有一种修复：在块仍然有效的最后一行之后放上 `---`。"
        "它不安全，因为块在哪里结束是猜测的。"
    ),
    "MSG002": "没有修复：两个中指的是哪一个，只有作者知道。",
    "MSG010": "没有修复：正确的值只有作者知道。",
    "MSG011": "不安全：名称正确后值就会生效，代理的行为会改变。",
    "MSG012": (
        "不安全：指哪个代理只有作者知道。每个存在的代理都有一种修复，名称最相似的排在最前。"
    ),
    "MSG013": (
        "将文本移到前置元数据是不安全的：会在那里新建或更改代理，提示词会开始生效。"
        "如果该代理已有另一段提示词，或者无法可靠地编辑 YAML，就没有修复。"
    ),
    "MSG014": "没有修复：两个中该去掉哪一个，或哪一个该改名，只有作者知道。",
    "MSG101": (
        "在消息单元上插入 `[markdown]` 是安全的：单元本来就是这样读取的。"
        "在输出单元上修复是猜测，不安全。如果输出表明单元是代码、另一个单元有相同的 ID，"
        "或者没有闭合的围栏可能遮住了定义，也不安全。添加冒号不安全：这一行之前被读作内容。"
    ),
    "MSG102": (
        "不安全：这一行会被删除、成为上方标题行的定义，或者开始一个单元。"
        "这些都会改变模型读到的内容。"
    ),
    "MSG103": (
        "不安全：后面的单元得到下一个空闲的 ID，它与下一个同 ID 单元之间属于它的内容随之更改。"
        "与前一个共用定义的单元会得到自己的定义。脚注连同其单元中的引用改用另一个 ID；"
        "两个定义中不算数的那个会被删除。"
    ),
    "MSG104": (
        "安全：这一行移到它的标题行下方，消息不会因此改变。"
        "如果这一行遮住了没有它就会生效的内容（另一个定义或前置元数据），则不安全。"
    ),
    "MSG105": "没有修复：脚注该写什么，只有作者知道。",
    "MSG106": (
        "不安全：这一行会成为单元。如果它缺少 ID 或定义，会按 MSG107 和 MSG101 的修复补上。"
    ),
    "MSG107": (
        "不安全：单元会得到 ID 和定义，回答还会得到作者，而作者是猜测的。标题中的 ID 会移到末尾。"
    ),
    "MSG108": (
        "不安全。只有一种读法说得通时才有修复：闭合方括号、在类型后面加空格、给已知的类型加上方括号，"
        "或者让没有类型的消息单元成为 `[markdown]`。"
    ),
    "MSG109": "安全：照现在的写法，定义根本无法读取。",
    "MSG110": (
        "不安全：围栏会在它遮住的第一个标记之前闭合，被遮住的单元会重新出现。"
        "这些标记是否本来就是文本，只有作者知道。"
    ),
    "MSG111": "不安全：单元会换一个 ID。只有一个 ID 说得通时才有修复。",
    "MSG112": (
        "不安全：两种修复各丢弃一方。如果 `=======` 已经没有了，就没有修复："
        "哪一行属于哪一方，只有作者知道。"
    ),
    "MSG201": (
        "不安全：换一种类型就成了另一种单元。如果类型是代理的名称或 `tool`，"
        "而 ID 可以是这类输出的 ID，还有一种修复会用 `%%%` 让单元成为输出。"
    ),
    "MSG202": (
        "不安全：是名称拼写有误还是缺少代理，只有作者知道。一种修复在前置元数据中注册代理，"
        "另一种在第一个回答之前用一个单元记录临时代理；其余的改用已注册代理的名称。"
        "如果类型是 `markdown`、`code` 或 `raw`，"
        "还有一种修复会用 `%%` 让单元成为消息。"
    ),
    "MSG203": (
        "不安全：每个值都会改变模型看到的内容。每种含义各有一种修复：最可能的排在最前；"
        "看不出是哪一种时，不发送的排在最前。"
    ),
    "MSG204": (
        "不安全：值会改变。只有仅可能是某一个值时才有修复：例如不会去猜时间缺少的时区偏移。"
    ),
    "MSG205": (
        "这一行的读法与之前相同时是安全的：`=` 两边的空格、方括号、缺少的空格、键值对之间的逗号；"
        "两个相同的键以后一个为准，因此去掉前一个。引号在行尾闭合，除非那里似乎还有别的属性，"
        "否则是安全的。完全无法读取的内容，只有你要求时才会删除。"
    ),
    "MSG206": "不安全：属性会因此有含义。如果这一行已有正确的键，就没有修复。",
    "MSG207": (
        "不安全：值是猜测的。工具的名称取自其 XML 的根元素，代理的名称取自单元的标题或 ID。"
    ),
    "MSG208": "没有修复：两个中哪一个有误，只有作者知道。",
    "MSG301": (
        "不安全：调用之前每个 ID 几乎相同的回答都有一种修复，指的是哪一个只有作者知道。"
        "调用的结果随之更改。"
    ),
    "MSG302": (
        "不安全：指哪个调用只有作者知道。那里存在的每个 nonce 都有一种修复，"
        "其他回答中使用同一 nonce 的每个调用也有一种。"
    ),
    "MSG303": "不安全：调用会得到来自安全来源的新 nonce，它的结果随之更改。",
    "MSG304": "不安全：调用的所有结果按出现的顺序重新编号。",
    "MSG305": ("不安全：单元移到它所属的单元之后，并带上属于它、否则会留在它前面的内容。"),
    "MSG306": "没有修复：调用本来要说什么，只有作者知道。",
    "MSG307": "不安全：会添加一个表示调用失败的结果，内容为空。请把已知的情况写进去。",
    "MSG401": (
        "不安全：原来的推理会成为代码。有文本的单元会用围栏包住文本，空单元会得到空代码块。"
        "语言取自单元的运行，否则取自上方最近的代码单元。"
    ),
    "MSG402": ("不安全：会有一个新单元。它从前一个代码块之后开始，两者之间的文字归第二个单元。"),
    "MSG403": "没有修复：不会去猜语言。",
    "MSG404": (
        "不安全：输出之前每个 ID 几乎相同的代码单元都有一种修复，指的是哪一个只有作者知道。"
    ),
    "MSG405": (
        "不安全：这些行来自 `stdout` 是猜测的，而且内容会改变。"
        "几乎写对的前缀（`stdout:`）会被更正。"
    ),
    "MSG406": "没有修复：丢失的内容无法补出。",
    "MSG407": "不安全：该运行取得下一个编号，其后的运行在必要时也随之改变。",
    "MSG501": (
        "文件中没有单元，也没有写法相近的标题时，在末尾添加标题是安全的：标题前后都没有记录。"
        "否则没有安全的修复：更正写法相近的标题或把标题放在第一个单元之前，"
        "会让单元成为对话的一部分；放在末尾，会让它们留在对话之外。"
    ),
    "MSG502": (
        "不安全：标题是什么，只有作者知道。在单元中，一种修复使它比单元的标记更深，"
        "另一种把它连同单元中其后的内容移到章节之前。在第一个单元之前，章节移到其后的内容之后。"
    ),
    "MSG503": (
        "不安全：单元会成为对话的一部分。它移到章节的末尾，或移到那里第一个回应它的单元之前。"
    ),
    "MSG504": "没有修复：两个中指的是哪一个，只有作者知道。",
    "MSG601": (
        "不安全：修复会在最早的单元上设置 `history=exclude`，回答连同其调用和结果一起，"
        "直到其余内容放得下。被排除的内容模型就看不到了。"
    ),
    "MSG602": "没有修复：摘要只有作者能写。",
    "MSG603": (
        "没有修复：这里没有错误。隐藏的内容会一直隐藏，直到有人用命令“将单元纳入历史”改变它。"
    ),
    "MSG604": "不安全：模型会因此看到这段文本。标题移到定义之下。",
    "MSG605": "不安全：指的是哪个文件，只有作者知道。修复会给出同一文件夹中名称相近的文件。",
    "MSG701": "不安全：修复会保留前缀，其余部分换成同样多的星号，因此文本不再是发送时的样子。",
    "STF001": (
        "不安全：换成另一个词会产生或结束一条消息，将前缀写两遍则让这一行成为文本。"
        "引用代码的消息里就有这样的行（`@Override`、`@end`），那里只有文本才对。"
    ),
    "STF002": "没有修复：无法知道本意。",
    "STF003": "没有修复：无法知道指的是两个中的哪一个。",
    "STF004": "不安全：文本会成为消息。",
    "STF005": "不安全：会删除这一行，而缺少的也许是打开注释的那一行。",
    "STF006": "不安全：被注释遮住的消息会重新出现。",
    "STF007": "没有修复：无法知道要调用什么。",
    "STF008": (
        "安全：块在本来就被视为结束的地方结束。对象后面还有文本时，块在这段文本之前结束，"
        "文本就属于这条消息：这不安全；结束一个还是空的块也不安全。"
    ),
    "STF009": (
        "不安全：会删除这一行，或者把前缀写两遍，让它成为消息的文本。无法知道指的是两者中的哪一个。"
    ),
    "STF010": "没有修复：无法知道是这一行不对还是块不对。",
    "STF011": "不安全：写法几乎相同的另一个角色也许并非本意。",
    "STF012": "不安全：没有参数的调用会得到空对象。没有其他修复。",
    "STF013": "不安全：写法几乎相同的另一个键也许并非本意。",
    "STF014": "没有修复：无法知道指的是两个中的哪一个。",
    "STF015": "不安全：文本会成为命令。",
    "STF016": "没有修复：无法知道指的是哪个文件。",
    "STF017": "安全：所有行尾变为 `\\n`，本来就是这样读取的。",
    "STF018": "没有修复：无法知道指的是哪个键。",
    "STF019": "不安全：列出每个尚未回答的调用，只有作者知道指的是哪一个。",
    "STF020": (
        "不安全：调用得到下一个空闲的 ID，回答它的结果也随之更改。"
        "两个调用都有多个结果时，只有作者知道哪些属于哪一个。"
    ),
}

FIXES: Mapping[str, str] = {f"{code} Fix safety": text for code, text in _FIX_SAFETY.items()}
