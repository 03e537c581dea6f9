import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Agreement,
  compareSplits,
  compareWithSqlglot,
  type DialectStatement,
  questionOf,
} from './cte-agreement.ts';
import { EXPECTED_DISAGREEMENTS, OWN_STATEMENTS } from './cte-statements.ts';
import { installSqlglot, type Sqlglot } from './sqlglot.ts';

const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'spider2',
);

/** The larger statements where they are, our own where they are not: the test compares in either case. */
function statements(): { readonly source: string; readonly list: readonly DialectStatement[] } {
  if (!existsSync(path.join(DATA, 'gold-sql.jsonl'))) return { source: 'the own statements', list: OWN_STATEMENTS };
  const lines = (text: string): Record<string, string>[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, string>]));
  const gold = lines(readFileSync(path.join(DATA, 'gold-sql.jsonl'), 'utf8')).map((line) => ({
    id: `${line.set}/${line.instance_id}`,
    dialect: line.dialect ?? '',
    sql: line.sql ?? '',
  }));
  const votes = lines(gunzipSync(readFileSync(path.join(DATA, 'votes.jsonl.gz'))).toString('utf8')).map((line) => ({
    id: `${line.instance_id}/${line.model}/${line.slot}`,
    dialect: 'snowflake',
    sql: line.sql ?? '',
  }));
  return { source: 'gold statements and recorded candidates', list: [...OWN_STATEMENTS, ...gold, ...votes] };
}

const problemsOf = (agreements: readonly Agreement[]): readonly string[] =>
  agreements.flatMap(({ id, parsed, error, disagreements, unparsed_prefixes }) => [
    ...(parsed ? [] : [`${id} does not parse: ${error}`]),
    ...disagreements.filter(() => EXPECTED_DISAGREEMENTS[id] === undefined).map((text) => `${id}: ${text}`),
    ...unparsed_prefixes.map((prefix) => `${id}, prefix of ${prefix.cte}: ${prefix.error}`),
  ]);

describe('sqlglot, an independent parser', () => {
  let sqlglot: Sqlglot;
  beforeAll(async () => {
    sqlglot = await installSqlglot();
  }, 300_000);

  const { source, list } = statements();
  it(`reads the same CTEs in ${source}, and parses every prefix query`, { timeout: 600_000 }, async () => {
    const agreements = await compareWithSqlglot(sqlglot, list);
    expect(agreements).toHaveLength(list.length);
    expect(agreements.reduce((sum, { prefixes }) => sum + prefixes, 0)).toBeGreaterThan(25);
    expect(problemsOf(agreements)).toEqual([]);
    const expected = agreements.filter(({ id }) => EXPECTED_DISAGREEMENTS[id] !== undefined);
    expect(expected.filter(({ disagreements }) => disagreements.length === 0)).toEqual([]);
  });

  it('would see a wrong name, a wrong body, a missing CTE, a missing statement, and a broken prefix', async () => {
    const right = questionOf({
      id: 'right',
      dialect: 'snowflake',
      sql: 'WITH a AS (SELECT 1 AS n), b AS (SELECT n FROM a) SELECT * FROM b',
    });
    const [first, second] = right.ctes;
    const wrong = [
      { ...right, ctes: [{ ...first!, name: 'a' }, second!] },
      { ...right, ctes: [first!, { ...second!, body: 'SELECT n FROM b' }] },
      { ...right, ctes: [first!], prefixes: right.prefixes.slice(0, 1) },
      { ...right, statements: 2 },
      { ...right, withs: 2 },
      { ...right, recursive: true },
      { ...right, prefixes: [right.prefixes[0]!, 'WITH a AS (SELECT 1 AS n SELECT * FROM a'] },
      { ...right, prefixes: [right.prefixes[0]!, right.prefixes[0]!] },
      { ...right, sql: 'WITH a AS (SELECT 1' },
    ];
    const agreements = await compareSplits(sqlglot, [right, ...wrong]);
    // A wrong name is seen in the list and in the prefix query.
    expect(agreements.map((one) => problemsOf([one]).length)).toEqual([0, 2, 1, 1, 1, 1, 1, 1, 1, 1]);
  });
});
