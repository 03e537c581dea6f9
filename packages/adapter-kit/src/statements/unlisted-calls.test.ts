import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Dialect } from '@askema/core';
import { bigqueryDialect, snowflakeDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { type FunctionList, unlistedCalls } from './unlisted-calls.ts';

const SPIDER = `${process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url))}/spider2`;
const hasSpider = existsSync(SPIDER);
// biome-ignore lint/suspicious/noConsole: a test that does not read its data says so.
if (!hasSpider) console.warn(`NOT READ: ${SPIDER} is not there. Set ASKEMA_DATA to the folder that holds it.`);

const SNOWFLAKE: FunctionList = { dialect: snowflakeDialect, allowFunctions: [] };
const BIGQUERY: FunctionList = { dialect: bigqueryDialect, allowFunctions: [], prefix: 'SAFE', hasQuotedPaths: true };

const namesOf = (sql: string, list: FunctionList): string[] => unlistedCalls(sql, list).map(({ fullName }) => fullName);

describe.each<[string, Dialect]>([
  ['snowflake', snowflakeDialect],
  ['bigquery', bigqueryDialect],
])('the list of %s', (folder, { lexer, foreignFunctions, functions }) => {
  const names = lexer.statements?.harmlessFunctions ?? [];

  it('has each name once, in upper case and in order within its category', () => {
    const file = new URL(`../../../dialects/src/${folder}/harmless-functions.ts`, import.meta.url);
    const blocks = [...readFileSync(file, 'utf8').matchAll(/= `\n([^`]*)`/g)].flatMap(([, text = '']) =>
      text.split(/^#.*$/m),
    );
    expect(blocks.length).toBeGreaterThan(9);
    for (const block of blocks) {
      const own = block.split(/\s+/).filter((name) => name !== '');
      expect(own).toEqual([...own].sort());
    }
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[A-Z][A-Z0-9_]*(\.[A-Z0-9_]+)?$/.test(name))).toEqual([]);
  });

  it('has none that the engine lacks, and none that does more than read', () => {
    expect(names.filter((name) => foreignFunctions?.[name] !== undefined)).toEqual([]);
    const effects = (lexer.statements?.effectFunctions ?? []).map((name) => name.replace(/\*$/, ''));
    expect(names.filter((name) => effects.some((effect) => name.startsWith(effect) && effect !== 'GENERATE'))).toEqual(
      [],
    );
    for (const name of [...Object.keys(functions?.tableColumns ?? {})]) expect(names).toContain(name);
  });
});

it.each<[string, readonly string[]]>([
  ['SELECT SAFE.PARSE_DATE(f, x), NET.HOST(u), SAFE.NET.HOST(u), hll_count.init(x), net . host(u)', []],
  [
    'SELECT x[OFFSET(0)], CAST(a AS NUMERIC(3, 1)), DATE_TRUNC(d, WEEK(MONDAY)), upper(`a`) FROM t FOR SYSTEM_TIME AS OF x',
    [],
  ],
  ['SELECT d.upper(1), `p-1.d.f`(1), `p-1`.d.f(2), g(3), ſum(4)', ['d.upper', 'p-1.d.f', 'p-1.d.f', 'g', 'ſum']],
  [
    "SELECT AI.GENERATE('x'), KEYS.KEYSET_CHAIN(k, x), ST_REGIONSTATS(g, r)",
    ['AI.GENERATE', 'KEYS.KEYSET_CHAIN', 'ST_REGIONSTATS'],
  ],
])('of BigQuery: %s', (sql, names) => {
  expect(namesOf(sql, BIGQUERY)).toEqual(names);
});

const readLines = (file: string): Record<string, unknown>[] => {
  const bytes = readFileSync(`${SPIDER}/${file}`);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

it.runIf(hasSpider)(
  'refuses no gold SQL, and nothing that ran on Snowflake, but what calls functions of its own',
  () => {
    const gold = readLines('gold-sql.jsonl');
    const ran = readLines('replay.jsonl.gz').filter(
      ({ error, error_class: why }) => error === undefined || why === 'empty',
    );
    const refusedOf = (rows: readonly Record<string, unknown>[], list: FunctionList) =>
      rows.flatMap(({ instance_id: id, sql }) => namesOf(String(sql), list).map((name) => `${id} ${name}`));
    const ofSnowflake = [...gold.filter(({ dialect }) => dialect === 'snowflake'), ...ran];
    const ofBigQuery = gold.filter(({ dialect }) => dialect === 'bigquery');
    expect([ofSnowflake.length, ofBigQuery.length]).toEqual([204 + 8_549, 148]);
    expect(refusedOf(ofSnowflake, SNOWFLAKE)).toEqual([]);
    // It makes that function for itself.
    expect([...new Set(refusedOf(ofBigQuery, BIGQUERY))]).toEqual(['bq406 GrowthRate']);
  },
  60_000,
);
