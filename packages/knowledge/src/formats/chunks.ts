/** A heading with the lines below it. */
interface Chunk {
  /** Undefined for what stands before the first heading. */
  readonly heading: string | undefined;
  readonly text: string;
  /** 0-based lines of the body, the heading included; `end` is the line after the last. */
  readonly start: number;
  readonly end: number;
}

/** Prose cut at its headings; a heading with nothing below it is none. */
export function chunksOf(body: string): readonly Chunk[] {
  const lines = body.split(/\r?\n/);
  const chunks: Chunk[] = [];
  let heading: string | undefined;
  let start = 0;
  let isCode = false;
  const close = (end: number): void => {
    const text = lines
      .slice(heading === undefined ? start : start + 1, end)
      .join('\n')
      .trim();
    if (text !== '') chunks.push({ heading, text, start, end });
  };
  for (const [at, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const title = isCode ? undefined : headingOf(line);
    if (title === undefined) continue;
    close(at);
    [heading, start] = [title, at];
  }
  close(lines.length);
  return chunks;
}

/** The file, with the heading where there are several chunks; with its number where a heading stands twice. */
export function chunkIds(file: string, chunks: readonly Chunk[]): readonly string[] {
  const counts = new Map<string, number>();
  return chunks.map(({ heading }) => {
    if (chunks.length === 1 || heading === undefined) return file;
    const count = (counts.get(heading) ?? 0) + 1;
    counts.set(heading, count);
    return `${file}#${heading}${count === 1 ? '' : ` (${count})`}`;
  });
}

/** The text of a heading, without marks at its end; undefined for another line. */
function headingOf(line: string): string | undefined {
  const text = /^#{1,6}[ \t]+(.*)$/.exec(line)?.[1];
  let end = text?.length ?? 0;
  while (end > 0 && ' \t#'.includes(text?.[end - 1] ?? '')) end -= 1;
  return end === 0 ? undefined : text?.slice(0, end);
}
