import type { Catalog } from '@askema/core';
import { startServer } from '../../../../servers/start-server.ts';

/** A table as ZetaSQL is told of it. */
export interface DeclaredTable {
  readonly path: readonly string[];
  readonly columns: readonly DeclaredColumn[];
}

interface DeclaredColumn {
  readonly name: string;
  readonly type: string;
  /** Read by its name, and no part of `*`. */
  readonly pseudo?: boolean | undefined;
}

/** A function that BigQuery has and this build of ZetaSQL has not. `ANY` as the type of an argument takes everything. */
interface DeclaredFunction {
  readonly name: string;
  readonly returns: string;
  readonly arguments: readonly string[];
}

type Analysis =
  | {
      readonly ok: true;
      /** `query`, `delete`, `create_table_as_select`, … */
      readonly statementKind: string;
      readonly columns?: readonly { readonly name: string; readonly type: string }[] | undefined;
    }
  | { readonly ok: false; readonly error: string };

interface AnalyzeOptions {
  readonly tables?: readonly DeclaredTable[] | undefined;
  /** Types by position or name. */
  readonly parameters?: readonly string[] | Readonly<Record<string, string>> | undefined;
}

export interface ZetaSql {
  /** What Google's own analyzer says of one statement. */
  analyze(sql: string, options?: AnalyzeOptions): Promise<Analysis>;
  /** The functions that it has, in upper case. */
  functions(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/**
 * What the build of 2024 does not know, each with the page of BigQuery that has it. Everything else that our code writes must be known to it.
 */
const DECLARED_FUNCTIONS: readonly DeclaredFunction[] = [
  // https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_keys
  { name: 'JSON_KEYS', returns: 'ARRAY<STRING>', arguments: ['JSON'] },
];

export async function startZetaSql(): Promise<ZetaSql> {
  const server = await startServer('zetasql/start.mjs', [], {
    needs: 'the package @fivetrandevelopers/zetasql (npm ci --prefix servers), on Linux or macOS',
  });
  return {
    async analyze(sql, { tables = [], parameters = {} } = {}) {
      const response = await fetch(`${String(server.ready.url)}/analyze`, {
        method: 'POST',
        body: JSON.stringify({ sql, tables, parameters, functions: DECLARED_FUNCTIONS }),
      });
      return (await response.json()) as Analysis;
    },
    async functions() {
      return (await (await fetch(`${String(server.ready.url)}/functions`)).json()) as string[];
    },
    stop: () => server.stop(),
  };
}

/** The relations of a catalog, and each family under its wildcard, with `_TABLE_SUFFIX`. */
export function tablesOfCatalog(catalog: Catalog): DeclaredTable[] {
  const columnsOf = new Map<string, DeclaredColumn[]>();
  for (const { id, relation, name } of catalog.schema.attributes) {
    const columns = columnsOf.get(relation) ?? [];
    columns.push({ name, type: catalog.attributes[id]?.nativeType ?? '', pseudo: name.startsWith('_PARTITION') });
    columnsOf.set(relation, columns);
  }
  const pathOf = (id: string, relation?: string): string[] => {
    const parts = catalog.relations[id]?.nameParts;
    return [parts?.database, parts?.schema, relation ?? parts?.relation].filter((part) => part !== undefined);
  };
  const tables = catalog.schema.relations.map(({ id }) => ({ path: pathOf(id), columns: columnsOf.get(id) ?? [] }));
  const wildcards = catalog.families.map(({ pattern, members: [first = ''] }) => ({
    path: pathOf(first, pattern),
    columns: [...(columnsOf.get(first) ?? []), { name: '_TABLE_SUFFIX', type: 'STRING', pseudo: true }],
  }));
  return [...tables, ...wildcards];
}
