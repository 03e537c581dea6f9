import { defined } from '../formats/ossie/read-definition.ts';
import { entryId, type KnowledgeProblem, type VerifiedQuery } from '../model/knowledge.ts';
import type { KnowledgeState } from '../model/standing.ts';
import { readMarkdown } from './front-matter.ts';
import { listOf, QUERY_MATTER } from './knowledge-files.ts';

const SQL_BLOCK = /^```sql[ \t]*\r?\n([\s\S]*?)^```[ \t]*$\r?\n?/m;

/** A question with its SQL: front matter, with the SQL there or in a block of the body, and notes below. */
export function readQuery(
  text: string,
  file: string,
  id: string,
  state: KnowledgeState,
  problems: KnowledgeProblem[],
): VerifiedQuery | undefined {
  const entry = entryId('query', id);
  const { matter, body, lineOf } = readMarkdown(text, file);
  const report = (line: number, message: string, advice?: string): undefined => {
    problems.push({
      severity: 'error',
      code: 'query-invalid',
      entry,
      place: { file, line },
      message,
      ...defined('advice', advice),
    });
  };
  if (matter.nl === undefined)
    return report(
      1,
      `${file} has no question, and is not used.`,
      'Write it as `nl:` between two lines of `---` at its top.',
    );
  const { data, error } = QUERY_MATTER.safeParse(matter);
  if (data === undefined) {
    for (const { path, message } of error.issues)
      report(lineOf(String(path[0] ?? '')), `${file} is not used: \`${path.join('.')}\`: ${message}.`);
    return undefined;
  }
  const block = data.sql === undefined ? SQL_BLOCK.exec(body) : null;
  const sql = (data.sql ?? block?.[1])?.trim();
  if (sql === undefined || sql === '')
    return report(
      1,
      `${file} has no SQL, and is not used.`,
      'Write it as `sql:` in the front matter, or in a block ```sql.',
    );
  const notes = (block === null ? body : body.replace(block[0], '')).trim();
  const other = Object.fromEntries(Object.entries(matter).filter(([key]) => !(key in QUERY_MATTER.shape)));
  return {
    id,
    question: data.nl,
    sql,
    ...defined('dialect', data.dialect),
    names: data.names ?? 'physical',
    parameters: data.parameters ?? [],
    ...defined('verifiedBy', data.verified_by),
    ...defined('verifiedAt', data.verified_at),
    ...defined('isOnboarding', data.onboarding),
    tags: listOf(data.tags),
    ...defined('expected', data.expected),
    ...defined('notes', notes === '' ? undefined : notes),
    ...defined('other', Object.keys(other).length === 0 ? undefined : other),
    standing: {
      state,
      source: data.source ?? 'file',
      ...defined('owner', data.owner),
      place: { file, line: 1 },
    },
  };
}
