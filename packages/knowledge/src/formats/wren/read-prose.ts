import { z } from 'zod';
import type { KnowledgeText, VerifiedQuery } from '../../model/knowledge.ts';
import { chunkIds, chunksOf } from '../chunks.ts';
import type { TextFile } from '../conversion.ts';
import { type MarkdownFile, readMarkdown } from '../front-matter.ts';
import type { Losses } from './wren-parts.ts';

const KINDS: Readonly<Record<string, KnowledgeText['kind']>> = {
  rules: 'rule',
  caveats: 'caveat',
  glossary: 'glossary',
  metrics: 'note',
};

const pair = z.looseObject({
  nl: z.string().min(1),
  sql: z.string().min(1),
  tags: z.union([z.array(z.string()), z.string()]).nullish(),
});

/** The files of `knowledge/` as texts, one for each `##`, and as queries in names of the models. */
export function readProse(
  files: readonly TextFile[],
  losses: Losses,
): { readonly texts: readonly KnowledgeText[]; readonly verifiedQueries: readonly VerifiedQuery[] } {
  const texts: KnowledgeText[] = [];
  const verifiedQueries: VerifiedQuery[] = [];
  for (const { path, text } of files) {
    const file = `knowledge/${path}`;
    const lose = (reason: string): void => losses.lose({ file, lineOf: () => 1 }, [], file, reason);
    const [folder = '', ...rest] = path.split('/');
    const id = rest.join('/').replace(/\.md$/, '');
    const markdown = readMarkdown(text, file);
    const kind = KINDS[folder];
    if (kind !== undefined) texts.push(...textsOf(markdown, id, kind, file));
    else if (folder === 'sql') {
      const read = pair.safeParse(markdown.matter);
      if (!read.success) {
        lose('It has no question (`nl`) with its `sql`.');
        continue;
      }
      const { nl, sql, tags, ...other } = read.data;
      verifiedQueries.push({
        id,
        question: nl,
        sql: sql.trim().replace(/;$/, ''),
        names: 'logical',
        parameters: [],
        tags: typeof tags === 'string' ? tags.split(/\s*,\s*/) : (tags ?? []),
        notes: markdown.body.trim() || undefined,
        other: Object.keys(other).length > 0 ? other : undefined,
        standing: { state: 'proposed', source: 'wren', place: { file, line: 1 } },
      });
    } else lose('Its folder is none that is known here.');
  }
  return { texts, verifiedQueries };
}

function textsOf(
  { body, bodyLine }: MarkdownFile,
  id: string,
  kind: KnowledgeText['kind'],
  file: string,
): KnowledgeText[] {
  const chunks = chunksOf(body);
  const ids = chunkIds(id, chunks);
  return chunks.map(({ heading, text, start }, at) => ({
    id: ids[at] ?? id,
    kind,
    title: heading ?? id,
    text,
    appliesTo: [],
    priority: 0,
    standing: { state: 'proposed', source: 'wren', place: { file, line: bodyLine + start } },
  }));
}
