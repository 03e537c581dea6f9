import type { Table } from '../document.ts';
import { visibleLine } from '../visible-text.ts';
import { Html, html } from './html.ts';

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
