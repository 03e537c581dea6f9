import { entryId, type KnowledgeProblem, type KnowledgeText } from '../model/knowledge.ts';
import type { KnowledgeState } from '../model/standing.ts';
import { readMarkdown } from './front-matter.ts';
import { listOf, TEXT_MATTER } from './knowledge-files.ts';

/** A heading with the lines below it. */
export interface Chunk {
  /** Undefined for what stands before the first heading. */
  readonly heading: string | undefined;
  readonly text: string;
  /** 0-based lines of the body, the heading included; `end` is the line after the last. */
  readonly start: number;
  readonly end: number;
}

/** Prose cut at its headings; a heading with nothing below it is none. */
export function readTexts(
  text: string,
  file: string,
  id: string,
  kind: KnowledgeText['kind'],
  state: KnowledgeState,
  problems: KnowledgeProblem[],
): readonly KnowledgeText[] {
  const { matter, body, bodyLine, lineOf } = readMarkdown(text, file);
  const { data, error } = TEXT_MATTER.safeParse(matter);
  if (data === undefined) {
    for (const { path, message } of error.issues)
      problems.push({
        severity: 'error',
        code: 'text-invalid',
        entry: entryId(kind, id),
        place: { file, line: lineOf(String(path[0] ?? '')) },
        message: `${file} is not used: \`${path.join('.')}\`: ${message}.`,
      });
    return [];
  }
  const chunks = chunksOf(body);
  if (chunks.length === 0)
    problems.push({
      severity: 'warning',
      code: 'empty-file',
      entry: entryId(kind, id),
      place: { file },
      message: `${file} says nothing below its headings.`,
    });
  const ids = chunkIds(id, chunks);
  return chunks.map((chunk, at) => ({
    id: ids[at] ?? id,
    kind,
    title: chunk.heading ?? id,
    text: chunk.text,
    appliesTo: listOf(data.applies_to),
    priority: data.priority ?? 0,
    standing: {
      state,
      source: data.source ?? 'file',
      owner: data.owner,
      place: { file, line: bodyLine + chunk.start },
    },
  }));
}

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
