/**
 * The records of a CSV text as pandas' tokenizer cuts them: quoted cells may hold commas, line breaks and doubled
 * quotes; what stands behind a closing quote still belongs to the cell; lines that are empty or hold blanks only are
 * skipped; `\n`, `\r\n` and `\r` end a line; a byte order mark is not part of the text. Linear in the length of the
 * text.
 */
export function splitCsv(text: string): string[][] {
  const records: string[][] = [];
  let position = text.startsWith('\uFEFF') ? 1 : 0;
  while (position < text.length) {
    const start = skipBlankLine(text, position);
    if (start !== undefined) {
      position = start;
      continue;
    }
    const record: string[] = [];
    let open = true;
    while (open) {
      const cell = readCell(text, position);
      record.push(cell.text);
      position = cell.end;
      open = text[position] === ',';
      if (open) position += 1;
    }
    position = afterLineEnd(text, position);
    records.push(record);
  }
  return records;
}

/** Behind a line of blanks only; undefined when the line holds something. */
function skipBlankLine(text: string, start: number): number | undefined {
  let position = start;
  while (text[position] === ' ' || text[position] === '\t') position += 1;
  const ends = position >= text.length || text[position] === '\n' || text[position] === '\r';
  return ends ? afterLineEnd(text, position) : undefined;
}

function readCell(text: string, start: number): { readonly text: string; readonly end: number } {
  let position = start;
  let cell = '';
  if (text[position] === '"') {
    for (;;) {
      const close = text.indexOf('"', position + 1);
      if (close < 0) return { text: cell + text.slice(position + 1), end: text.length };
      cell += text.slice(position + 1, close);
      position = close + 1;
      if (text[position] !== '"') break;
      cell += '"';
    }
  }
  const rest = position;
  while (position < text.length && text[position] !== ',' && text[position] !== '\n' && text[position] !== '\r')
    position += 1;
  return { text: cell + text.slice(rest, position), end: position };
}

function afterLineEnd(text: string, position: number): number {
  if (text[position] === '\r') return position + (text[position + 1] === '\n' ? 2 : 1);
  return Math.min(text.length, position + 1);
}
