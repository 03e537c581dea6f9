import type { Table } from '../figures/run-tables.ts';
import { visibleLine, visibleText } from '../figures/visible-text.ts';

/**
 * Markup that may stand in a page as it is. Only {@link html} makes it, so that no text of a dataset or a model is ever
 * taken for it.
 */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type HtmlValue = string | number | Html | readonly Html[] | undefined;

/** A template whose texts are escaped and whose hidden characters are shown; `undefined` is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((page, text, index) => page + markupOf(values[index - 1]) + text));
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'object') return value.map((each) => each.markup).join('');
  return escapeHtml(visibleText(String(value)));
}

/** For the text of an element and for an attribute in double quotes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A table in a frame that scrolls, also by keyboard, where the window is narrow. Nothing for a table without rows. */
export function htmlTable(table: Table | undefined): Html | undefined {
  if (table === undefined || table.rows.length === 0) return undefined;
  const { caption, columns, rows, words = [] } = table;
  const wordsAt = (column: number): Html | undefined =>
    words.includes(column) ? new Html(' class="words"') : undefined;
  const titles = columns.map((title, column) =>
    title === '' ? html`<td></td>` : html`<th scope="col"${wordsAt(column)}>${title}</th>`,
  );
  const body = rows.map((cells) => {
    const inner = cells.map((cell, column) => {
      const text = html`<bdi>${visibleLine(cell) || (column === 0 ? '(no name)' : '')}</bdi>`;
      return column === 0 ? html`<th scope="row">${text}</th>` : html`<td${wordsAt(column)}>${text}</td>`;
    });
    return html`<tr>${inner}</tr>\n`;
  });
  return html`<div class="table" role="group" aria-label="${visibleLine(caption)}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${titles}</tr></thead>
<tbody>
${body}</tbody>
</table></div>
`;
}
