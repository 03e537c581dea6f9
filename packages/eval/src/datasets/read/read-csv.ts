import { MAX_RECORD_BYTES, type RecordText, readChunks, recordBytes } from './read-chunks.ts';

const [QUOTE, LINE_FEED, RETURN] = Buffer.from('"\n\r') as unknown as readonly [number, number, number];
const DELIMITERS = [',', ';', '\t'] as const;

type CsvDelimiter = (typeof DELIMITERS)[number];

/** A row of CSV: its fields, or why it has none. */
type CsvRow =
  | { readonly line: number; readonly fields: readonly string[] }
  | { readonly line: number; readonly problem: string };

/**
 * The rows of a CSV file as RFC 4180 has it, the header first; fields in quotes may hold line ends. Commas, semicolons
 * or tabs stand between fields: what the first row has most of. Blank lines are left out. A quote counts where it opens
 * a field.
 */
export async function* readCsv(
  file: string,
  maxBytes: number = MAX_RECORD_BYTES,
): AsyncGenerator<CsvRow, void, undefined> {
  const record = recordBytes(maxBytes);
  let delimiter: CsvDelimiter | undefined;
  let separators: readonly number[] = DELIMITERS.map((text) => text.charCodeAt(0));
  let line = 1;
  let startLine = 1;
  let inQuotes = false;
  let canOpen = true;
  const take = (): CsvRow | undefined => {
    const taken: RecordText = record.take(startLine);
    if ('problem' in taken) return taken;
    if (taken.text.trim() === '') return undefined;
    delimiter ??= delimiterOf(taken.text);
    separators = [delimiter.charCodeAt(0)];
    return { line: taken.line, fields: splitFields(taken.text, delimiter).map(detached) };
  };
  for await (const chunk of readChunks(file)) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === LINE_FEED) {
        line += 1;
        if (inQuotes) continue;
        record.add(chunk.subarray(start, at));
        const row = take();
        if (row !== undefined) yield row;
        start = at + 1;
        startLine = line;
        canOpen = true;
      } else if (inQuotes) {
        // The second one of a doubled quote opens again what the first one closed.
        if (byte === QUOTE) {
          inQuotes = false;
          canOpen = true;
        }
      } else if (byte === QUOTE && canOpen) inQuotes = true;
      else canOpen = separators.includes(byte);
    }
    record.add(chunk.subarray(start));
  }
  if (inQuotes) yield { line: startLine, problem: 'opens a quote that is never closed' };
  else if (!record.isEmpty) {
    const row = take();
    if (row !== undefined) yield row;
  }
}

/**
 * The same text on its own: a part of a long text keeps all of it in memory (V8's sliced strings), also where the rest
 * is dropped.
 */
function detached(field: string): string {
  return field.length < 13 ? field : Buffer.from(field).toString();
}

function delimiterOf(header: string): CsvDelimiter {
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: splitFields(header, delimiter).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/** The fields of one record; a quote within a field that did not open with one is a character like others. */
function splitFields(text: string, delimiter: CsvDelimiter): readonly string[] {
  const end = text.charCodeAt(text.length - 1) === RETURN ? text.length - 1 : text.length;
  const fields: string[] = [];
  let at = 0;
  while (at <= end) {
    if (text[at] === '"' && at < end) {
      const parts: string[] = [];
      let from = at + 1;
      let close = text.indexOf('"', from);
      while (close !== -1 && text[close + 1] === '"') {
        parts.push(text.slice(from, close + 1));
        from = close + 2;
        close = text.indexOf('"', from);
      }
      const closed = close === -1 ? end : close;
      parts.push(text.slice(from, closed));
      const next = nextDelimiter(text, delimiter, Math.min(closed + 1, end), end);
      parts.push(text.slice(Math.min(closed + 1, end), next));
      fields.push(parts.join(''));
      at = next + 1;
    } else {
      const next = nextDelimiter(text, delimiter, at, end);
      fields.push(text.slice(at, next));
      at = next + 1;
    }
  }
  return fields;
}

function nextDelimiter(text: string, delimiter: CsvDelimiter, from: number, end: number): number {
  const found = text.indexOf(delimiter, from);
  return found === -1 || found > end ? end : found;
}
