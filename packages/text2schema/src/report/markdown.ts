import { oneLine } from '@askema/core';

/** Characters that begin or end something in Markdown, wherever they stand; `$` and `~` on common platforms. */
const MARKS = /[\\`*[\]|~$]/g;
/** An underscore inside of a word begins nothing. */
const LOOSE_UNDERSCORE = /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;' };

/** Foreign text within a line of Markdown: no mark-up, no HTML, no line breaks; invisible characters are shown. */
export function inline(text: string): string {
  const plain = oneLine(text.replace(/\s+/gu, ' ').trim())
    .replace(MARKS, '\\$&')
    .replace(LOOSE_UNDERSCORE, '\\_')
    .replace(/[&<]/g, (character) => ENTITIES[character] ?? character);
  return plain.replace(/^(?:#|>|[-+=](?=\s|$|[-+=])|\d+(?=[.)](?:\s|$)))/, (start) =>
    /^\d/.test(start) ? `${start}\\` : `\\${start}`,
  );
}

/** Foreign text of several lines, as paragraphs. */
export function paragraphs(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map(inline)
    .join('\n')
    .replace(/\n{2,}/g, '\n\n')
    .replace(/([^\n])\n(?=[^\n])/g, '$1  \n')
    .trim();
}

export function quote(text: string): string {
  return paragraphs(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** A block of code, fenced by more backticks than stand in it. */
export function codeBlock(language: string, text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text.replace(/(?<!\n)\n+$/, '')}\n${fence}`;
}

/** A table; cells are foreign text. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((cells) => line(cells.map(inline)))].join('\n');
}

/** A list of what is Markdown already. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Parts with an empty line between them; undefined and empty ones are left out. */
export function blocks(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join('\n\n');
}
