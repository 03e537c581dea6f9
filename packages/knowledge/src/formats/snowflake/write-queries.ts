import { snowflakeDialect } from '@askema/dialects';
import type { Knowledge, KnowledgeText, VerifiedQuery } from '../../model/knowledge.ts';
import type { SemanticModel } from '../../model/semantic-model.ts';
import { compact } from '../plain-object.ts';
import { tablesWithMark } from './logical-names.ts';
import type { Lose } from './losses.ts';

type Written = Record<string, unknown>;

/** Rules and the other prose as instructions, a heading for each. */
export function writeInstructions(texts: readonly KnowledgeText[], lose: Lose): Written {
  const sorted = { sql_generation: [] as KnowledgeText[], question_categorization: [] as KnowledgeText[] };
  for (const text of texts) {
    const isCategory = text.kind === 'rule' && text.id.split('#')[0]?.endsWith('question-categorization') === true;
    sorted[isCategory ? 'question_categorization' : 'sql_generation'].push(text);
    const entry = `${text.kind} ${text.id}`;
    if (text.kind !== 'rule') lose(text, `${entry}: kind`, 'Instructions are of one kind.');
    if (text.appliesTo.length > 0) lose(text, `${entry}: applies to`, 'Instructions are about the whole view.');
    if (text.priority !== 0) lose(text, `${entry}: priority`, 'Instructions have no order of importance.');
  }
  const written = Object.entries(sorted).filter(([, list]) => list.length > 0);
  if (written.length === 0) return {};
  return { module_custom_instructions: Object.fromEntries(written.map(([key, list]) => [key, joined(list)])) };
}

/** Verified queries in names of the view: of these tables, or of none that other models have. */
export function writeQueries(
  knowledge: Knowledge,
  model: SemanticModel,
  at: number,
  taken: Set<string>,
  lose: Lose,
): Written[] {
  const tables = model.datasets.map(({ name }) => name);
  return knowledge.verifiedQueries.flatMap((query) => {
    const marked = tablesWithMark(query.sql, tables);
    const isLast = at === knowledge.models.length - 1;
    if (taken.has(query.id) || (marked === query.sql && !isLast)) return [];
    taken.add(query.id);
    return writeQuery(query, marked, knowledge, lose);
  });
}

function writeQuery(query: VerifiedQuery, sql: string, knowledge: Knowledge, lose: Lose): Written[] {
  const entry = `query ${query.id}`;
  const dialect = query.dialect ?? knowledge.settings.dialect;
  const refused =
    query.names === 'physical'
      ? 'It names tables and columns of the database; verified queries name those of the view.'
      : query.parameters.length > 0
        ? 'It has parameters; verified queries have none.'
        : dialect !== undefined && dialect !== snowflakeDialect.name
          ? `It is written for ${dialect}.`
          : undefined;
  if (refused !== undefined) {
    lose(query, entry, refused);
    return [];
  }
  const parts = { tags: query.tags.length > 0, expected: query.expected !== undefined, notes: query.notes };
  for (const [part, value] of Object.entries(parts))
    if (value) lose(query, `${entry}: ${part}`, 'A verified query has no place for it.');
  const { name, ...kept } = query.other ?? {};
  const written = compact({
    name: typeof name === 'string' ? name : query.id,
    question: query.question,
    sql,
    verified_at: query.verifiedAt && Math.floor(Date.parse(query.verifiedAt) / 1000),
    verified_by: query.verifiedBy,
    use_as_onboarding_question: query.isOnboarding === true ? true : undefined,
  });
  return [{ ...written, ...kept }];
}

function joined(texts: readonly KnowledgeText[]): string {
  const [only] = texts;
  const isPlain = texts.length === 1 && only?.id.includes('#') === false;
  return isPlain ? only.text : texts.map((text) => `## ${text.title}\n\n${text.text}`).join('\n\n');
}
