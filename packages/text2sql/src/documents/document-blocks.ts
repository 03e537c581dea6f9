/** A heading of a document, as it is written. Each occurrence is another one. */
export interface DocumentHeading {
  /** 1 to 6. */
  readonly level: number;
  readonly line: string;
}

/** Lines that belong together. `frame` is what a part of the block needs around it when it is divided. */
export interface DocumentBlock {
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
 * The blocks of a Markdown or plain text document in their order: paragraphs, tables, and fenced code, each with the headings above it.
 * Blank lines end a paragraph; code that nothing closes goes to the end. Linear in the text.
 */
export function documentBlocks(text: string): readonly DocumentBlock[] {
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
