import { z } from 'zod';
import type { KnowledgeText, VerifiedQuery } from '../../model/knowledge.ts';
import type { TextFile } from '../conversion.ts';
import { readYaml } from '../read-yaml.ts';
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
    const [, matter = '', body = text] = /^---\s*\n([\s\S]*?)^---\s*$\n?([\s\S]*)$/m.exec(text) ?? [];
    const kind = KINDS[folder];
    if (kind !== undefined) texts.push(...chunksOf(body, id, kind, file, text.length - body.length, text));
    else if (folder === 'sql') {
      const read = pair.safeParse(readYaml(matter, file).value);
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
        notes: body.trim() || undefined,
        other: Object.keys(other).length > 0 ? other : undefined,
        standing: { state: 'proposed', source: 'wren', place: { file, line: 1 } },
      });
    } else lose('Its folder is none that is known here.');
  }
  return { texts, verifiedQueries };
}

function chunksOf(
  body: string,
  id: string,
  kind: KnowledgeText['kind'],
  file: string,
  offset: number,
  whole: string,
): KnowledgeText[] {
  const found = [...body.matchAll(/^#{1,6} +(.+)$/gm)];
  const starts = [...(found[0]?.index === 0 ? [] : [0]), ...found.map(({ index }) => index)];
  const chunks = starts.flatMap((start, at) => {
    const part = body.slice(start, starts[at + 1]);
    const heading = /^#{1,6} +(.+)\n?/.exec(part);
    const text = part.slice(heading?.[0].length ?? 0).trim();
    return text === '' ? [] : [{ title: heading?.[1]?.trim(), text, start: offset + start }];
  });
  return chunks.map((chunk) => ({
    id: chunks.length === 1 || chunk.title === undefined ? id : `${id}#${chunk.title}`,
    kind,
    title: chunk.title ?? id,
    text: chunk.text,
    appliesTo: [],
    priority: 0,
    standing: {
      state: 'proposed',
      source: 'wren',
      place: { file, line: whole.slice(0, chunk.start).split('\n').length },
    },
  }));
}
