import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type Catalog,
  logicalType,
  resolveAdapter,
  type Value,
} from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { tablesOfCatalog, type ZetaSql } from './zetasql.ts';

/** A statement that was sent, and what ZetaSQL said of it. */
export interface RecordedStatement {
  readonly sql: string;
  /** ZetaSQL's complaint, or a kind of statement that is no query. */
  readonly problem?: string | undefined;
}

export interface RecordingAdapter {
  readonly adapter: Adapter;
  readonly statements: RecordedStatement[];
}

const ROWS = 3;

/**
 * An adapter whose engine is the analyzer: a statement that it takes gives a few rows of values of the right types, so that the code goes
 * on to its next statement; any other fails as in BigQuery. Everything is recorded.
 */
export function recordingAdapter(zetasql: ZetaSql, catalog: Catalog): RecordingAdapter {
  const statements: RecordedStatement[] = [];
  const tables = tablesOfCatalog(catalog);
  const spec: AdapterSpec = {
    contract: 1,
    dialect: bigqueryDialect,
    name: catalog.name,
    access: 'read',
    introspector: { introspect: async () => catalog },
    executor: {
      async *execute(sql, { parameters, maxRows }) {
        const analysis = await zetasql.analyze(sql, { tables, parameters: parameterTypes(parameters) });
        const problem = !analysis.ok
          ? analysis.error
          : analysis.statementKind === 'query'
            ? undefined
            : `a statement of the kind ${analysis.statementKind}`;
        statements.push(problem === undefined ? { sql } : { sql, problem });
        if (!analysis.ok || problem !== undefined)
          throw new AskemaError('QUERY_FAILED', problem ?? '', { details: { sql, errorClass: 'syntax' } });
        const columns = (analysis.columns ?? []).map(({ name, type }) => ({
          name,
          nativeType: type,
          type: logicalType(type, bigqueryDialect),
        }));
        yield { type: 'columns', columns };
        const rows = Array.from({ length: Math.min(ROWS, maxRows) }, (_, row) =>
          columns.map(({ nativeType }) => cellOf(nativeType, row)),
        );
        yield { type: 'rows', rows };
        yield { type: 'end' };
      },
    },
    close: async () => undefined,
  };
  return { adapter: resolveAdapter(spec), statements };
}

function cellOf(type: string, row: number): Value {
  if (/^(?:INT64|FLOAT64)$/u.test(type)) return row + 1;
  if (/^(?:NUMERIC|BIGNUMERIC)/u.test(type)) return `${row}.5`;
  if (type === 'BOOL') return row === 0;
  if (type === 'DATE') return `2024-01-0${row + 1}`;
  if (type === 'DATETIME' || type === 'TIMESTAMP') return `2024-01-0${row + 1}T00:00:00Z`;
  if (type === 'BYTES') return new Uint8Array([row]);
  if (type.startsWith('ARRAY')) return [];
  if (type.startsWith('STRUCT')) return {};
  return `{"text": ${row}}`;
}

function parameterTypes(parameters: unknown): readonly string[] | Readonly<Record<string, string>> {
  const typeOf = (value: unknown): string =>
    typeof value === 'number'
      ? Number.isInteger(value)
        ? 'INT64'
        : 'FLOAT64'
      : typeof value === 'bigint'
        ? 'INT64'
        : typeof value === 'boolean'
          ? 'BOOL'
          : value instanceof Uint8Array
            ? 'BYTES'
            : 'STRING';
  if (Array.isArray(parameters)) return parameters.map(typeOf);
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name, typeOf(value)]));
}
