import { chunkIds, chunksOf } from '../formats/chunks.ts';
import { readMarkdown } from '../formats/front-matter.ts';
import { entryId, type KnowledgeProblem, type KnowledgeText } from '../model/knowledge.ts';
import type { KnowledgeState } from '../model/standing.ts';
import { listOf, TEXT_MATTER } from './knowledge-files.ts';

/** A file of prose as a text for each of its headings. */
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
