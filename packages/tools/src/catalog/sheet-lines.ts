import type { RelationSheet } from './relation-sheet.ts';

/** A relation in lines of text. */
export function sheetLines(sheet: RelationSheet): readonly string[] {
  const { name, kind, rows, isEstimate, comment, key, references = [], columns = [], moreColumns } = sheet;
  const size = rows === undefined ? [] : [`${isEstimate === true ? 'about ' : ''}${rows} rows`];
  const facts = [...(kind === undefined || kind === 'table' ? [] : [kind]), ...size];
  const listed = columns.map((column) => {
    if (typeof column === 'string') return column;
    const { name: own, type, comment: said, notNull, unique, masked } = column;
    // Unique because it is the key, which stands above.
    const isKey = key?.length === 1 && key[0] === own;
    const marks = [notNull && 'not null', unique && !isKey && 'unique', masked && 'masked'].filter((mark) => mark);
    return `${[own, type, ...marks].join(' ')}${said === undefined ? '' : ` -- ${flat(said)}`}`;
  });
  const more = moreColumns === undefined ? [] : [`and ${moreColumns} more columns`];
  const isFull = columns.some((column) => typeof column !== 'string');
  return [
    `${name}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${comment === undefined ? '' : ` -- ${flat(comment)}`}`,
    ...(key === undefined ? [] : [`  key: ${key.join(', ')}`]),
    ...references.map(
      ({ columns: from, to, toColumns, inferred }) =>
        `  ${from.join(', ')} -> ${to}(${toColumns.join(', ')})${inferred === true ? ' (inferred)' : ''}`,
    ),
    ...(isFull
      ? [...listed, ...more].map((line) => `  ${line}`)
      : listed.length === 0
        ? []
        : [`  columns: ${[...listed, ...more].join(', ')}`]),
  ].map(flat);
}

/** A comment must not begin a line of its own. */
function flat(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
