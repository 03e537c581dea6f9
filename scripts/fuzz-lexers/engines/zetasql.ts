import { bigqueryDialect } from '@askema/dialects';
import { startServer } from '../../../servers/start-server.ts';
import type { EngineOutcome, FuzzedEngine } from './fuzzed-engine.ts';

interface Analysis {
  readonly ok: boolean;
  readonly error?: string;
  readonly statements?: readonly { readonly statementKind: string; readonly resolved: unknown }[];
}

const TABLES = [
  { path: ['m'], columns: ['m1', 'm2'].map((name) => ({ name, type: 'STRING' })) },
  { path: ['w'], columns: [{ name: 'x', type: 'INT64' }] },
];

/**
 * Google's analyzer of BigQuery's SQL: what a statement gives is here what it was resolved to. It parses and runs
 * nothing.
 */
export async function startZetaSql(): Promise<FuzzedEngine> {
  const server = await startServer('zetasql/start.mjs', [], {
    needs: 'the package @fivetrandevelopers/zetasql (npm ci --prefix servers), on Linux or macOS',
  });
  return {
    lexer: bigqueryDialect.lexer,
    pieces: [
      ...['#', '`', "'''", '"""', "r'", "R'", 'r"', "b'", "rb'", "bR'", "r'''", 'br"""', '\\', "\\'", '\\"', '\\`'],
      ...['@', '@@', '@x', '?', '$', '{', '[', ']', '|>', '`m1`', "'''a'''", '""', '\\x41', '\\u0041'],
    ],
    names: ['`…`'],
    literals: [
      ...["'…'", '"…"', "'''…'''", '"""…"""', "r'…'", 'R"…"', "b'…'", "rb'…'", 'Br"…"', "r'''…'''", 'rb"""…"""'],
      ...['1e5', '0x1F', '.5', '5.', 'm1', '`m1`'],
    ],
    async run(sql): Promise<EngineOutcome> {
      const response = await fetch(`${String(server.ready.url)}/analyze`, {
        method: 'POST',
        body: JSON.stringify({ sql, tables: TABLES, script: true }),
      });
      const { ok, error = '', statements = [] } = (await response.json()) as Analysis;
      if (!ok) {
        const message = error.replace(/ \[at \d+:\d+\]/g, '');
        return /Syntax error|Illegal|Unclosed|Invalid|macro/i.test(message)
          ? { kind: 'rejected' }
          : { kind: 'failed', message };
      }
      return {
        kind: 'ran',
        results: statements.map(({ resolved }) => [[JSON.stringify(resolved)]]),
        wrote: statements.some(({ statementKind }) => statementKind !== 'query'),
      };
    },
    stop: () => server.stop(),
  };
}
