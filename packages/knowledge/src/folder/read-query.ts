import { readMarkdown } from '../formats/front-matter.ts';
import { entryId, type KnowledgeProblem, type VerifiedQuery } from '../model/knowledge.ts';
import type { KnowledgeState } from '../model/standing.ts';
import { listOf, QUERY_MATTER } from './knowledge-files.ts';

/** The first block of SQL, and the body without it. By lines: an expression would search the rest for each beginning. */
function sqlBlockOf(body: string): { readonly sql: string; readonly rest: string } | undefined {
  const lines = body.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trimEnd() === '```sql');
  const end = lines.findIndex((line, at) => at > start && line.trimEnd() === '```');
  if (start < 0 || end < 0) return undefined;
  return {
    sql: lines.slice(start + 1, end).join('\n'),
    rest: [...lines.slice(0, start), ...lines.slice(end + 1)].join('\n'),
  };
}

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
      advice,
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
  const block = data.sql === undefined ? sqlBlockOf(body) : undefined;
  const sql = (data.sql ?? block?.sql)?.trim();
  if (sql === undefined || sql === '')
    return report(
      1,
      `${file} has no SQL, and is not used.`,
      'Write it as `sql:` in the front matter, or in a block ```sql.',
    );
  const notes = (block?.rest ?? body).trim();
  const other = Object.fromEntries(Object.entries(matter).filter(([key]) => !Object.hasOwn(QUERY_MATTER.shape, key)));
  return {
    id,
    question: data.nl,
    sql,
    dialect: data.dialect,
    names: data.names ?? 'physical',
    parameters: data.parameters ?? [],
    verifiedBy: data.verified_by,
    verifiedAt: data.verified_at,
    isOnboarding: data.onboarding,
    tags: listOf(data.tags),
    expected: data.expected,
    notes: notes === '' ? undefined : notes,
    other: Object.keys(other).length === 0 ? undefined : other,
    standing: {
      state,
      source: data.source ?? 'file',
      owner: data.owner,
      place: { file, line: 1 },
    },
  };
}
