import { readChunks } from './read-chunks.ts';
import { MAX_RECORD_BYTES, type RecordText, recordBytes } from './record-text.ts';

const LINE_FEED = 0x0a;

/** The lines of a file, one after the other, blank ones as well; a line longer than `maxBytes` is reported in its place. */
export async function* readLines(
  file: string,
  maxBytes: number = MAX_RECORD_BYTES,
): AsyncGenerator<RecordText, void, undefined> {
  const record = recordBytes(maxBytes);
  let line = 1;
  for await (const chunk of readChunks(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      record.add(chunk.subarray(start, end));
      yield record.take(line);
      line += 1;
      start = end + 1;
    }
    record.add(chunk.subarray(start));
  }
  if (!record.isEmpty) yield record.take(line);
}
