import { createHash } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Adapter, type Dialect, isAskemaError, quoteString, throwIfAborted } from '@askema/core';
import { lexSql, type SqlToken } from '@askema/sql';
import type { Dataset, DatasetDatabase, DatasetQuestion } from '../datasets/read/dataset.ts';
import { writeNamedFile } from '../run/replace-file.ts';
import { seededRandom } from '../statistics/bootstrap.ts';
import { type ReviewItem, readReview, writeReview } from './review-file.ts';
import { MISMATCH_KINDS, varyValue } from './vary-value.ts';

/** A text of a condition that no cell of its column has. */
export interface MissingValue {
  readonly value: string;
  /** Relation and column. */
  readonly column: string;
}

export interface BuildMismatchOptions {
  readonly dataset: Dataset;
  /** The folder of the set: `review.jsonl`, `questions.jsonl`, `databases/`. */
  readonly out: string;
  readonly connect: (database: DatasetDatabase) => Promise<Adapter>;
  /** The texts of a statement's conditions that no cell has. */
  readonly missingValues: (sql: string, adapter: Adapter) => Promise<readonly MissingValue[]>;
  /** The same seed changes the same questions in the same way. Default: 1. */
  readonly seed?: number | undefined;
  /** Questions that are looked at, the first ones of the dataset. Default: all. */
  readonly limit?: number | undefined;
  /** Accepts what is proposed. */
  readonly acceptAll?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What stands in the folder by now. */
export interface MismatchSet {
  readonly items: readonly ReviewItem[];
  /** Questions that were changed by this call. */
  readonly added: number;
}

/** So many new ones are kept at a time. */
const KEPT_AT_ONCE = 20;

/**
 * Makes a set of questions whose words differ from what is stored, out of questions whose right statement compares with
 * a text that the question says: by rule, one change a question. A change is kept where the right statement gives rows,
 * and where no cell of the column is the changed text. `review.jsonl` holds them for a person to accept or reject; what
 * is accepted becomes a dataset of the format `askema`. A second call changes only questions that are not there yet, and
 * leaves what a person wrote.
 *
 * Source of the idea: Spider-Mismatch of Tool-SQL (https://arxiv.org/abs/2408.16991).
 *
 * @throws AskemaError `DATASET_INVALID` for a review file that cannot be read, `INPUT_INVALID` where files cannot be
 * written, `ABORTED`, and what `connect` rejects with.
 */
export async function buildMismatch(options: BuildMismatchOptions): Promise<MismatchSet> {
  const { dataset, out, acceptAll, limit, signal, onProgress } = options;
  const file = path.join(out, 'review.jsonl');
  const before = await readReview(file);
  const items = [...before];
  const known = new Set(before.map(({ id }) => id));
  const questions = dataset.questions.slice(0, limit);
  const open = openOneByOne(options);
  try {
    for (const [at, question] of questions.entries()) {
      throwIfAborted(signal, 'The building of the set');
      onProgress?.(at, questions.length);
      const database = dataset.databases[question.databaseId];
      if (known.has(question.id) || database === undefined) continue;
      const made = await changed(question, await open.of(database), options);
      if (made === undefined) continue;
      items.push(made);
      if ((items.length - before.length) % KEPT_AT_ONCE === 0) await writeReview(file, items);
    }
  } finally {
    await open.close();
    await writeReview(file, items);
  }
  const decided = items.map(
    (one): ReviewItem => (acceptAll === true && one.state === 'proposed' ? { ...one, state: 'accepted' } : one),
  );
  await writeReview(file, decided);
  await writeSet(decided, dataset, out);
  return { items: decided, added: items.length - before.length };
}

/** Holds one database open at a time: the questions of one stand together. */
function openOneByOne({ connect }: BuildMismatchOptions) {
  let current: { readonly id: string; readonly adapter: Adapter } | undefined;
  const close = async (): Promise<void> => {
    await current?.adapter.close();
    current = undefined;
  };
  return {
    close,
    async of(database: DatasetDatabase): Promise<Adapter> {
      if (current?.id !== database.id) {
        await close();
        current = { id: database.id, adapter: await connect(database) };
      }
      return current.adapter;
    },
  };
}

/** The question with other words for one text of its statement; undefined where there is none that holds. */
async function changed(
  question: DatasetQuestion,
  adapter: Adapter,
  { missingValues, seed = 1 }: BuildMismatchOptions,
): Promise<ReviewItem | undefined> {
  const sql = await answeringSql(question.goldSql[0] ?? '', adapter);
  if (sql === undefined) return undefined;
  const missing = await missingValues(sql, adapter);
  const random = seededRandom(numberOf(`${seed} ${question.id}`));
  for (const token of textsOf(sql, adapter.dialect)) {
    const stored = textOfToken(token);
    const said = placeIn(question.question, stored);
    if (said === undefined || missing.some(({ value }) => value === stored)) continue;
    for (const kind of shuffled(MISMATCH_KINDS, random)) {
      const surface = varyValue(stored, kind, random);
      if (surface === undefined || placeIn(question.question, surface)?.text === surface) continue;
      const varied = sql.slice(0, token.start) + quoteString(surface, adapter.dialect) + sql.slice(token.end);
      const found = (await missingValues(varied, adapter)).find(({ value }) => value === surface);
      if (found === undefined) continue;
      return {
        state: 'proposed',
        id: question.id,
        question: question.question.slice(0, said.at) + surface + question.question.slice(said.at + said.text.length),
        mismatch: { kind, stored, surface, column: found.column, orig_question: question.question },
        db_id: question.databaseId,
        gold_sql: sql,
        difficulty: question.difficulty,
        order_matters: question.orderMatters,
      };
    }
  }
  return undefined;
}

/**
 * The right statement if it gives rows; else the same with single quotes for double ones, in which Spider writes its
 * texts: they are names to everybody but an older SQLite.
 */
async function answeringSql(gold: string, adapter: Adapter): Promise<string | undefined> {
  const { dialect } = adapter;
  const single = lexSql(gold, dialect.lexer).map(({ kind, text }) =>
    kind === 'quotedName' && text.startsWith('"')
      ? quoteString(text.slice(1, -1).replaceAll('""', '"'), dialect)
      : text,
  );
  for (const sql of new Set([gold, single.join('')]))
    try {
      return (await adapter.query(sql)).rows.length > 0 ? sql : undefined;
    } catch (thrown) {
      if (!isAskemaError(thrown) || !thrown.code.startsWith('QUERY_')) throw thrown;
    }
  return undefined;
}

function textsOf(sql: string, { lexer }: Dialect): readonly SqlToken[] {
  return lexSql(sql, lexer).filter(({ kind }) => kind === 'string');
}

function textOfToken({ text }: SqlToken): string {
  return text.slice(1, -1).replaceAll("''", "'");
}

/** Where a text stands in a question as words of its own, whatever its case. */
function placeIn(question: string, text: string): { readonly at: number; readonly text: string } | undefined {
  if (!/\p{L}{2}/u.test(text)) return undefined;
  const words = text.trim().replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'iu').exec(question);
  return found === null ? undefined : { at: found.index, text: found[0] };
}

function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  return list
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE();
}

/** What was accepted, as a dataset of the format `askema`. */
async function writeSet(items: readonly ReviewItem[], { databases }: Dataset, out: string): Promise<void> {
  const accepted = items.filter(({ state }) => state === 'accepted');
  const lines = accepted.map(({ state: _, ...one }) =>
    JSON.stringify({
      ...one,
      mismatch: { cls: 'generated', ...one.mismatch },
      category: 'mismatch',
      features: [one.mismatch.kind],
    }),
  );
  await writeNamedFile(path.join(out, 'questions.jsonl'), lines.map((line) => `${line}\n`).join(''), 'The set');
  await mkdir(path.join(out, 'databases'), { recursive: true });
  for (const id of new Set(accepted.map(({ db_id }) => db_id))) {
    const source = databases[id]?.file;
    if (source !== undefined) await copyFile(source, path.join(out, 'databases', `${id}${path.extname(source)}`));
  }
}
