/**
 * The address of a view: what the model sees of a document is a document of its own, which is
 * nowhere on a disk. Knows nothing of VS Code.
 */
import { type Phrase, phrase } from './phrases';

export const VIEW_SCHEME = 'msgls-view';

/** As much of an address as is looked at. */
export interface Address {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

/**
 * The address of the view of a document. Its last part is what the tab is called, and says that
 * it is Markdown, and no message file. `title` goes before the document's name.
 */
export function viewAddress(source: string, path: string, title: string): Address {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(\.msg)?\.md$/i, '');
  return { scheme: VIEW_SCHEME, path: `/${title} · ${name}.md`, query: source };
}

/** The document that a view shows, by its address; nothing where it is no view. */
export function sourceOfView(address: Address): string | undefined {
  return address.scheme === VIEW_SCHEME && address.query !== '' ? address.query : undefined;
}

/** How many tokens of how many, as the status bar says it. */
export function tokensLabel(tokens: number, budget: number | null, isEstimate: boolean): Phrase {
  const count = (number: number) => number.toLocaleString('en-US');
  const about = isEstimate ? '≈ ' : '';
  const most = budget === null ? '' : ` / ${count(budget)}`;
  return phrase('{count} tokens', { count: `${about}${count(tokens)}${most}` });
}
