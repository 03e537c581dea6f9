import type { Grammar } from '@askema/core';
import { type BackEnd, BackEndBroken } from '../back-end.ts';
import { at, field, isNode, list, text } from '../tree/json-node.ts';
import { convertQuery, NotConverted } from './convert-query.ts';

/** What it calls a grammar, where it has one. */
const GRAMMARS: ReadonlyMap<Grammar, string> = new Map([
  ['bigquery', 'bigquery'],
  ['hive', 'hive'],
  ['mssql', 'transactsql'],
  ['mysql', 'mysql'],
  ['redshift', 'redshift'],
  ['snowflake', 'snowflake'],
  ['sqlite', 'sqlite'],
  ['trino', 'trino'],
]);
/** Grammars in which double quotes make strings. */
const DOUBLE_QUOTED_STRINGS: readonly string[] = ['bigquery', 'mysql'];

/** `node-sql-parser`, an optional peer dependency: grammars written for PEG.js. */
export async function loadNodeSqlParser(): Promise<BackEnd> {
  const module: unknown = await import('node-sql-parser');
  // The package is CommonJS: its exports may be the default one.
  const Parser = field(module, 'Parser') ?? at(module, 'default', 'Parser');
  if (typeof Parser !== 'function') throw new BackEndBroken('node-sql-parser exports no Parser');
  const parser: unknown = Reflect.construct(Parser, []);
  const astify = isNode(parser) || typeof parser === 'object' ? Reflect.get(parser as object, 'astify') : undefined;
  if (typeof astify !== 'function') throw new BackEndBroken('node-sql-parser has no astify');
  return {
    name: 'node-sql-parser',
    standIns: { mysql: { '<=>': '=' } },
    // PostgreSQL's grammar is its widest: the fallback.
    grammars(grammar) {
      const own = GRAMMARS.get(grammar) ?? 'postgresql';
      return own === 'postgresql' ? [own] : [own, 'postgresql'];
    },
    parse(sql, grammar, base) {
      let tree: unknown;
      try {
        tree = Reflect.apply(astify, parser, [sql, { database: grammar, parseOptions: { includeLocations: true } }]);
      } catch (thrown) {
        if (thrown instanceof RangeError) throw thrown;
        return { ok: false, ...readFailure(thrown) };
      }
      const statements = Array.isArray(tree) ? list(tree) : [tree];
      if (statements.length !== 1) return { ok: false, reason: 'it is not one query' };
      try {
        const doubleQuotesAreNames = !DOUBLE_QUOTED_STRINGS.includes(grammar);
        return { ok: true, query: convertQuery(statements[0], { base, doubleQuotesAreNames }) };
      } catch (thrown) {
        if (!(thrown instanceof NotConverted)) throw thrown;
        return { ok: false, reason: `its tree holds ${thrown.message}` };
      }
    },
  };
}

/** The list of everything that was expected is long; what was found is enough. */
function readFailure(thrown: unknown): { readonly reason: string; readonly offset?: number | undefined } {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const offset = at(thrown, 'location', 'start', 'offset');
  const found = / but (.{1,80}) found\.?$/s.exec(message)?.[1];
  const reason = found === undefined ? message.slice(0, 200) : `unexpected ${text(found)}`;
  return { reason, offset: typeof offset === 'number' ? offset : undefined };
}
