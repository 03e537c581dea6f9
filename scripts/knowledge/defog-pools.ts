import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Knowledge, KnowledgeText } from '../../packages/knowledge/src/index.ts';

/** What all questions about a database of defog were told, and which of them can be asked with all of it. */
export interface Pool {
  readonly db_id: string;
  readonly pool: readonly { readonly id: string; readonly text: string; readonly from_questions: readonly string[] }[];
  readonly ask_sqlite: readonly string[];
  readonly control_sqlite: readonly string[];
}

const data = process.env.ASKEMA_DATA ?? '';

/** A file of JSON lines, from the folder of the data. */
export function linesOf<T>(file: string): T[] {
  const text = readFileSync(path.join(data, file), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as T);
}

export const readPools = (): readonly Pool[] => linesOf<Pool>('knowledge/defog-knowledge.jsonl');

/** Each text a rule. */
export function knowledgeOf({ pool }: Pool): Knowledge {
  const texts = pool.map(
    ({ id, text }): KnowledgeText => ({
      id,
      kind: 'rule',
      title: '',
      text,
      appliesTo: [],
      priority: 0,
      standing: { state: 'accepted', source: 'file', place: { file: 'rules/pool.md' } },
    }),
  );
  return { schemaVersion: 1, settings: {}, models: [], verifiedQueries: [], texts, problems: [] };
}
