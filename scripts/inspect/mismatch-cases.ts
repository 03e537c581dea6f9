/**
 * The mismatch questions of text2sql-dev as look-ups: what the question says, and the cell that the right statement
 * compares with.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { AttributeId, Catalog } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { originOf, type ResolvedQuery, resolveQuery } from '@askema/lint';
import type { SqlParser } from '@askema/sql';

export interface MismatchQuestion {
  readonly id: string;
  readonly question: string;
  readonly mismatch?: {
    readonly cls: string;
    readonly stored?: string | undefined;
    readonly surface?: string | undefined;
    readonly orig_gold?: string | undefined;
  };
}

interface MismatchCase {
  readonly id: string;
  readonly surface: string;
  /** Compared without blanks around it where the right statement trims the column. */
  readonly stored: string;
  readonly attribute: AttributeId;
}

/**
 * Where the question itself says the value (class A names the cell only): its words from the first to before the second
 * number.
 */
const WORDS_OF_QUESTION: Readonly<Record<string, readonly [from: number, to: number]>> = {
  'dev-127': [11, 13],
  'dev-129': [7, 10],
  'dev-131': [10, 11],
  'dev-138': [3, 5],
  'dev-147': [7, 8],
  'dev-150': [13, 14],
  'dev-151': [10, 11],
  'dev-153': [4, 5],
  'dev-154': [5, 6],
  'dev-156': [14, 16],
  'dev-159': [13, 19],
  'dev-160': [13, 16],
  'dev-163': [5, 6],
  'dev-164': [9, 10],
};

/** The texts that a statement compares with, and their attributes, in the order of the text. */
function comparedTexts(query: ResolvedQuery): readonly { readonly text: string; readonly attribute: AttributeId }[] {
  const found = query.shape.blocks.flatMap((block) =>
    block.filters.flatMap((filter) => {
      const [column] = filter.left.columns;
      const attribute = column === undefined ? undefined : originOf(query, block.id, column);
      return filter.right.flatMap(({ literal, span }) =>
        literal?.type === 'string' && attribute !== undefined
          ? [{ text: literal.value, attribute, at: span.start }]
          : [],
      );
    }),
  );
  return found.sort((a, b) => a.at - b.at);
}

/** The look-ups of one question; `original` is the statement as it was before the data set was repaired or edited. */
function mismatchCases(
  { id, question, mismatch }: MismatchQuestion,
  gold: ResolvedQuery,
  originalTexts: readonly string[],
): readonly MismatchCase[] {
  const texts = comparedTexts(gold);
  if (mismatch?.orig_gold !== undefined)
    return texts.flatMap(({ text, attribute }, at) => {
      const surface = originalTexts[at];
      return surface === undefined ? [] : [{ id, surface, stored: text, attribute }];
    });
  const own = WORDS_OF_QUESTION[id];
  const said =
    own &&
    question
      .split(/\s+/)
      .slice(...own)
      .join(' ')
      .replace(/^["']+|["'?.,]+$/g, '');
  const surface = mismatch?.surface ?? said;
  const target = texts.find(({ text }) => text === mismatch?.stored);
  return surface === undefined || target === undefined
    ? []
    : [{ id, surface, stored: target.text, attribute: target.attribute }];
}

/** A question, the cases made of it, and its statement before the data set was repaired or edited. */
export interface MadeOfQuestion {
  readonly question: MismatchQuestion & { readonly db_id: string; readonly gold_sql: string };
  readonly file: string;
  readonly before: string | undefined;
  readonly cases: readonly MismatchCase[];
}

/** All mismatch questions of text2sql-dev, which lies in `folder`. */
export async function* mismatchQuestions(
  folder: string,
  parser: SqlParser,
  catalogOf: (file: string) => Promise<Catalog>,
): AsyncIterable<MadeOfQuestion> {
  const lines = readFileSync(path.join(folder, 'questions.jsonl'), 'utf8').split('\n');
  for (const line of lines.filter((text) => text !== '')) {
    const question = JSON.parse(line) as MadeOfQuestion['question'] & { readonly category: string };
    if (question.category !== 'mismatch') continue;
    const file = path.join(folder, 'databases', `${question.db_id}.sqlite`);
    const catalog = await catalogOf(file);
    const resolved = async (sql: string) => {
      const parsed = await parser.parse(sql, sqliteDialect);
      return parsed.ok ? resolveQuery({ sql, shape: parsed.shape, catalog, dialect: sqliteDialect }) : undefined;
    };
    const gold = await resolved(question.gold_sql);
    // Strings in double quotes are names to everybody but SQLite.
    const before = question.mismatch?.orig_gold?.replaceAll('"', "'");
    const original = before === undefined ? undefined : await resolved(before);
    const texts = original === undefined ? [] : comparedTexts(original).map(({ text }) => text);
    yield { question, file, before, cases: gold === undefined ? [] : mismatchCases(question, gold, texts) };
  }
}
