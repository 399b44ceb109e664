"""The English texts of the rules."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "MSG001": {
        "message.yaml": "the frontmatter is not valid YAML: {detail}",
        "message.mapping": "the frontmatter must hold `key: value` pairs",
        "message.open": "the frontmatter is not closed: a line `---` behind it is missing",
        "fix.close": "Close the frontmatter with `---`",
    },
    "MSG002": {
        "message": "the key `{key}` stands here again, and the one before does not count",
        "related": "the key `{key}` stands here first",
    },
    "MSG010": {
        "message.models": "`models` must be a list of model names, at least one",
        "message.model": "the name of a model must be text",
        "message.context_window": "`context_window` must be a positive whole number",
        "message.max_output_tokens": "`max_output_tokens` must be a positive whole number",
        "message.reasoning": "`reasoning` must be `true` or `false`",
        "message.use_temperature": "`use_temperature` must be `true` or `false`",
        "message.temperature": "`temperature` must be a number from 0 to 2",
        "message.system_prompt": "`system_prompt` must be text",
        "message.default_agent": "`default_agent` must be the name of an agent",
        "message.agents": (
            "`agents` must be a mapping of names to attributes, or a list with a `name` in each"
        ),
        "message.agent": "the agent `{attribute}` must be a mapping of attributes",
        "message.name": "this agent has no name",
        "message.block": "the block of an agent must hold `key: value` pairs",
        "message.yaml": "the block of the agent is not valid YAML: {detail}",
    },
    "MSG011": {
        "message": "an agent has no attribute `{attribute}`",
        "message.near": "an agent has no attribute `{attribute}`: is `{near}` meant?",
        "fix.rename": "Change to `{near}`",
    },
    "MSG012": {
        "message": "the default agent `{name}` does not exist: register it, or name another",
        "fix.choose": "Make `{name}` the default agent",
    },
    "MSG013": {
        "message": (
            "a temporary agent cannot have a `system_prompt`: only agents of the frontmatter can"
        ),
        "fix.move": "Move `system_prompt` to the agent `{name}` in the frontmatter",
    },
    "MSG014": {
        "message": "there is an agent `{name}` already",
        "related": "the agent `{name}` is defined here first",
    },
    "MSG101": {
        "message": "`{id}` has no definition: below the header, `[^{id}]: [markdown]` is missing",
        "message.output": (
            "`{id}` has no definition: no line `[^{id}]: […]` says who or what made this"
        ),
        "message.colon": (
            "`{id}` has no definition: the line below the header lacks its colon, `[^{id}]:`"
        ),
        "fix.insert": "Insert `{definition}`",
        "fix.colon": "Change to `{mended}`",
    },
    "MSG102": {
        "message": "no cell has the id `{id}` that this line defines",
        "fix.rename": "Let it define the header above: change the id to `{id}`",
        "fix.header": "Put `[^{id}]` into the header above",
        "fix.remove": "Remove the line",
        "fix.cell": "Start a cell `{id}` here",
    },
    "MSG103": {
        "message.header": "the id `{id}` is taken by an earlier cell",
        "message.definition": "`{id}` has a definition already",
        "message.footnote": "this footnote has the id of the cell `{id}`",
        "related.header": "the earlier cell `{id}`",
        "related.definition": "the definition of `{id}`",
        "fix.rename": "Change the id to `{id}`, with all that belongs to the cell",
        "fix.footnote": "Change the footnote's id to `{id}`",
        "fix.remove": "Remove the definition that does not count",
    },
    "MSG104": {
        "message": (
            "the definition of `{id}` stands away from its cell: its place is below the header"
        ),
        "related": "the cell `{id}`",
        "fix.move": "Move the definition below the header of `{id}`",
    },
    "MSG105": {
        "message": "nothing in this file is called `{id}`: the footnote is missing",
    },
    "MSG106": {
        "message": "nearly a cell header, read as text: `{mended}` would start a cell",
        "fix.mend": "Change to `{mended}`",
        "fix.whole": "Change to `{mended}` and define it",
    },
    "MSG107": {
        "message.inside": (
            "`[^{id}]` is not at the end of the header, so it is not the id of this cell"
        ),
        "message": (
            "this cell has no id, so nothing can say more about it: `[^id]` at the end is missing"
        ),
        "fix.give": "Give it the id `{id}` and a definition",
    },
    "MSG108": {
        "message.id": "the definition of `{id}` cannot be read: `]` is missing behind the id",
        "message.bracket": (
            "the definition of `{id}` cannot be read: `]` is missing behind the type"
        ),
        "message.type": (
            "the definition of the cell `{id}` has no type: `[^{id}]: [type]` is expected"
        ),
        "message.blank": (
            "the definition of `{id}` cannot be read: a blank is missing behind the type"
        ),
        "related": "the cell `{id}`",
        "fix.mend": "Change to `{mended}`",
    },
    "MSG109": {
        "message": "a formatter has escaped the definition of `{id}`: it is read as text",
        "fix.repair": "Change to `{mended}`",
    },
    "MSG110": {
        "message.swallowed": (
            "this fence is closed only where a later block was to open, and swallows a cell"
        ),
        "message.swallowed.many": (
            "this fence is closed only where a later block was to open, and swallows {count} cells"
        ),
        "message.none": "this fence is never closed",
        "message.one": "this fence is never closed, and hides a cell marker",
        "message.many": "this fence is never closed, and hides {count} cell markers",
        "fix.marker": "Close the fence before the next cell marker",
        "fix.end": "Close the fence at the end of the file",
    },
    "MSG111": {
        "message.empty": "the id is empty",
        "message.bracket": "the id `{id}` holds a bracket or a `^`",
        "message.blank": "the id `{id}` holds a blank",
        "message.segment": "the id `{id}` has an empty segment between its dots",
        "message.call": (
            "a tool call is called `id.nonce`: `{id}` does not say which answer it belongs to"
        ),
        "message.nonce": (
            "`{number}` in `{id}` is no nonce: letters from A to Z, digits, `_` and `-` only"
        ),
        "message.result": "a tool result is called `id.nonce.n`: `{id}` has too many segments",
        "message.number": (
            "`{number}` in `{id}` is not a positive number: results and runs are counted 1, 2, 3"
        ),
        "message.further": (
            "`{number}` in `{id}` is not a number from 2 on: a run's first output is `id.n`, and "
            "the further ones are `id.n.2`, `id.n.3`"
        ),
        "message.message": (
            "the id `{id}` of a message has a dot: only calls, results and runs have"
        ),
        "message.answer": "the id `{id}` of an answer has a dot: only calls, results and runs have",
        "message.agent": (
            "the id `{id}` has a dot, as the run of a code cell has, but `{type}` is an agent "
            "here; an agent's answer has no dot"
        ),
        "message.language": (
            "`{id}` has a dot, as the run of a code cell has, but `{type}` is no language that "
            "is known; an agent's answer has no dot"
        ),
        "fix.rename": "Change the id to `{id}`",
        "fix.language": "Change the type to `{language}`",
    },
    "MSG112": {
        "message": "a merge was not finished: both sides are in the file",
        "message.marks": "a merge was not finished: its marks are left in the file",
        "related.theirs": "the other side starts here",
        "related.end": "the other side ends here",
        "fix.ours": "Keep ours, the upper side",
        "fix.ours.named": "Keep ours, the upper side (`{side}`)",
        "fix.theirs": "Keep theirs, the lower side",
        "fix.theirs.named": "Keep theirs, the lower side (`{side}`)",
    },
    "MSG201": {
        "message": "`{type}` is no type of a message: it is `markdown`, `code` or `raw`",
        "fix.type": "Change the type to `{type}`",
        "fix.output": "Make it an output of `{type}`: `%%%`",
        "fix.system": 'Change to `[markdown] role="system"`',
    },
    "MSG202": {
        "message": "`{name}` answers here, and no agent of that name is registered",
        "message.type": (
            "`{name}` is a type of messages, and an output names its agent: is `%%` meant?"
        ),
        "message.early": "`{name}` answers here, and is defined only further down",
        "related": "here `{name}` is defined",
        "related.again": "`{name}` answers here, too",
        "fix.name": "Change to `{name}`",
        "fix.temporary": "Record `{name}` as a temporary agent in a cell before this one",
        "fix.message": "Make it a message: `%%`",
        "fix.register": "Register `{name}` in the frontmatter",
    },
    "MSG203": {
        "message": "`history` cannot be `{value}`: it is `include`, `exclude` or `summary`",
        "message.empty": "`history` is empty: it is `include`, `exclude` or `summary`",
        "fix.value": "Change to `{value}`",
    },
    "MSG204": {
        "message.one": "`{attribute}` cannot be `{value}`: it is {values}",
        "message.list": "`{attribute}` cannot be `{value}`: it is one of {values}",
        "message.time": (
            "`{attribute}` cannot be `{value}`: it is a time with an offset, such as "
            "`2025-05-30T09:30:00+08:00`"
        ),
        "message.date": "`{attribute}` cannot be `{value}`: there is no such date or time of day",
        "message.duration": (
            "`{attribute}` cannot be `{value}`: it is a number with `ms`, `s`, `m` or `h`, "
            "or a bare number of seconds"
        ),
        "message.mime-type": (
            "`{attribute}` cannot be `{value}`: it is a type such as `text/plain` or `image/png`"
        ),
        "fix.value": "Change to `{value}`",
    },
    "MSG205": {
        "message.unclosed-quote": "the value of `{name}` has no closing quote",
        "message.blanks-around-equals": "`{name}` has blanks around `=`: it is `{name}=…`",
        "message.bracketed-pair": "`{text}` stands in brackets, which belong to the type alone",
        "message.duplicate-key": "`{name}` is said twice: the last one counts",
        "message.missing-value": "`{name}` has no value",
        "message.missing-blank": "a blank is missing before this attribute",
        "message.unreadable": "`{text}` is no attribute: attributes are `key=value`",
        "related": "the earlier `{name}`",
        "fix.close": "Close the quote at the end of the line",
        "fix.close-before": "Close the quote before the next attribute",
        "fix.close-up": "Remove the blanks around `=`",
        "fix.unwrap": "Change to `{pair}`",
        "fix.part": "Put a blank between",
        "fix.remove": "Remove `{pair}`",
    },
    "MSG206": {
        "message": "`{written}` means nothing here: is `{meant}` meant?",
        "message.sight": (
            "`{written}` means nothing here: is `{meant}` meant, which decides what the model sees?"
        ),
        "fix.rename": "Change to `{key}`",
    },
    "MSG207": {
        "message.tool": "tool call `{id}` does not name its tool: `name` is missing",
        "message.name": "`{id}` defines an agent and does not name it: `name` is missing",
        "message.status": "execution output `{id}` does not say how it ended: `status` is missing",
        "fix.insert": "Insert `{pair}`",
    },
    "MSG208": {
        "message": "`{id}` is older than the output before it: `{time}` lies before `{before}`",
        "related": "the time of `{id}`",
    },
    "MSG301": {
        "message": "tool call `{id}` belongs to no answer: there is no `{root}` in this file",
        "message.message": "tool call `{id}` belongs to no answer: `{root}` is a message",
        "related": "the message `{root}`",
        "fix.answer": "Change to the answer `{id}`",
    },
    "MSG302": {
        "message.result": "tool result `{id}` answers no call: `{root}` has the nonce {nonces}",
        "message.results": "tool result `{id}` answers no call: `{root}` has the nonces {nonces}",
        "message.none": "tool result `{id}` answers no call: `{root}` has no calls",
        "message.nowhere": "tool result `{id}` answers no call: there is no `{root}` in this file",
        "related": "the call with the nonce `{nonce}`",
        "fix.nonce": "Change the nonce to `{nonce}`",
        "fix.call": "Let it answer the call `{id}`",
    },
    "MSG303": {
        "message": "the nonce `{nonce}` of `{id}` is used already: `{other}` has it",
        "related": "the earlier call with the nonce `{nonce}`",
        "fix.nonce": "Change the nonce to `{nonce}`, in the results too",
    },
    "MSG304": {
        "message.repeated": "the call `{parent}` has a result {number} already: {due} is due here",
        "message.order": "result {number} of the call `{parent}` comes where {due} is due",
        "related": "the result before",
        "fix.renumber": "Number the results of `{parent}` anew, from 1",
    },
    "MSG305": {
        "message.call": "tool call `{id}` comes before its answer `{parent}`",
        "message.result": "tool result `{id}` comes before its call `{parent}`",
        "message.run": "execution output `{id}` comes before its code `{parent}`",
        "related": "`{parent}` comes only here",
        "fix.move": "Move it behind `{parent}`",
    },
    "MSG306": {
        "message.name": (
            "the XML calls `{written}`, but the definition names the tool `{name}`, which counts"
        ),
        "message": "the XML of this tool call is not well-formed: {reason}",
        "message.fence": "a tool call is one fence and nothing else, or bare XML",
        "message.empty": "tool call `{id}` is empty: its XML is missing",
    },
    "MSG307": {
        "message": "tool call `{id}` has no result, and the conversation went on",
        "fix.insert": "Insert the result `{id}`",
    },
    "MSG401": {
        "message": "code cell `{id}` has no code: a fenced block is missing",
        "fix.wrap": "Wrap the content in a fenced block",
        "fix.insert": "Insert a fenced block",
    },
    "MSG402": {
        "message": "this block does not run: only the first one of a code cell does",
        "related": "the block that runs",
        "fix.split": "Split the cell: this block goes to a new cell `{id}`",
    },
    "MSG403": {
        "message": "this code does not say its language: put it behind the fence",
    },
    "MSG404": {
        "message": "execution output `{id}` belongs to no code: there is no `{root}` in this file",
        "message.other": "execution output `{id}` belongs to no code: `{root}` is no code cell",
        "related": "`{root}`, which is no code cell",
        "fix.code": "Change to a run of `{id}`",
    },
    "MSG405": {
        "message": (
            "this line does not say where it came from: start it with `stdout>` or `stderr>`"
        ),
        "message.many": (
            "these lines do not say where they came from: start each with `stdout>` or `stderr>`"
        ),
        "fix.prefix": "Put `{prefix}` before the line",
        "fix.prefix-many": "Put `{prefix}` before each line",
    },
    "MSG406": {
        "message.character": "`{piece}` is not base64, which `{type}` is written in",
        "message.padding": "`{piece}` is too much padding: base64 ends in two `=` at most",
        "message.behind": "`{piece}` stands behind the end of the base64: nothing may follow `=`",
        "message.fence": "`{type}` is written in base64 with no fence around it: remove the fence",
        "message.length": "the base64 is cut off here: its length is no multiple of four",
    },
    "MSG407": {
        "message.repeated": "the code `{parent}` has a run {number} already: {due} is due here",
        "message.order": (
            "run {number} of the code `{parent}` comes after a later one: {due} is due here"
        ),
        "related": "the run before",
        "fix.renumber": "Number the runs of `{parent}` so that they grow",
    },
    "MSG501": {
        "message": "no heading is called `{name}`: without it, nothing is recorded",
        "message.near": (
            "no heading is called `{name}`, and nothing is recorded: is `{near}` meant?"
        ),
        "fix.correct": "Change the heading `{near}` to `{name}`",
        "fix.before": "Insert the heading `{name}` before the first cell",
        "fix.append": "Append the heading `{name}`",
    },
    "MSG502": {
        "message.one": (
            "the section `{name}` must be the last one, but the heading `{heading}` follows"
        ),
        "message.many": (
            "the section `{name}` must be the last one, but {count} headings follow, `{heading}` "
            "first"
        ),
        "message.inside.one": (
            "the heading `{heading}` in a cell of the section `{name}` looks like a section of "
            "its own"
        ),
        "message.inside.many": (
            "{count} headings in cells of the section `{name}` look like sections of their own, "
            "`{heading}` first"
        ),
        "related.inside": "this heading is not deeper than the marker of its cell",
        "related.before": "this heading follows before any cell",
        "fix.move": "Move the section `{name}` to the end of the file",
        "fix.move.cells": "Move the heading `{name}` right before its first cell",
        "fix.deepen": "`{heading}` is part of the cell: make it deeper than the cell's marker",
        "fix.deepen.many": "They are parts of the cells: make them deeper than the cells' markers",
        "fix.out": "`{heading}` is a section of its own: move it before `{name}`",
        "fix.out.many": "They are sections of their own: move them before `{name}`",
    },
    "MSG503": {
        "message": "this cell stands before the section `{name}`, and is not recorded",
        "related": "the section `{name}` starts here",
        "fix.move": "Move the cell into the section `{name}`",
    },
    "MSG504": {
        "message": "the section `{name}` stands here again: the first one counts",
        "related": "the section `{name}` starts here",
    },
    "MSG601": {
        "message": (
            "the model would see about {tokens} tokens (an estimate), and `{agent}` has room for "
            "{budget}: `context_window` less `max_output_tokens`"
        ),
        "message.one": (
            "the model would see about 1 token (an estimate), and `{agent}` has room for "
            "{budget}: `context_window` less `max_output_tokens`"
        ),
        "message.window": (
            "the model would see about {tokens} tokens (an estimate), and `{agent}` has room for "
            "{budget}: its `context_window`"
        ),
        "fix.exclude": "Exclude the oldest cell",
        "fix.exclude.many": "Exclude the {count} oldest cells",
    },
    "MSG602": {
        "message.empty": "the summary is empty, so the model sees the first paragraph instead",
        "message.none": "there is nothing to sum up: neither a `summary` nor a first paragraph",
    },
    "MSG603": {
        "message.excluded": "the model does not see this cell: `history={value}`",
        "message.virtual": "the model does not see this cell: it is virtual",
        "message.agent": "the model does not see this cell: it defines an agent",
        "message.reset": "the model does not see this cell: it stands before the last reset",
        "message.resetting": "the model does not see this cell: it resets the context",
        "message.outside": "the model does not see this cell: it stands outside the section",
    },
    "MSG604": {
        "message": (
            "a title is not sent: this message has no text, and the model sees nothing of it"
        ),
        "fix.move": "Make the title the text",
    },
    "MSG605": {
        "message": "there is no file `{path}`",
        "fix.name": "Change to `{name}`",
    },
    "MSG701": {
        "message.assigned": (
            "this looks like a secret, a random value for `{owner}`, {length} characters: "
            "revoke it, and take it out"
        ),
        "message.vendor": (
            "this looks like a key of {owner}, `{prefix}` and more, {length} characters: revoke "
            "it, and take it out"
        ),
        "message.private": (
            "this looks like a private key, {length} characters: replace it, and take it out"
        ),
        "message.bearer": (
            "this looks like an access token, {length} characters: revoke it, and take it out"
        ),
        "fix.redact": "Replace it by asterisks",
    },
    "CBM001": {
        "message": "no line `; role:` says whose message this is",
        "message.empty": "nothing says whose message this is: `role` has no value",
        "message.near": "whose message this is, `role` must say: `{field}` is another field",
        "message.later": "empty lines cut the role off from the header: here it is text",
        "fix.insert": "Insert the role `{role}`",
        "fix.rename": "Change to `{role}`",
        "fix.join": "Remove the empty lines within the header",
    },
    "CBM002": {
        "message": "there is no role `{role}`: it is `user`, `assistant` or `system`",
        "message.near": "there is no role `{role}`: is `{near}` meant?",
        "fix.change": "Change to `{role}`",
    },
    "CBM003": {
        "message": "this line of the header does not start with `;`: `{mended}` is expected",
        "fix.mend": "Change to `{mended}`",
    },
    "CBM004": {
        "message": "two empty lines must stand between the header and the message",
        "fix.insert": "Put two empty lines below the header",
    },
    "CBM005": {
        "message": "the header has no {names}",
        "fix.insert": "Insert {names}",
    },
    "CBM006": {
        "message.Block-UUID": "`{value}` is no UUID",
        "message.Parent-UUID": "`{value}` is no UUID; where there is no parent, write `N/A`",
        "message.Version": "`{value}` is no semantic version, such as `1.0.0`",
        "message.Created-at": (
            "`{value}` is no date of ISO 8601, such as `2025-04-21T18:15:00.000Z`"
        ),
        "message.Authors": "the authors must read `Name (v1.0.0)`, with commas between them",
        "message.empty": "`{field}` has no value",
    },
    "CBM007": {
        "message": "the field `{field}` stands here again, and only the first one counts",
        "related": "the field `{field}` stands here first",
    },
    "CBM008": {
        "message": "nobody knows a field `{field}`: is `{near}` meant?",
        "fix.rename": "Change to `{near}`",
    },
    "CBM009": {
        "message": "this fence is not escaped: a backslash before the backticks is missing",
        "fix.escape": "Escape every fence of the message",
    },
    "CBM010": {
        "message": "the role is not set apart: a line `;` before it is missing",
        "fix.insert": "Put a line `;` before the role",
    },
    "CBM011": {
        "message": "the message before this one is missing: there is no `{number}.md` here",
        "message.many": (
            "the messages before this one are missing: `{first}.md` to `{last}.md` are not here"
        ),
    },
    "CBM012": {
        "message": "`{path}` has the same UUID",
        "message.many": "{count} other messages have the same UUID, `{path}` among them",
        "fix.new": "Give this message a new UUID",
    },
    "STF001": {
        "message": "there is no command `{word}`",
        "message.dialect": "`{word}` is a command of the dialect `{other}`, not of `{prefix}`",
        "message.empty": "no command follows the prefix `{prefix}`",
        "fix.change": "Change to `{word}`",
        "fix.text": "It is text: double the prefix to `{prefix}{prefix}`",
    },
    "STF002": {
        "message.unreadable": "`{text}` is no argument: arguments are `key=value`, or one object",
        "message.value": "`{text}` has no value: arguments are `key=value`, or one object",
        "message.key": (
            "`{text}` is no key: keys are lower-case letters, digits and `_`, a letter first"
        ),
        "message.quote": "the quote that opens here is not closed",
        "message.text": "the value must be a text or a number",
    },
    "STF003": {
        "message": "the argument `{key}` stands here again, and the one before does not count",
        "related": "the argument `{key}` stands here first",
    },
    "STF004": {
        "message": "this text belongs to no message: a command such as `{role}` is missing",
        "message.command": "`{word}` belongs to no message: none is open here",
        "fix.insert": "Insert `{command}`",
    },
    "STF005": {
        "message": "no comment is open that could end here",
        "fix.remove": "Remove the line",
    },
    "STF006": {
        "message": "this comment is never closed, and hides all that follows",
        "fix.line": "Make it a comment of one line, with `//`",
        "fix.before": "Close it with `{close}` before the next message",
        "fix.end": "Close it with `{close}` at the end of the file",
    },
    "STF007": {
        "message.call": "no line follows that says what is called: `name {{…}}`",
        "message.embed": "no line follows that says what is embedded",
        "message.blank.call": "the line that should say what is called is blank",
        "message.blank.embed": "the line that should say what is embedded is blank",
    },
    "STF008": {
        "message": "the block of `{word}` is not ended: `{end}` is missing",
        "fix.insert": "Insert `{end}`",
    },
    "STF009": {
        "message": "no block is open that could end here",
        "fix.remove": "Remove the line",
        "fix.text": "It is text: double the prefix to `{prefix}{prefix}`",
    },
    "STF010": {
        "message": "a command cannot stand in the block of `{block}`",
        "related": "the block begins here",
    },
    "STF011": {
        "message": "`{word}` has no role, and no message stands before it to take one from",
        "message.unknown": "services do not know the role `{role}`: it is sent as the user's",
        "message.raw": "the object of this message has no `role`",
        "fix.change": "Change to `{role}`",
    },
    "STF012": {
        "message.empty": "no JSON5 stands here",
        "message.open": "`{text}` is not closed",
        "message.unexpected": "`{text}` cannot stand here in JSON5",
        "message.behind": "`{text}` stands behind the end of the object",
        "message.number": "`{text}` is no number that can be read",
        "message.deep": "nested too deeply",
        "message.object": "this must be an object: `{{…}}`",
        "message.name": "the name of the tool is missing before its arguments",
        "message.arguments": "the arguments of `{text}` are missing: an object must follow",
        "fix.object": "Add an empty object",
    },
    "STF013": {
        "message": "`{word}` has no argument `{argument}`: there are {known}",
        "message.none": "`{word}` takes no arguments",
        "fix.rename": "Change to `{argument}`",
    },
    "STF014": {
        "message": "the role `{role}` does not count here: the message is of the role `{counts}`",
    },
    "STF015": {
        "message": "text here, for commands of this file start with `{prefix}`: is one meant?",
        "fix.change": "Let the line start with `{prefix}`",
    },
    "STF016": {
        "message": "there is no file `{path}`",
    },
    "STF017": {
        "message": "lines end with a carriage return: a line feed alone is strongly recommended",
        "fix.convert": "Convert all line ends to line feeds",
    },
    "STF018": {
        "message": "the key `{argument}` is a single letter: some programs want two",
    },
    "STF019": {
        "message": "no call before this result has the id `{call}`",
        "message.none": "no call is left that this result could answer",
        "fix.answer": "Let it answer the call `{call}`",
    },
    "STF020": {
        "message": "an earlier call has the id `{call}`, too",
        "related": "the call `{call}` stands here first",
        "fix.rename": "Change the id to `{call}`, with its results",
    },
    "DLT001": {
        "message": "this is not valid JSON: {reason}",
        "message.open": "the array is never closed: `]` is missing",
        "fix.remove": "Remove the comma",
        "fix.insert": "Insert the comma",
    },
    "DLT002": {
        "message": "`{path}`: {reason}",
        "message.whole": "this is no {what}: {reason}",
        "message.unknown": "this is neither a message nor a delta nor a session entry",
        "message.batch": "the payload of a `message_delta_batch` must be a list of deltas",
    },
    "DLT003": {
        "message.start-missing": "a stream of run `{run}` goes on here, and no `start` opens it",
        "message.start-repeated": "the stream of run `{run}` is open already: this `start` repeats",
        "related": "the stream is opened here",
    },
    "DLT004": {
        "message.terminal-missing": (
            "the stream of run `{run}` before this one has not ended: `done` or `error` is missing"
        ),
        "message.delta-after-terminal": "the stream of run `{run}` has ended before this delta",
        "message.second-terminal": "the stream of run `{run}` has ended already",
        "message.not-ended": "the stream of run `{run}` has not ended yet",
        "related.start": "the stream is opened here",
        "related.end": "the stream ends here, with `{kind}`",
    },
    "DLT005": {
        "message": "`seq` must increase: {seq} follows {last}",
    },
    "DLT006": {
        "message.no-start": "the tool call `{call}` is not open: no `tool_call_start` before it",
        "message.no-end": "the tool call `{call}` has no `tool_call_end`, and its stream is done",
        "related": "the stream ends here",
    },
    "DLT007": {
        "message": "the arguments of the tool call `{call}` cannot be read: {reason}",
        "related": "the tool call ends here",
    },
    "DLT008": {
        "message": "there is a tool call `{call}` already in run `{run}`",
        "related": "the tool call `{call}` stands here first",
    },
    "DLT009": {
        "message": "no tool call before this result has the id `{call}`",
        "message.later": "the tool call `{call}` comes only after this result",
        "related": "the tool call stands here",
    },
    "DLT010": {
        "message": "the tool call `{call}` has a result already",
        "related": "its first result is here",
    },
    "DLT011": {
        "message": "a message of the role `{role}` cannot have a part of the kind `{kind}`",
    },
    "DLT012": {
        "message": "`{time}` is no date and time as ISO 8601 writes them",
    },
    "DLT013": {
        "message": "the result of `{call}` is in no `message` entry: it is lost with this session",
    },
    "DLT014": {
        "message": "the tool call `{call}` has no result, and the conversation went on",
    },
    "BOOT001": {
        "message": "this is not valid JSON: {reason}",
    },
    "BOOT002": {
        "message.missing": "`{key}` is missing here",
        "message.misspelt": "nobody knows `{written}` here: is `{near}` meant?",
        "message.misplaced": "`{written}` belongs into `{place}`, and nobody looks for it here",
        "message.item": "this item must be an object",
        "message.text": "`{what}` must be text",
        "message.switch": "`{what}` must be `true` or `false`",
        "message.list": "`{what}` must be a list",
        "message.object": "`{what}` must be an object",
        "message.type": "the type of a task is `action` or `message`",
        "message.value": "`{what}` cannot be this",
        "fix.insert": "Insert `{name}`",
        "fix.rename": "Change to `{name}`",
    },
    "BOOT003": {
        "message": "this boot message is not virtual: it leaks into what the model sees",
        "fix.set": "Mark it as virtual",
        "fix.rename": "Change `{written}` to `isVirtual`",
    },
    "BOOT004": {
        "message": "the text of a boot message is called `message` now",
        "fix.rename": "Change to `message`",
    },
    "BOOT005": {
        "message": "this task has no `task`: the host throws when it shows the message",
        "fix.insert": "Insert a `task`",
        "fix.rename": "Change `{written}` to `task`",
    },
    "BOOT006": {
        "message": "the boot message is not shown after a reset: `skipBotMessage` must be `false`",
        "fix.set": "Change to `false`",
    },
    "BOOT007": {
        "message": "there is an agent `{name}` already",
        "related": "the agent `{name}` stands here first",
    },
    "BOOT008": {
        "message.shown": "the user is offered another task `{name}` already",
        "message.task": "another one of these tasks is called `{name}` already",
        "related": "`{name}` stands here first",
    },
}
