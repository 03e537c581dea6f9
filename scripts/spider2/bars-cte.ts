import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { lexSql, prefixQuery, splitCtes } from '@askema/sql';
import { type Agreement, compareWithSqlglot, type DialectStatement, traitsOf } from './cte-agreement.ts';
import { installSqlglot } from './sqlglot.ts';

/*
 * The bars of @askema/sql: CTE names and bodies agree with sqlglot on the gold statements, on all recorded candidates
 * of Spider 2.0, and on what was run on the way to them, and every prefix query parses there. Prints what disagrees,
 * statement by statement.
 */

const DATA = join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'spider2',
);

const lines = (text: string): unknown[] => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
const gold = lines(readFileSync(join(DATA, 'gold-sql.jsonl'), 'utf8')) as {
  readonly instance_id: string;
  readonly set: string;
  readonly dialect: string;
  readonly sql: string;
}[];
const votes = lines(gunzipSync(readFileSync(join(DATA, 'votes.jsonl.gz'))).toString('utf8')) as {
  readonly instance_id: string;
  readonly model: string;
  readonly slot: string | number;
  readonly sql: string;
}[];

const replay = lines(gunzipSync(readFileSync(join(DATA, 'replay.jsonl.gz'))).toString('utf8')) as {
  readonly sql: string;
}[];

const corpora: Readonly<Record<string, readonly DialectStatement[]>> = {
  'gold statements': gold.map(({ instance_id, set, dialect, sql }) => ({ id: `${set}/${instance_id}`, dialect, sql })),
  'recorded candidates': votes.map(({ instance_id, model, slot, sql }) => ({
    id: `${instance_id}/${model}/${slot}`,
    dialect: 'snowflake',
    sql,
  })),
  'recorded statements on the way': replay.map(({ sql }, index) => ({
    id: `line ${index + 1}`,
    dialect: 'snowflake',
    sql,
  })),
};

const sqlglot = await installSqlglot();
console.log(`compared with sqlglot ${sqlglot.version}`);
for (const [name, statements] of Object.entries(corpora)) {
  const characters = statements.reduce((sum, { sql }) => sum + sql.length, 0);
  const lexed = timed(() => statements.map(({ sql, dialect }) => lexSql(sql, traitsOf(dialect)).length));
  const split = timed(() => statements.map(({ sql, dialect }) => splitCtes(sql, traitsOf(dialect))));
  const prefixes = timed(() =>
    statements.map(({ sql, dialect }, index) =>
      split.result[index]!.ctes.map((_, cte) =>
        prefixQuery(sql, split.result[index]!, cte + 1, { traits: traitsOf(dialect) }),
      ),
    ),
  );
  const compared = await timedAsync(() => compareWithSqlglot(sqlglot, statements));
  report(name, statements, compared.result);
  const rate = (ms: number): string =>
    `${Math.round(ms)} ms, ${(characters / 1000 / ms).toFixed(1)} million characters a second`;
  console.log(
    `  ${characters} characters; lexing: ${rate(lexed.ms)}; splitting: ${rate(split.ms)}; prefix queries: ${Math.round(prefixes.ms)} ms`,
  );
  console.log(`  sqlglot took ${Math.round(compared.ms / 1000)} s`);
}

function report(name: string, statements: readonly DialectStatement[], agreements: readonly Agreement[]): void {
  const parsed = agreements.filter((one) => one.parsed);
  const agreed = parsed.filter(({ disagreements }) => disagreements.length === 0);
  const prefixes = agreements.reduce((sum, one) => sum + one.prefixes, 0);
  const unparsed = agreements.reduce((sum, one) => sum + one.unparsed_prefixes.length, 0);
  const ctes = statements.reduce((sum, { sql, dialect }) => sum + splitCtes(sql, traitsOf(dialect)).ctes.length, 0);
  console.log(`${name}: ${statements.length} statements with ${ctes} CTEs`);
  console.log(`  sqlglot parses ${parsed.length}; names, bodies and nesting agree on ${agreed.length} of them`);
  console.log(`  ${prefixes - unparsed} of ${prefixes} prefix queries parse there`);
  for (const { id, error } of agreements.filter((one) => !one.parsed).slice(0, 5))
    console.log(`  sqlglot does not parse ${id}: ${oneLine(error ?? '')}`);
  for (const { id, disagreements, unparsed_prefixes } of parsed) {
    for (const text of disagreements) console.log(`  ${id}: ${oneLine(text)}`);
    for (const { cte, error } of unparsed_prefixes)
      console.log(`  ${id}: prefix of ${cte} does not parse: ${oneLine(error)}`);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 240);
}

function timed<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const from = performance.now();
  const result = work();
  return { result, ms: performance.now() - from };
}

async function timedAsync<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const from = performance.now();
  const result = await work();
  return { result, ms: performance.now() - from };
}
