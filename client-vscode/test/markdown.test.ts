import assert from 'node:assert/strict';
import { it } from 'node:test';
import MarkdownIt from 'markdown-it';
import { messageCells } from '../src/markdown';

const md = messageCells(new MarkdownIt({ html: true }));
const HEADER = '# %% T[^m1]\n\n';

function body(text: string): string {
  const html = md.render(HEADER + text);
  return html.slice(html.indexOf('</h1>') + '</h1>\n'.length);
}

it('a header has a class, its title and its id', () => {
  assert.equal(
    md.render('# %% Ask *me*[^m1]\n'),
    '<h1 class="msgls-cell msgls-message">Ask <em>me</em>' +
      '<sup class="msgls-reference"><a href="#msgls-m1">m1</a></sup></h1>\n',
  );
  assert.match(md.render('## %%%\n'), /^<h2 class="msgls-cell msgls-output"><\/h2>/);
});

it('a definition is seen, even one that Markdown takes for a link', () => {
  const seen = '<p class="msgls-definition" id="msgls-m1"><sup>m1</sup> <strong>markdown</strong> ';
  assert.equal(body('[^m1]: [markdown]\n'), `${seen}</p>\n`);
  assert.equal(
    body('[^m1]: [markdown] name="<b>"\n'),
    `${seen}<code>name=&quot;&lt;b&gt;&quot;</code></p>\n`,
  );
});

it('a footnote of the prose is seen too, with what it says', () => {
  const html = body('See [^n].\n\n[^n]: *Words*\n');
  assert.match(html, /<p>See <sup class="msgls-reference"><a href="#msgls-n">n<\/a><\/sup>\.<\/p>/);
  assert.match(html, /<p class="msgls-footnote" id="msgls-n"><sup>n<\/sup> <em>Words<\/em><\/p>/);
});

it('what is in code or escaped is left as it is', () => {
  assert.equal(body('```\n[^m1]: [raw]\n```\n'), '<pre><code>[^m1]: [raw]\n</code></pre>\n');
  assert.equal(body('`[^m1]`\n'), '<p><code>[^m1]</code></p>\n');
  assert.equal(body('\\# %% T\n'), '<p># %% T</p>\n');
});

it('a heading that is no marker stays one', () => {
  assert.equal(body('## 100 %% sure\n'), '<h2>100 %% sure</h2>\n');
});

it('nothing changes in a text without cells', () => {
  const plain = new MarkdownIt({ html: true });
  for (const text of ['# Notes [^1]\n\n[^1]: [raw]\n', '[^a]: words\n\n    # %% T\n', 'a %% b\n']) {
    assert.equal(md.render(text), plain.render(text));
  }
});

it('an id cannot break out of what is made of it', () => {
  assert.doesNotMatch(md.render('# %% T[^"><script>]\n\n[^"><script>]: [raw]\n'), /<script>/);
});
