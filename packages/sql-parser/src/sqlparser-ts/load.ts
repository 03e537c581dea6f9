import { type BackEnd, BackEndBroken, type BackEndResult } from '../back-end.ts';
import { at, list } from '../tree/json-node.ts';
import { makePositions } from './convert-name.ts';
import { convertQuery } from './convert-query.ts';

const KNOWN: ReadonlySet<string> = new Set(
  'generic ansi mysql postgresql sqlite snowflake redshift mssql clickhouse bigquery duckdb databricks hive oracle spark teradata'.split(
    ' ',
  ),
);

/** `@guanmingchiu/sqlparser-ts`: sqlparser-rs as WebAssembly. */
export async function loadSqlparserTs(): Promise<BackEnd> {
  const { init, Parser } = await import('@guanmingchiu/sqlparser-ts');
  await init();
  return {
    name: 'sqlparser-ts',
    // It takes all that follows DIV for the divisor.
    standIns: { mysql: { DIV: '/' } },
    // `generic` takes most of what a grammar is too strict for; `snowflake` alone lets a relation be named `top`.
    grammars(grammar) {
      return [...new Set([...(KNOWN.has(grammar) ? [grammar] : []), 'generic', 'snowflake'])];
    },
    parse(text, grammar, base) {
      let statements: unknown;
      try {
        statements = new Parser({ name: grammar }).parse(text);
      } catch (thrown) {
        return readFailure(thrown, text);
      }
      const query = at(list(statements)[0], 'Query');
      if (list(statements).length !== 1 || query === undefined) return { ok: false, reason: 'it is not one query' };
      return { ok: true, query: convertQuery(query, { base, positions: makePositions(text) }) };
    },
  };
}

const PREFIX = 'sql parser error: ';

/**
 * A mistake in the SQL says so; everything else is a trap of the module, whose memory is not to be trusted after it.
 */
function readFailure(thrown: unknown, text: string): BackEndResult {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!message.startsWith(PREFIX)) throw new BackEndBroken(message);
  const place = / at Line: (\d+), Column: (\d+)$/.exec(message);
  const offset = place === null ? undefined : makePositions(text).offsetOf(Number(place[1]), Number(place[2]));
  const reason = message.slice(PREFIX.length, place?.index);
  return { ok: false, reason: reason.length > 300 ? `${reason.slice(0, 300)}…` : reason, offset };
}
