"""The document that the format comes from: its own examples, verbatim, and what we read in them.

Its templates write `...` for "and so on", and brackets around what may be left out. Both are
read as they stand: the first is a fault, the second a title or a bracketed pair.
"""

from pathlib import Path

from msgls.document.document import Document
from msgls.formats.base import CellRole
from msgls.formats.msgmd.meaning import meaning_of
from msgls.syntax.cells import Cell, CellKind, DefinitionHead
from msgls.text.spans import Span
from tests.formats.msgmd.reading import documents
from tests.notation import mark, normal, table, unmark

DOCUMENT = Path(__file__).parents[2] / "data" / "seed_message_file.md"

EXAMPLES = {
    "元数据定义": (
        '«preamble|[^«id|id»]: [«type|type»] «key|key1»=«value|"value1"» '
        '«key|key2»=«value|"value2"» «key|history»=«value|value» «unreadable|...»\n»'
    ),
    "用户输入消息格式": (
        "«message|# %% «title|[可选标题]»[^«header|id»]\n"
        "\n"
        '[^«id|id»]: [«type|cell_type»] «key|key1»=«value|"value1"» '
        '«key|key2»=«value|"value2"» «key|history»=«value|"include"» «unreadable|...»\n'
        "\n"
        "[消息内容]\n»"
    ),
    "输出消息格式": (
        "«answer|# %%% «title|[可选标题]»[^«header|id»]\n"
        "\n"
        '[^«id|id»]: [«type|output_type»] «key|key1»=«value|"value1"» '
        '«key|key2»=«value|"value2"» «key|history»=«value|"exclude"» «unreadable|...»\n'
        "\n"
        "[输出内容]\n»"
    ),
    "代理响应格式": (
        "«answer|# %%% «title|[可选标题]»[^«header|id»]\n"
        "\n"
        '[^«id|id»]: [«type|agent-name»] «key|time»=«value|"2025-05-30T00:00:00+08:00"» '
        "«bracketed-pair|[«key|reasoning»=«value|1»]»\n"
        "\n"
        "[代理响应内容]\n»"
    ),
    "工具调用格式": (
        "«tool-call|# %%% «title|工具调用»[^«header|id.nonce»]\n"
        "\n"
        '[^«id|id.nonce»]: [«type|tool»] «key|name»=«value|"tool_name"»\n'
        "\n"
        "... 工具调用消息（XML格式） ...\n»"
    ),
    "工具调用结果格式": (
        "«tool-result|# %%% «title|工具调用结果»[^«header|id.nonce.n»]\n"
        "\n"
        '[^«id|id.nonce.n»]: [«type|tool»] «key|status»=«value|"success"» '
        "«key|duration»=«value|0.5s»\n"
        "\n"
        "... 结果内容 ...\n»"
    ),
    # `lang` stands for a language, and is the name of none: an agent that nobody registered.
    "代码执行输出格式": (
        "«answer|# %%% «title|[可选标题]»[^«header|id.n»]\n"
        "\n"
        '[^«id|id.n»]: [«type|lang»] «key|time»=«value|"2025-05-30T00:00:00+08:00"» '
        '«key|status»=«value|"success"» «key|duration»=«value|0.5s» '
        '«key|mime_type»=«value|"text/plain"»\n'
        "\n"
        "stdout> 标准输出内容\n"
        "stderr> 标准错误内容\n»"
    ),
}


def _parts(document: Document) -> list[tuple[str, Span]]:
    parts = []
    for placed in document.cells():
        role = meaning_of(document, placed).role.value.replace(" ", "-")
        parts += [(role, placed.span)]
        parts += [(name, span.shift(placed.start_offset)) for name, span in _of_cell(placed.cell)]
    return parts


def _of_cell(cell: Cell) -> list[tuple[str, Span]]:
    parts = []
    if cell.header is not None and cell.header.id is not None:
        parts += [("title", cell.header.title), ("header", cell.header.id.span)]
    for definition in cell.definitions:
        assert definition.head is DefinitionHead.TYPED
        assert definition.type_span is not None
        parts += [("id", definition.id.span), ("type", definition.type_span)]
        for attribute in definition.attributes:
            parts += [("key", attribute.key_span), ("value", attribute.value_span)]
        parts += [(problem.fault.value, problem.span) for problem in definition.problems]
    return parts


@table("source", EXAMPLES)
def test_what_is_read_in_the_examples(source: str) -> None:
    text = unmark(source).text
    for document in documents(text):
        assert mark(text, _parts(document)) == normal(source)
        for placed in document.cells():
            if placed.cell.kind is not CellKind.PREAMBLE:
                assert placed.cell.home is not None
                assert placed.cell.home.id.text == placed.cell.id
                assert placed.cell.near_misses == ()


def test_the_examples_are_those_of_the_document() -> None:
    text = DOCUMENT.read_text("utf-8")
    for document in documents(text):
        (placed,) = document.cells()
        blocks = [fence.content.of(text) for fence in placed.cell.fences]
        assert blocks == [unmark(source).text for source in EXAMPLES.values()]
        assert {fence.info.of(text) for fence in placed.cell.fences} == {"markdown"}


def test_the_document_itself_quotes_cells_and_has_none() -> None:
    text = DOCUMENT.read_text("utf-8")
    for document in documents(text):
        (placed,) = document.cells()
        cell = placed.cell
        assert cell.kind is CellKind.PREAMBLE
        assert cell.definitions == ()
        assert cell.references == ()
        assert cell.near_misses == ()
        assert cell.hidden_markers == ()
        assert cell.headings[0].text == "REQ010: Message File 文件格式"
        assert [heading.level for heading in cell.headings].count(4) == 4
        above = [
            heading.text
            for fence in cell.fences
            for heading in [h for h in cell.headings if h.span.end < fence.span.start][-1:]
        ]
        assert above == list(EXAMPLES)


def test_the_last_example_with_the_language_that_it_names() -> None:
    text = unmark(EXAMPLES["代码执行输出格式"]).text.replace("[lang]", "[python]")
    for document in documents(text):
        (placed,) = document.cells()
        meaning = meaning_of(document, placed)
        assert meaning.role is CellRole.RUN
        assert meaning.parent_id == "id"
        streams = [(line.stream, line.content.of(text)) for line in placed.cell.output_lines]
        assert streams == [("stdout", " 标准输出内容"), ("stderr", " 标准错误内容")]


def test_all_examples_in_one_file() -> None:
    sources = [source for name, source in EXAMPLES.items() if name != "元数据定义"]
    source = "\n".join(sources)
    kinds = [placed.cell.kind.value for placed in next(documents(unmark(source).text)).cells()]
    assert kinds == ["message", *["output"] * 5]
