import { type DocumentBlock, type DocumentHeading, documentBlocks } from './document-blocks.ts';

/** A piece of a document that can stand alone under its headings. */
export interface Passage {
  readonly headings: readonly DocumentHeading[];
  readonly text: string;
}

/** Blocks of one section are put together up to this size: about 200 tokens. */
export const TARGET_CHARACTERS = 800;

/** A block of so many times the target is divided between its lines, code and tables with their frame around each part. */
const DIVIDED_FROM = 2.5;

/**
 * Divides a document at headings, paragraphs and tables. Code and rows of tables are never broken inside a line; a part of a
 * table has the table's head, a part of code its fences. Linear in the text.
 */
export function splitPassages(text: string, target: number = TARGET_CHARACTERS): readonly Passage[] {
  const passages: Passage[] = [];
  let open: { readonly headings: readonly DocumentHeading[]; readonly texts: string[]; length: number } | undefined;
  const close = (): void => {
    if (open !== undefined) passages.push({ headings: open.headings, text: open.texts.join('\n\n') });
    open = undefined;
  };
  for (const block of documentBlocks(text)) {
    for (const part of partsOf(block, target)) {
      const isContinued = open !== undefined && open.headings === block.headings;
      if (open !== undefined && (!isContinued || open.length + part.length > target)) close();
      open ??= { headings: block.headings, texts: [], length: 0 };
      open.texts.push(part);
      open.length += part.length;
    }
  }
  close();
  return passages;
}

/** The block as one text, or in parts when it is too long. */
function partsOf({ kind, lines, frame }: DocumentBlock, target: number): readonly string[] {
  const whole = [...frame.before, ...lines, ...frame.after].join('\n');
  if (whole.length <= DIVIDED_FROM * target) return [whole];
  const pieces = kind === 'text' ? lines.flatMap((line) => linesOfLine(line, target)) : lines;
  const parts: string[] = [];
  let group: string[] = [];
  let length = 0;
  const close = (): void => {
    if (group.length > 0) parts.push([...frame.before, ...group, ...frame.after].join('\n'));
    group = [];
    length = 0;
  };
  for (const piece of pieces) {
    if (length > 0 && length + piece.length > target) close();
    group.push(piece);
    length += piece.length + 1;
  }
  close();
  return parts;
}

/** A line of prose that is too long, cut behind a sentence, else at a blank, else anywhere but inside a character. */
function linesOfLine(line: string, target: number): readonly string[] {
  const cut: string[] = [];
  let start = 0;
  while (line.length - start > DIVIDED_FROM * target) {
    const window = line.slice(start, start + target);
    const sentence = Math.max(window.lastIndexOf('. '), window.lastIndexOf('; '), window.lastIndexOf('。')) + 1;
    const blank = window.lastIndexOf(' ');
    let length = sentence > 0 ? sentence : blank > 0 ? blank : window.length;
    if (isHighSurrogate(line.charCodeAt(start + length - 1))) length += 1;
    cut.push(line.slice(start, start + length).trim());
    start += length;
  }
  cut.push(line.slice(start).trim());
  return cut;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
