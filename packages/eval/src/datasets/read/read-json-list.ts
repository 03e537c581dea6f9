import { MAX_RECORD_BYTES, type RecordText, readChunks, recordBytes } from './read-chunks.ts';

const [QUOTE, BACKSLASH, LINE_FEED, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from(
  '"\\\n,[]{}',
) as unknown as readonly [number, number, number, number, number, number, number, number];

/**
 * The members of a JSON list, each as its text: a list of any length is read with the memory of one member, and a
 * member that is broken costs no other one. The file starts with `[`.
 */
export async function* readJsonList(
  file: string,
  maxBytes: number = MAX_RECORD_BYTES,
): AsyncGenerator<RecordText, void, undefined> {
  const record = recordBytes(maxBytes);
  let line = 1;
  let startLine = 1;
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let hasContent = false;
  /** A string was not closed in this member, so that its braces cannot be trusted. */
  let isTorn = false;
  let isLineStart = false;
  for await (const chunk of readChunks(file)) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === LINE_FEED) {
        line += 1;
        // No string of JSON goes over a line: one that does was never closed, and must not swallow what follows.
        isTorn ||= inString;
        inString = false;
        isEscaped = false;
        isLineStart = true;
        continue;
      }
      if (isTorn && isLineStart && byte === OPEN_OBJECT && depth > 1) {
        record.add(chunk.subarray(start, at));
        yield record.take(startLine);
        start = at;
        depth = 1;
        hasContent = false;
        isTorn = false;
      }
      if (byte > 0x20) isLineStart = false;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (depth > 1 || (byte !== COMMA && byte !== CLOSE_LIST)) {
        if (depth > 0 && !hasContent && byte > 0x20) {
          hasContent = true;
          startLine = line;
        }
        if (byte === QUOTE) inString = true;
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
          depth += 1;
          if (depth === 1) start = at + 1;
        } else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && depth > 1) depth -= 1;
      } else if (depth === 1) {
        record.add(chunk.subarray(start, at));
        const member = record.take(startLine);
        if (hasContent) yield member;
        hasContent = false;
        isTorn = false;
        start = at + 1;
        if (byte === CLOSE_LIST) return;
      }
    }
    if (depth > 0) record.add(chunk.subarray(start));
  }
  if (hasContent) yield record.take(startLine);
  yield { line, problem: 'is the end of the file, but the list is not closed: the file is cut off' };
}
