import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadDataset } from './load-dataset.ts';
import type { DatasetQuestion } from './read/dataset.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const SPIDER2 = path.join(DATA, 'spider2');
const DEFOG = path.join(DATA, 'text2sql-dev', 'defog');

/**
 * Whether the data is there; says so where it is not. The fixtures of the formats cover what is read in either case.
 */
function isThere(folder: string): boolean {
  const there = existsSync(folder);
  // biome-ignore lint/suspicious/noConsole: what was not looked at is said
  if (!there) console.warn(`NOT READ: ${folder} is not there. Set ASKEMA_DATA to the folder that holds it.`);
  return there;
}

const sum = (questions: readonly DatasetQuestion[], count: (question: DatasetQuestion) => number): number =>
  questions.reduce((total, question) => total + count(question), 0);

describe('public data sets, against the counts of their own descriptions', () => {
  it.each([
    ['spider2-lite', 250, { bigquery: 205, snowflake: 207, sqlite: 135 }, 6],
    ['spider2-snow', 120, { snowflake: 547 }, 0],
  ] as const)('%s', async (format, withSql, categories, unused) => {
    if (!isThere(SPIDER2)) return;
    const { questions, problems, documents, databases } = await loadDataset(SPIDER2, {
      format,
      databases: 'elsewhere',
    });
    expect(questions).toHaveLength(547);
    expect(problems).toHaveLength(unused);
    expect(questions.filter(({ goldSql }) => goldSql.length > 0)).toHaveLength(withSql);
    expect(questions.filter(({ goldResults }) => goldResults !== undefined)).toHaveLength(540);
    expect(sum(questions, ({ goldResults }) => goldResults?.length ?? 0)).toBe(1471);
    // Beside those that are here: 54 that are too long, and 19 that were nowhere.
    expect(sum(questions, ({ official }) => (official?.benchmark === 'spider2' ? official.files : 0))).toBe(
      1471 + 54 + 19,
    );
    expect(questions.filter(({ features }) => features.includes('temporal'))).toHaveLength(37);
    const counted = Object.fromEntries(
      Object.keys(categories).map((name) => [name, questions.filter(({ category }) => category === name).length]),
    );
    expect(counted).toEqual(categories);
    const named = new Set(questions.flatMap((question) => question.documents ?? []));
    expect(Object.keys(documents ?? {}).sort()).toEqual([...named].sort());
    expect(Object.values(databases).every(({ dialect }) => dialect !== undefined)).toBe(true);
  });

  it('spider2-lite without the SQLite files: their tasks are reported, the others stay', async () => {
    if (!isThere(SPIDER2)) return;
    const { questions, problems } = await loadDataset(SPIDER2, { format: 'spider2-lite' });
    expect([questions.length, problems.length]).toEqual([547 - 135, 135 + 6]);
    await expect(loadDataset(SPIDER2)).rejects.toThrow(/spider2-snow/);
  });

  it('defog', async () => {
    if (!isThere(DEFOG)) return;
    const sqlite = await loadDataset(DEFOG);
    expect([sqlite.questions.length, sqlite.problems.length]).toEqual([272, 314 - 272]);
    expect(Object.values(sqlite.databases).filter(({ file }) => existsSync(file))).toHaveLength(11);
    const postgres = await loadDataset(DEFOG, { databases: 'elsewhere' });
    expect([postgres.questions.length, postgres.problems.length]).toEqual([314, 0]);
    expect(postgres.questions.filter(({ features }) => features.includes('now-dependent'))).toHaveLength(36);
  });

  it('RSchema, which holds schemas', async () => {
    const folder = path.join(DATA, 'rschema-dev');
    if (isThere(folder)) await expect(loadDataset(folder)).rejects.toThrow(/eval design/);
  });
});
