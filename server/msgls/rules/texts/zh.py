"""The texts of the rules in simplified Chinese; loaded when somebody asks for them.

Every text has its twin in ``en``, with the same arguments and the same quoted code.
"""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "MSG001": {
        "message.yaml": "前置元数据不是有效的 YAML：{detail}",
        "message.mapping": "前置元数据必须由 `key: value` 键值对组成",
        "message.open": "前置元数据没有结束：其后缺少一行 `---`",
        "fix.close": "用 `---` 结束前置元数据",
    },
    "MSG002": {
        "message": "键 `{key}` 在此重复出现，前面的那个不起作用",
        "related": "键 `{key}` 首次出现在这里",
    },
    "MSG010": {
        "message.models": "`models` 必须是模型名称的列表，且至少有一个",
        "message.model": "模型名称必须是文本",
        "message.context_window": "`context_window` 必须是正整数",
        "message.max_output_tokens": "`max_output_tokens` 必须是正整数",
        "message.reasoning": "`reasoning` 必须是 `true` 或 `false`",
        "message.use_temperature": "`use_temperature` 必须是 `true` 或 `false`",
        "message.temperature": "`temperature` 必须是 0 到 2 之间的数",
        "message.system_prompt": "`system_prompt` 必须是文本",
        "message.default_agent": "`default_agent` 必须是某个代理的名称",
        "message.agents": "`agents` 必须是从名称到属性的映射，或者每项都有 `name` 的列表",
        "message.agent": "代理 `{attribute}` 必须是属性的映射",
        "message.name": "这个代理没有名称",
        "message.block": "代理的代码块必须由 `key: value` 键值对组成",
        "message.yaml": "代理的代码块不是有效的 YAML：{detail}",
    },
    "MSG011": {
        "message": "代理没有属性 `{attribute}`",
        "message.near": "代理没有属性 `{attribute}`：是否想写 `{near}`？",
        "fix.rename": "改为 `{near}`",
    },
    "MSG012": {
        "message": "默认代理 `{name}` 不存在：请注册它，或指定另一个",
        "fix.choose": "将 `{name}` 设为默认代理",
    },
    "MSG013": {
        "message": "临时代理不能有 `system_prompt`：只有前置元数据中的代理可以有",
        "fix.move": "将 `system_prompt` 移到前置元数据中的代理 `{name}`",
    },
    "MSG014": {
        "message": "已经有名为 `{name}` 的代理",
        "related": "代理 `{name}` 首次定义在这里",
    },
    "MSG101": {
        "message": "`{id}` 没有定义：标题行下方缺少 `[^{id}]: [markdown]`",
        "message.output": "`{id}` 没有定义：没有一行 `[^{id}]: […]` 说明这是谁或什么生成的",
        "message.colon": "`{id}` 没有定义：标题行下方那一行缺少冒号，应为 `[^{id}]:`",
        "fix.insert": "插入 `{definition}`",
        "fix.colon": "改为 `{mended}`",
    },
    "MSG102": {
        "message": "没有单元的 ID 是这一行所定义的 `{id}`",
        "fix.rename": "让它定义上方的标题行：将 ID 改为 `{id}`",
        "fix.header": "将 `[^{id}]` 写入上方的标题行",
        "fix.remove": "删除这一行",
        "fix.cell": "从这里开始一个单元 `{id}`",
    },
    "MSG103": {
        "message.header": "ID `{id}` 已被前面的单元占用",
        "message.definition": "`{id}` 已经有定义",
        "message.footnote": "这个脚注与单元 `{id}` 的 ID 相同",
        "related.header": "前面的单元 `{id}`",
        "related.definition": "`{id}` 的定义",
        "fix.rename": "将 ID 改为 `{id}`，属于该单元的一切随之更改",
        "fix.footnote": "将脚注的 ID 改为 `{id}`",
        "fix.remove": "删除不起作用的定义",
    },
    "MSG104": {
        "message": "`{id}` 的定义不在它的单元处：应放在标题行下方",
        "related": "单元 `{id}`",
        "fix.move": "将定义移到 `{id}` 的标题行下方",
    },
    "MSG105": {
        "message": "此文件中没有名为 `{id}` 的内容：缺少该脚注",
    },
    "MSG106": {
        "message": "近似单元标题行，但被当作文本：写成 `{mended}` 才会开始一个单元",
        "fix.mend": "改为 `{mended}`",
        "fix.whole": "改为 `{mended}` 并加上定义",
    },
    "MSG107": {
        "message.inside": "`[^{id}]` 不在标题行末尾，因此不是这个单元的 ID",
        "message": "这个单元没有 ID，因此无法进一步说明它：末尾缺少 `[^id]`",
        "fix.give": "为它加上 ID `{id}` 和定义",
    },
    "MSG108": {
        "message.id": "无法读取 `{id}` 的定义：ID 后缺少 `]`",
        "message.bracket": "无法读取 `{id}` 的定义：类型后缺少 `]`",
        "message.type": "单元 `{id}` 的定义没有类型：应为 `[^{id}]: [type]`",
        "message.blank": "无法读取 `{id}` 的定义：类型后缺少空格",
        "related": "单元 `{id}`",
        "fix.mend": "改为 `{mended}`",
    },
    "MSG109": {
        "message": "某个格式化工具转义了 `{id}` 的定义：它被当作文本",
        "fix.repair": "改为 `{mended}`",
    },
    "MSG110": {
        "message.swallowed": ("这个代码围栏直到后面的代码块开始处才闭合，吞没了一个单元"),
        "message.swallowed.many": (
            "这个代码围栏直到后面的代码块开始处才闭合，吞没了 {count} 个单元"
        ),
        "message.none": "这个代码围栏没有闭合",
        "message.one": "这个代码围栏没有闭合，遮住了一个单元标记",
        "message.many": "这个代码围栏没有闭合，遮住了 {count} 个单元标记",
        "fix.marker": "在下一个单元标记之前闭合围栏",
        "fix.end": "在文件末尾闭合围栏",
    },
    "MSG111": {
        "message.empty": "ID 为空",
        "message.bracket": "ID `{id}` 含有方括号或 `^`",
        "message.blank": "ID `{id}` 含有空格",
        "message.segment": "ID `{id}` 的点之间有空段",
        "message.call": "工具调用的 ID 形如 `id.nonce`：`{id}` 没有说明它属于哪个回答",
        "message.nonce": ("`{id}` 中的 `{number}` 不是 nonce：只能用字母 A 到 Z、数字、`_` 和 `-`"),
        "message.result": "工具结果的 ID 形如 `id.nonce.n`：`{id}` 的段数过多",
        "message.number": "`{id}` 中的 `{number}` 不是正整数：结果和运行按 1、2、3 编号",
        "message.further": (
            "`{id}` 中的 `{number}` 不是 2 或更大的整数：一次运行的第一个输出是 `id.n`，"
            "其余的是 `id.n.2`、`id.n.3`"
        ),
        "message.message": "消息的 ID `{id}` 含有点：只有调用、结果和运行才有",
        "message.answer": "回答的 ID `{id}` 含有点：只有调用、结果和运行才有",
        "message.agent": (
            "ID `{id}` 像代码单元的运行那样含有点，但 `{type}` 在这里是代理；代理的回答没有点"
        ),
        "message.language": (
            "`{id}` 像代码单元的运行那样含有点，但 `{type}` 不是已知的语言；代理的回答没有点"
        ),
        "fix.rename": "将 ID 改为 `{id}`",
        "fix.language": "将类型改为 `{language}`",
    },
    "MSG112": {
        "message": "合并没有完成：双方的内容都留在文件中",
        "message.marks": "合并没有完成：合并标记留在文件中",
        "related.theirs": "对方的内容从这里开始",
        "related.end": "对方的内容到这里结束",
        "fix.ours": "保留我方（上半部分）",
        "fix.ours.named": "保留我方（上半部分，`{side}`）",
        "fix.theirs": "保留对方（下半部分）",
        "fix.theirs.named": "保留对方（下半部分，`{side}`）",
    },
    "MSG201": {
        "message": "`{type}` 不是消息的类型：应为 `markdown`、`code` 或 `raw`",
        "fix.type": "将类型改为 `{type}`",
        "fix.output": "改成 `{type}` 的输出：`%%%`",
        "fix.system": '改为 `[markdown] role="system"`',
    },
    "MSG202": {
        "message": "这里由 `{name}` 回答，但没有注册过这个名称的代理",
        "message.type": "`{name}` 是消息的类型，而输出要写代理的名称：是否想写 `%%`？",
        "message.early": "这里由 `{name}` 回答，但它在更下方才定义",
        "related": "`{name}` 定义在这里",
        "related.again": "这里也由 `{name}` 回答",
        "fix.name": "改为 `{name}`",
        "fix.temporary": "在此单元之前用一个单元将 `{name}` 记录为临时代理",
        "fix.message": "改成消息：`%%`",
        "fix.register": "在前置元数据中注册 `{name}`",
    },
    "MSG203": {
        "message": "`history` 不能是 `{value}`：应为 `include`、`exclude` 或 `summary`",
        "message.empty": "`history` 为空：应为 `include`、`exclude` 或 `summary`",
        "fix.value": "改为 `{value}`",
    },
    "MSG204": {
        "message.one": "`{attribute}` 不能是 `{value}`：应为 {values}",
        "message.list": "`{attribute}` 不能是 `{value}`：应为 {values} 之一",
        "message.time": (
            "`{attribute}` 不能是 `{value}`：应为带时区偏移的时间，例如 `2025-05-30T09:30:00+08:00`"
        ),
        "message.date": "`{attribute}` 不能是 `{value}`：没有这样的日期或时刻",
        "message.duration": (
            "`{attribute}` 不能是 `{value}`：应为带 `ms`、`s`、`m` 或 `h` 的数，或仅写秒数"
        ),
        "message.mime-type": (
            "`{attribute}` 不能是 `{value}`：应为 `text/plain` 或 `image/png` 这样的类型"
        ),
        "fix.value": "改为 `{value}`",
    },
    "MSG205": {
        "message.unclosed-quote": "`{name}` 的值缺少结束引号",
        "message.blanks-around-equals": "`{name}` 的 `=` 两侧有空格：应写作 `{name}=…`",
        "message.bracketed-pair": "`{text}` 写在方括号中，而方括号只用于类型",
        "message.duplicate-key": "`{name}` 写了两次：以最后一个为准",
        "message.missing-value": "`{name}` 没有值",
        "message.missing-blank": "这个属性之前缺少空格",
        "message.unreadable": "`{text}` 不是属性：属性写作 `key=value`",
        "related": "前面的 `{name}`",
        "fix.close": "在行尾加上结束引号",
        "fix.close-before": "在下一个属性之前加上结束引号",
        "fix.close-up": "删除 `=` 两侧的空格",
        "fix.unwrap": "改为 `{pair}`",
        "fix.part": "在中间加一个空格",
        "fix.remove": "删除 `{pair}`",
    },
    "MSG206": {
        "message": "`{written}` 在这里没有意义：是否想写 `{meant}`？",
        "message.sight": "`{written}` 在这里没有意义：是否想写决定模型看到什么的 `{meant}`？",
        "fix.rename": "改为 `{key}`",
    },
    "MSG207": {
        "message.tool": "工具调用 `{id}` 没有写明工具：缺少 `name`",
        "message.name": "`{id}` 定义了一个代理却没有命名：缺少 `name`",
        "message.status": "执行输出 `{id}` 没有说明结果如何：缺少 `status`",
        "fix.insert": "插入 `{pair}`",
    },
    "MSG208": {
        "message": "`{id}` 比它前面的输出更早：`{time}` 在 `{before}` 之前",
        "related": "`{id}` 的时间",
    },
    "MSG301": {
        "message": "工具调用 `{id}` 不属于任何回答：此文件中没有 `{root}`",
        "message.message": "工具调用 `{id}` 不属于任何回答：`{root}` 是消息",
        "related": "消息 `{root}`",
        "fix.answer": "改为属于回答的 `{id}`",
    },
    "MSG302": {
        "message.result": "工具结果 `{id}` 没有对应的调用：`{root}` 的 nonce 是 {nonces}",
        "message.results": "工具结果 `{id}` 没有对应的调用：`{root}` 的 nonce 有 {nonces}",
        "message.none": "工具结果 `{id}` 没有对应的调用：`{root}` 没有调用",
        "message.nowhere": "工具结果 `{id}` 没有对应的调用：此文件中没有 `{root}`",
        "related": "nonce 为 `{nonce}` 的调用",
        "fix.nonce": "将 nonce 改为 `{nonce}`",
        "fix.call": "让它对应调用 `{id}`",
    },
    "MSG303": {
        "message": "`{id}` 的 nonce `{nonce}` 已被使用：`{other}` 也是它",
        "related": "前面使用 nonce `{nonce}` 的调用",
        "fix.nonce": "将 nonce 改为 `{nonce}`，结果中的也一并更改",
    },
    "MSG304": {
        "message.repeated": "调用 `{parent}` 已经有结果 {number}：这里应为 {due}",
        "message.order": "调用 `{parent}` 的结果 {number} 出现在应为 {due} 的位置",
        "related": "前一个结果",
        "fix.renumber": "将 `{parent}` 的结果从 1 开始重新编号",
    },
    "MSG305": {
        "message.call": "工具调用 `{id}` 出现在它所属的回答 `{parent}` 之前",
        "message.result": "工具结果 `{id}` 出现在它对应的调用 `{parent}` 之前",
        "message.run": "执行输出 `{id}` 出现在它的代码 `{parent}` 之前",
        "related": "`{parent}` 到这里才出现",
        "fix.move": "将它移到 `{parent}` 之后",
    },
    "MSG306": {
        "message.name": "XML 调用的是 `{written}`，但定义写的工具是 `{name}`，以定义为准",
        "message": "这个工具调用的 XML 格式不正确：{reason}",
        "message.fence": "工具调用只能是单独一个代码围栏，或者直接写 XML",
        "message.empty": "工具调用 `{id}` 为空：缺少 XML",
    },
    "MSG307": {
        "message": "工具调用 `{id}` 没有结果，而对话已经继续",
        "fix.insert": "插入结果 `{id}`",
    },
    "MSG401": {
        "message": "代码单元 `{id}` 没有代码：缺少围栏代码块",
        "fix.wrap": "用围栏代码块包住内容",
        "fix.insert": "插入围栏代码块",
    },
    "MSG402": {
        "message": "这个代码块不会运行：代码单元只运行第一个代码块",
        "related": "会运行的代码块",
        "fix.split": "拆分单元：将这个代码块放进新单元 `{id}`",
    },
    "MSG403": {
        "message": "这段代码没有写明语言：请写在围栏后面",
    },
    "MSG404": {
        "message": "执行输出 `{id}` 不属于任何代码：此文件中没有 `{root}`",
        "message.other": "执行输出 `{id}` 不属于任何代码：`{root}` 不是代码单元",
        "related": "`{root}`，它不是代码单元",
        "fix.code": "改为代码的运行 `{id}`",
    },
    "MSG405": {
        "message": "这一行没有说明来自哪里：请以 `stdout>` 或 `stderr>` 开头",
        "message.many": "这些行没有说明来自哪里：每行请以 `stdout>` 或 `stderr>` 开头",
        "fix.prefix": "在行首加上 `{prefix}`",
        "fix.prefix-many": "在每行行首加上 `{prefix}`",
    },
    "MSG406": {
        "message.character": "`{piece}` 不是 base64，而 `{type}` 要用它书写",
        "message.padding": "`{piece}` 的填充过多：base64 末尾最多有两个 `=`",
        "message.behind": "`{piece}` 在 base64 的末尾之后：`=` 后面不能再有内容",
        "message.fence": "`{type}` 用 base64 书写，外面没有围栏：请去掉围栏",
        "message.length": "base64 在这里被截断：它的长度不是四的倍数",
    },
    "MSG407": {
        "message.repeated": "代码 `{parent}` 已经有运行 {number}：这里应为 {due}",
        "message.order": "代码 `{parent}` 的运行 {number} 出现在更晚的运行之后：这里应为 {due}",
        "related": "前一次运行",
        "fix.renumber": "重新编号 `{parent}` 的运行，使编号递增",
    },
    "MSG501": {
        "message": "没有名为 `{name}` 的标题：没有它，什么都不会被记录",
        "message.near": "没有名为 `{name}` 的标题，什么都不会被记录：指的是 `{near}` 吗？",
        "fix.correct": "将标题 `{near}` 改为 `{name}`",
        "fix.before": "在第一个单元之前插入标题 `{name}`",
        "fix.append": "在末尾添加标题 `{name}`",
    },
    "MSG502": {
        "message.one": "章节 `{name}` 必须是最后一个，但其后还有标题 `{heading}`",
        "message.many": (
            "章节 `{name}` 必须是最后一个，但其后还有 {count} 个标题，第一个是 `{heading}`"
        ),
        "message.inside.one": "章节 `{name}` 的单元中的标题 `{heading}` 看起来像独立的章节",
        "message.inside.many": (
            "章节 `{name}` 的单元中有 {count} 个标题看起来像独立的章节，第一个是 `{heading}`"
        ),
        "related.inside": "这个标题不比所在单元的标记更深",
        "related.before": "这个标题出现在任何单元之前",
        "fix.move": "将章节 `{name}` 移到文件末尾",
        "fix.move.cells": "将标题 `{name}` 移到它的第一个单元之前",
        "fix.deepen": "`{heading}` 是单元的一部分：使它比单元的标记更深",
        "fix.deepen.many": "它们是单元的一部分：使它们比单元的标记更深",
        "fix.out": "`{heading}` 是独立的章节：将它移到 `{name}` 之前",
        "fix.out.many": "它们是独立的章节：将它们移到 `{name}` 之前",
    },
    "MSG503": {
        "message": "这个单元在章节 `{name}` 之前，不会被记录",
        "related": "章节 `{name}` 从这里开始",
        "fix.move": "将单元移入章节 `{name}`",
    },
    "MSG504": {
        "message": "章节 `{name}` 在此重复出现：以第一个为准",
        "related": "章节 `{name}` 从这里开始",
    },
    "MSG601": {
        "message": (
            "模型将看到约 {tokens} 个词元（估计值），而 `{agent}` 只能容纳 {budget} 个："
            "`context_window` 减去 `max_output_tokens`"
        ),
        "message.one": (
            "模型将看到约 1 个词元（估计值），而 `{agent}` 只能容纳 {budget} 个："
            "`context_window` 减去 `max_output_tokens`"
        ),
        "message.window": (
            "模型将看到约 {tokens} 个词元（估计值），而 `{agent}` 只能容纳 {budget} 个："
            "即它的 `context_window`"
        ),
        "fix.exclude": "排除最早的单元",
        "fix.exclude.many": "排除最早的 {count} 个单元",
    },
    "MSG602": {
        "message.empty": "摘要为空，因此模型看到的是第一段",
        "message.none": "没有可作摘要的内容：既没有 `summary`，也没有第一段",
    },
    "MSG603": {
        "message.excluded": "模型看不到这个单元：`history={value}`",
        "message.virtual": "模型看不到这个单元：它是虚拟的",
        "message.agent": "模型看不到这个单元：它定义了一个代理",
        "message.reset": "模型看不到这个单元：它在最近一次重置之前",
        "message.resetting": "模型看不到这个单元：它会重置上下文",
        "message.outside": "模型看不到这个单元：它在章节之外",
    },
    "MSG604": {
        "message": "标题不会发送：这条消息没有正文，模型什么都看不到",
        "fix.move": "将标题改为正文",
    },
    "MSG605": {
        "message": "没有文件 `{path}`",
        "fix.name": "改为 `{name}`",
    },
    "MSG701": {
        "message.assigned": (
            "这看起来是机密，`{owner}` 的随机值，共 {length} 个字符：请吊销它并将其删除"
        ),
        "message.vendor": (
            "这看起来是 {owner} 的密钥，以 `{prefix}` 开头，共 {length} 个字符：请吊销它并将其删除"
        ),
        "message.private": "这看起来是私钥，共 {length} 个字符：请更换它并将其删除",
        "message.bearer": "这看起来是访问令牌，共 {length} 个字符：请吊销它并将其删除",
        "fix.redact": "用星号代替",
    },
    "CBM001": {
        "message": "没有一行 `; role:` 说明这是谁的消息",
        "message.empty": "没有说明这是谁的消息：`role` 没有值",
        "message.near": "这是谁的消息必须由 `role` 说明：`{field}` 是别的字段",
        "message.later": "空行把角色与头部隔开了：在这里它只是文本",
        "fix.insert": "插入角色 `{role}`",
        "fix.rename": "改为 `{role}`",
        "fix.join": "删除头部中的空行",
    },
    "CBM002": {
        "message": "没有角色 `{role}`：应为 `user`、`assistant` 或 `system`",
        "message.near": "没有角色 `{role}`：是否想写 `{near}`？",
        "fix.change": "改为 `{role}`",
    },
    "CBM003": {
        "message": "头部的这一行没有以 `;` 开头：应为 `{mended}`",
        "fix.mend": "改为 `{mended}`",
    },
    "CBM004": {
        "message": "头部与消息之间必须有两个空行",
        "fix.insert": "在头部下方加两个空行",
    },
    "CBM005": {
        "message": "头部缺少 {names}",
        "fix.insert": "插入 {names}",
    },
    "CBM006": {
        "message.Block-UUID": "`{value}` 不是 UUID",
        "message.Parent-UUID": "`{value}` 不是 UUID；没有父消息时请写 `N/A`",
        "message.Version": "`{value}` 不是语义化版本号，例如 `1.0.0`",
        "message.Created-at": "`{value}` 不是 ISO 8601 日期，例如 `2025-04-21T18:15:00.000Z`",
        "message.Authors": "作者必须写作 `Name (v1.0.0)`，多个作者之间用逗号分隔",
        "message.empty": "`{field}` 没有值",
    },
    "CBM007": {
        "message": "字段 `{field}` 在此重复出现，以第一个为准",
        "related": "字段 `{field}` 首次出现在这里",
    },
    "CBM008": {
        "message": "没有已知的字段 `{field}`：是否想写 `{near}`？",
        "fix.rename": "改为 `{near}`",
    },
    "CBM009": {
        "message": "这个代码围栏没有转义：反引号前缺少反斜杠",
        "fix.escape": "转义消息中的所有代码围栏",
    },
    "CBM010": {
        "message": "角色没有与其他字段分开：它前面缺少一行 `;`",
        "fix.insert": "在角色前面加一行 `;`",
    },
    "CBM011": {
        "message": "缺少前一条消息：这里没有 `{number}.md`",
        "message.many": "缺少前面的消息：这里没有 `{first}.md` 到 `{last}.md`",
    },
    "CBM012": {
        "message": "`{path}` 的 UUID 与此相同",
        "message.many": "另有 {count} 条消息的 UUID 与此相同，其中有 `{path}`",
        "fix.new": "为这条消息生成新的 UUID",
    },
    "STF001": {
        "message": "没有命令 `{word}`",
        "message.dialect": "`{word}` 是方言 `{other}` 的命令，不属于 `{prefix}`",
        "message.empty": "前缀 `{prefix}` 后面没有命令",
        "fix.change": "改为 `{word}`",
        "fix.text": "这是文本：将前缀写两遍 `{prefix}{prefix}`",
    },
    "STF002": {
        "message.unreadable": "`{text}` 不是参数：参数写作 `key=value`，或者一个对象",
        "message.value": "`{text}` 没有值：参数写作 `key=value`，或者一个对象",
        "message.key": "`{text}` 不是键：键由小写字母、数字和 `_` 组成，并以字母开头",
        "message.quote": "从这里开始的引号没有闭合",
        "message.text": "值必须是文本或数字",
    },
    "STF003": {
        "message": "参数 `{key}` 在此重复出现，前面的那个不起作用",
        "related": "参数 `{key}` 首次出现在这里",
    },
    "STF004": {
        "message": "这段文本不属于任何消息：缺少 `{role}` 这样的命令",
        "message.command": "`{word}` 不属于任何消息：这里没有打开的消息",
        "fix.insert": "插入 `{command}`",
    },
    "STF005": {
        "message": "没有可以在这里结束的注释",
        "fix.remove": "删除这一行",
    },
    "STF006": {
        "message": "这个注释没有闭合，遮住了其后的全部内容",
        "fix.line": "改成单行注释，用 `//`",
        "fix.before": "在下一条消息之前用 `{close}` 闭合",
        "fix.end": "在文件末尾用 `{close}` 闭合",
    },
    "STF007": {
        "message.call": "后面没有一行说明调用什么：`name {{…}}`",
        "message.embed": "后面没有一行说明嵌入什么",
        "message.blank.call": "应说明调用什么的那一行是空的",
        "message.blank.embed": "应说明嵌入什么的那一行是空的",
    },
    "STF008": {
        "message": "`{word}` 的块没有结束：缺少 `{end}`",
        "fix.insert": "插入 `{end}`",
    },
    "STF009": {
        "message": "没有可以在这里结束的块",
        "fix.remove": "删除这一行",
        "fix.text": "这是文本：将前缀写两遍 `{prefix}{prefix}`",
    },
    "STF010": {
        "message": "`{block}` 的块中不能有命令",
        "related": "块从这里开始",
    },
    "STF011": {
        "message": "`{word}` 没有角色，前面也没有消息可以沿用",
        "message.unknown": "服务不认识角色 `{role}`：会作为 user 的消息发送",
        "message.raw": "这条消息的对象没有 `role`",
        "fix.change": "改为 `{role}`",
    },
    "STF012": {
        "message.empty": "这里没有 JSON5",
        "message.open": "`{text}` 没有闭合",
        "message.unexpected": "JSON5 的这里不能有 `{text}`",
        "message.behind": "`{text}` 在对象的末尾之后",
        "message.number": "`{text}` 不是可以读取的数",
        "message.deep": "嵌套过深",
        "message.object": "这里必须是对象：`{{…}}`",
        "message.name": "参数之前缺少工具的名称",
        "message.arguments": "缺少 `{text}` 的参数：后面必须有一个对象",
        "fix.object": "添加一个空对象",
    },
    "STF013": {
        "message": "`{word}` 没有参数 `{argument}`：可用的有 {known}",
        "message.none": "`{word}` 不接受参数",
        "fix.rename": "改为 `{argument}`",
    },
    "STF014": {
        "message": "角色 `{role}` 在这里不起作用：这条消息的角色是 `{counts}`",
    },
    "STF015": {
        "message": "这里是文本，因为此文件的命令以 `{prefix}` 开头：是否想写命令？",
        "fix.change": "让这一行以 `{prefix}` 开头",
    },
    "STF016": {
        "message": "没有文件 `{path}`",
    },
    "STF017": {
        "message": "行以回车符结尾：强烈建议只用换行符",
        "fix.convert": "将所有行尾转换为换行符",
    },
    "STF018": {
        "message": "键 `{argument}` 只有一个字母：有些程序要求至少两个",
    },
    "STF019": {
        "message": "这个结果之前没有 id 为 `{call}` 的调用",
        "message.none": "没有剩下可由这个结果回答的调用",
        "fix.answer": "让它回答调用 `{call}`",
    },
    "STF020": {
        "message": "前面已有调用使用 id `{call}`",
        "related": "调用 `{call}` 首先出现在这里",
        "fix.rename": "将 id 改为 `{call}`，连同它的结果",
    },
    "DLT001": {
        "message": "这不是有效的 JSON：{reason}",
        "message.open": "数组没有闭合：缺少 `]`",
        "fix.remove": "删除逗号",
        "fix.insert": "插入逗号",
    },
    "DLT002": {
        "message": "`{path}`：{reason}",
        "message.whole": "这不是 {what}：{reason}",
        "message.unknown": "这既不是消息，也不是增量或会话条目",
        "message.batch": "`message_delta_batch` 的载荷必须是增量的列表",
    },
    "DLT003": {
        "message.start-missing": "运行 `{run}` 的流在这里继续，但没有 `start` 打开它",
        "message.start-repeated": "运行 `{run}` 的流已经打开：这个 `start` 是重复的",
        "related": "流在这里打开",
    },
    "DLT004": {
        "message.terminal-missing": ("运行 `{run}` 在此之前的流没有结束：缺少 `done` 或 `error`"),
        "message.delta-after-terminal": "运行 `{run}` 的流在这个增量之前已经结束",
        "message.second-terminal": "运行 `{run}` 的流已经结束",
        "message.not-ended": "运行 `{run}` 的流还没有结束",
        "related.start": "流在这里打开",
        "related.end": "流在这里以 `{kind}` 结束",
    },
    "DLT005": {
        "message": "`seq` 必须递增：{last} 之后是 {seq}",
    },
    "DLT006": {
        "message.no-start": "工具调用 `{call}` 没有打开：前面没有 `tool_call_start`",
        "message.no-end": "工具调用 `{call}` 没有 `tool_call_end`，而它的流已经结束",
        "related": "流在这里结束",
    },
    "DLT007": {
        "message": "无法读取工具调用 `{call}` 的参数：{reason}",
        "related": "工具调用在这里结束",
    },
    "DLT008": {
        "message": "运行 `{run}` 中已经有工具调用 `{call}`",
        "related": "工具调用 `{call}` 首次出现在这里",
    },
    "DLT009": {
        "message": "在这个结果之前没有 ID 为 `{call}` 的工具调用",
        "message.later": "工具调用 `{call}` 在这个结果之后才出现",
        "related": "工具调用在这里",
    },
    "DLT010": {
        "message": "工具调用 `{call}` 已经有结果",
        "related": "它的第一个结果在这里",
    },
    "DLT011": {
        "message": "角色为 `{role}` 的消息不能有 `{kind}` 类型的部分",
    },
    "DLT012": {
        "message": "`{time}` 不是按 ISO 8601 书写的日期和时间",
    },
    "DLT013": {
        "message": "`{call}` 的结果不在任何 `message` 条目中：它会随这个会话丢失",
    },
    "DLT014": {
        "message": "工具调用 `{call}` 没有结果，而对话已经继续",
    },
    "BOOT001": {
        "message": "这不是有效的 JSON：{reason}",
    },
    "BOOT002": {
        "message.missing": "这里缺少 `{key}`",
        "message.misspelt": "这里没有 `{written}`：是否指 `{near}`？",
        "message.misplaced": "`{written}` 属于 `{place}`，放在这里不会被读取",
        "message.item": "这一项必须是对象",
        "message.text": "`{what}` 必须是文本",
        "message.switch": "`{what}` 必须是 `true` 或 `false`",
        "message.list": "`{what}` 必须是列表",
        "message.object": "`{what}` 必须是对象",
        "message.type": "任务的类型是 `action` 或 `message`",
        "message.value": "`{what}` 不能是这个值",
        "fix.insert": "插入 `{name}`",
        "fix.rename": "改为 `{name}`",
    },
    "BOOT003": {
        "message": "这条启动消息不是虚拟的：它会进入模型看到的内容",
        "fix.set": "标记为虚拟",
        "fix.rename": "将 `{written}` 改为 `isVirtual`",
    },
    "BOOT004": {
        "message": "启动消息的文本现在叫作 `message`",
        "fix.rename": "改为 `message`",
    },
    "BOOT005": {
        "message": "这个任务没有 `task`：宿主程序显示这条消息时会抛出异常",
        "fix.insert": "插入 `task`",
        "fix.rename": "将 `{written}` 改为 `task`",
    },
    "BOOT006": {
        "message": "重置后不会显示启动消息：`skipBotMessage` 必须是 `false`",
        "fix.set": "改为 `false`",
    },
    "BOOT007": {
        "message": "已经有名为 `{name}` 的代理",
        "related": "代理 `{name}` 首次出现在这里",
    },
    "BOOT008": {
        "message.shown": "已经向用户提供了另一个任务 `{name}`",
        "message.task": "这些任务中已经有一个名为 `{name}`",
        "related": "`{name}` 首次出现在这里",
    },
}
