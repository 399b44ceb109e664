// The only script of the preview: it puts in what the server wrote, keeps the place where one
// reads, and scrolls in step with the editor. Nothing of a transcript runs: the policy of the page
// lets no other script in.
(() => {
  const vscode = acquireVsCodeApi();
  const main = document.querySelector('main');
  /** The messages as they were sent, by element: an open fold changes the element itself. */
  const written = new Map();
  /** The message that was at the top of the window, and where: see `isMoved`. */
  let seen;
  let seenTop = 0;
  /** The line at the top of the editor, as long as the page stands where that put it. */
  let followed;

  const articles = () => [...main.children];
  const lineOf = (element) => Number(element.dataset.line);
  const topOf = (element) => element.getBoundingClientRect().top + window.scrollY;

  function made({ line, html }) {
    const template = document.createElement('template');
    template.innerHTML = html;
    const element = template.content.firstElementChild;
    element.dataset.line = line;
    written.set(element, html);
    return element;
  }

  /** Puts in the messages that are new; the others stay, with what is folded and unfolded. */
  function show({ header, contents, articles: news }) {
    followed = undefined;
    const kept = keepPlace();
    document.querySelector('header').outerHTML = header;
    document.querySelector('nav')?.remove();
    main.insertAdjacentHTML('beforebegin', contents);
    document.body.classList.toggle('single', contents === '');
    const olds = articles();
    const isSame = (old, now) => old && now && written.get(old) === now.html;
    let first = 0;
    while (isSame(olds[first], news[first])) first++;
    let last = 0;
    const room = Math.min(olds.length, news.length) - first;
    while (last < room && isSame(olds.at(-1 - last), news.at(-1 - last))) last++;
    const following = olds[olds.length - last] ?? null;
    for (const old of olds.slice(first, olds.length - last)) {
      written.delete(old);
      old.remove();
    }
    for (const now of news.slice(first, news.length - last)) main.insertBefore(made(now), following);
    articles().forEach((element, number) => {
      element.dataset.line = news[number].line;
    });
    kept();
  }

  /** What puts the message at the top of the window back to where it is now. */
  function keepPlace() {
    look();
    const old = seen;
    const before = seenTop;
    return () => {
      const now = old?.isConnected ? old : old?.id && document.getElementById(old.id);
      if (now) scrollBy(now.getBoundingClientRect().top - before);
      look();
    };
  }

  /** Notes what is read, and where it stands in the window. */
  function look() {
    seen = articles().find((element) => element.getBoundingClientRect().bottom > 0);
    seenTop = seen?.getBoundingClientRect().top ?? 0;
  }

  /**
   * Whether what is read stands elsewhere now. It does not where the browser scrolls because
   * something above has another height than before, nor where we have scrolled ourselves.
   */
  function isMoved() {
    return !seen?.isConnected || Math.abs(seen.getBoundingClientRect().top - seenTop) >= 2;
  }

  function scrollBy(distance) {
    if (Math.abs(distance) < 1) return;
    window.scrollTo(0, window.scrollY + distance);
    look();
  }

  /** Scrolls to a line of the file: between two messages, as far as it is between their lines. */
  function goTo(line) {
    const all = articles();
    const number = all.findLastIndex((element) => lineOf(element) <= line);
    if (number < 1 && line <= lineOf(all[0] ?? document.body)) {
      scrollBy(-window.scrollY);
      return;
    }
    const here = all[Math.max(number, 0)];
    const next = all[number + 1];
    const start = lineOf(here);
    const end = next ? lineOf(next) : start + 1;
    const height = (next ? topOf(next) : topOf(here) + here.offsetHeight) - topOf(here);
    const part = Math.min(1, (line - start) / Math.max(1, end - start));
    scrollBy(topOf(here) + height * part - window.scrollY);
  }

  /** The line of the file at the top of the window. */
  function lineAtTop() {
    const all = articles();
    const number = all.findLastIndex((element) => topOf(element) <= window.scrollY + 1);
    if (number < 0) return 0;
    const start = lineOf(all[number]);
    const next = all[number + 1];
    const height = (next ? topOf(next) : document.body.scrollHeight) - topOf(all[number]);
    const lines = next ? lineOf(next) - start : 1;
    return start + ((window.scrollY - topOf(all[number])) / Math.max(1, height)) * lines;
  }

  /**
   * Messages have heights of their own only when they come near the window (`content-visibility`),
   * and other ones in a window of another width: then the page goes back to its place.
   */
  function settle() {
    if (followed !== undefined) goTo(followed);
    else if (seen?.isConnected) scrollBy(seen.getBoundingClientRect().top - seenTop);
  }

  new ResizeObserver(settle).observe(main);
  window.addEventListener('message', ({ data }) => {
    if (data.articles) show(data);
    if (data.line !== undefined) {
      followed = data.line;
      goTo(followed);
    }
  });
  window.addEventListener('scroll', () => {
    if (!isMoved()) return;
    followed = undefined;
    look();
    vscode.postMessage({ line: lineAtTop() });
  });
  vscode.postMessage({ ready: true });
})();
