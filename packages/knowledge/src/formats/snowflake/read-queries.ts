import type { KnowledgeText, VerifiedQuery } from '../../model/knowledge.ts';
import { slugOf } from '../entry-slug.ts';
import { tablesWithoutMark } from './logical-names.ts';
import { READ_KEYS, type SnowflakeQuery } from './snowflake-file.ts';
import type { SourceFile } from './source-file.ts';

/** A verified query: its SQL names the tables and columns of the view, tables with `__` in front. */
export function readQuery(source: SourceFile, query: SnowflakeQuery, at: number): VerifiedQuery {
  const path = ['verified_queries', at];
  const [kept] = source.keep(query, READ_KEYS.query, path, `query ${query.name}`);
  const id = slugOf(query.name, 'query');
  return {
    id,
    question: query.question,
    sql: tablesWithoutMark(
      query.sql.trim().replace(/;\s*$/, '').trim(),
      source.content.tables.map(({ name }) => name),
    ),
    dialect: 'snowflake',
    names: 'logical',
    parameters: [],
    verifiedBy: query.verified_by ?? undefined,
    verifiedAt: isoTime(query.verified_at),
    isOnboarding: query.use_as_onboarding_question === true ? true : undefined,
    tags: [],
    other: { name: query.name, ...(kept === undefined ? {} : (JSON.parse(kept.data) as Record<string, unknown>)) },
    standing: source.standing([...path, 'name']),
  };
}

const INSTRUCTIONS = [
  ['sql_generation', 'instructions'],
  ['question_categorization', 'question-categorization'],
] as const;

/** Instructions as rules, one for each `##` heading. Those for SQL win over the older `custom_instructions`. */
export function readTexts(source: SourceFile): KnowledgeText[] {
  const { custom_instructions: older, module_custom_instructions: modules, name } = source.content;
  const isReplaced = Boolean(older) && Boolean(modules?.sql_generation);
  if (isReplaced)
    source.lose(['custom_instructions'], `model ${name}: custom_instructions`, 'sql_generation stands in its place.');
  return INSTRUCTIONS.flatMap(([key, label]) => {
    const isOlder = key === 'sql_generation' && !modules?.sql_generation;
    const text = isOlder ? older : modules?.[key];
    if (!text?.trim()) return [];
    const path = isOlder ? ['custom_instructions'] : ['module_custom_instructions', key];
    return splitInstructions(text).map((part) => ({
      id: `${slugOf(name, 'model')}-${label}${part.title === undefined ? '' : `#${slugOf(part.title, 'part')}`}`,
      kind: 'rule' as const,
      title: part.title ?? (key === 'sql_generation' ? 'SQL generation' : 'Question categorization'),
      text: part.text,
      appliesTo: [],
      priority: 0,
      standing: source.standing(path),
    }));
  });
}

function splitInstructions(text: string): { readonly title: string | undefined; readonly text: string }[] {
  return text
    .split(/^(?=## )/m)
    .map((part) => {
      const heading = /^## (.*)\n?/.exec(part);
      return { title: heading?.[1]?.trim(), text: part.slice(heading?.[0].length ?? 0).trim() };
    })
    .filter((part) => part.text !== '');
}

/** Seconds since 1970 as ISO 8601; undefined beyond what a date holds. */
function isoTime(seconds: number | null | undefined): string | undefined {
  if (seconds === null || seconds === undefined || seconds > 8.64e12) return undefined;
  return new Date(seconds * 1000).toISOString();
}
