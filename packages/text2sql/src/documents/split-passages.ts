/** A piece of a document that can stand alone under its headings. */
export interface Passage {
  readonly headings: readonly DocumentHeading[];
  readonly text: string;
}

/** Blocks of one section are put together up to this size: about 200 tokens. */
export const TARGET_CHARACTERS = 800;

/**
 * A block of so many times the target is divided between its lines, code and tables with their frame around each part.
 */
const DIVIDED_FROM = 2.5;

/**
 * Divides a document at headings, paragraphs and tables. Code and rows of tables are never broken inside a line; a part
 * of a table has the table's head, a part of code its fences. Linear in the text.
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

/** A heading of a document, as it is written. Each occurrence is another one. */
interface DocumentHeading {
  /** 1 to 6. */
  readonly level: number;
  readonly line: string;
}

/** Lines that belong together. `frame` is what a part of the block needs around it when it is divided. */
interface DocumentBlock {
  readonly kind: 'text' | 'table' | 'code';
  /** From the outermost heading to the nearest. */
  readonly headings: readonly DocumentHeading[];
  readonly lines: readonly string[];
  readonly frame: { readonly before: readonly string[]; readonly after: readonly string[] };
}

/** A longer line that begins with `#` is no heading. */
const MAX_HEADING_CHARACTERS = 200;

const NO_FRAME = { before: [], after: [] } as const;

/**
 * The blocks of a Markdown or plain text document in their order: paragraphs, tables, and fenced code, each with the
 * headings above it. Blank lines end a paragraph; code that nothing closes goes to the end. Linear in the text.
 */
function documentBlocks(text: string): readonly DocumentBlock[] {
  const lines = text.split(/\r\n|\r|\n/);
  const blocks: DocumentBlock[] = [];
  let headings: readonly DocumentHeading[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = readHeading(line);
    if (line.trim() === '') {
      at += 1;
    } else if (heading !== undefined) {
      headings = [...headings.filter(({ level }) => level < heading.level), heading];
      at += 1;
    } else {
      const end = endOfBlock(lines, at);
      blocks.push(readBlock(lines.slice(at, end), headings));
      at = end;
    }
  }
  return blocks;
}

function readHeading(line: string): DocumentHeading | undefined {
  if (!line.startsWith('#') || line.length > MAX_HEADING_CHARACTERS) return undefined;
  const [, marks] = /^(#{1,6})[ \t]+\S/.exec(line) ?? [];
  return marks === undefined ? undefined : { level: marks.length, line: line.trim() };
}

function endOfBlock(lines: readonly string[], start: number): number {
  const first = lines[start] ?? '';
  const fence = fenceOf(first);
  let at = start + 1;
  if (fence !== undefined) {
    while (at < lines.length && !isClosing(lines[at] ?? '', fence)) at += 1;
    return Math.min(at + 1, lines.length);
  }
  const isTable = isTableRow(first);
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || isTableRow(line) !== isTable) break;
    if (fenceOf(line) !== undefined || readHeading(line) !== undefined) break;
  }
  return at;
}

function readBlock(lines: readonly string[], headings: readonly DocumentHeading[]): DocumentBlock {
  const first = lines[0] ?? '';
  const fence = fenceOf(first);
  if (fence !== undefined) {
    const isClosed = lines.length > 1 && isClosing(lines.at(-1) ?? '', fence);
    const frame = { before: [first], after: [isClosed ? (lines.at(-1) ?? fence) : fence] };
    return { kind: 'code', headings, lines: lines.slice(1, isClosed ? -1 : undefined), frame };
  }
  if (!isTableRow(first)) return { kind: 'text', headings, lines, frame: NO_FRAME };
  const hasHead = /^[\s|:-]+$/.test(lines[1] ?? '') && (lines[1] ?? '').includes('-');
  const frame = { before: hasHead ? lines.slice(0, 2) : [], after: [] };
  return { kind: 'table', headings, lines: hasHead ? lines.slice(2) : lines, frame };
}

function fenceOf(line: string): string | undefined {
  return /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
}

function isClosing(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark.startsWith(fence) && mark === fence.charAt(0).repeat(mark.length);
}

function isTableRow(line: string): boolean {
  return line.trimStart().startsWith('|');
}
