import type { EngineRead, NameParts } from '@askema/core';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { CheckRequest, RawPlan } from '../protocol.ts';
import type { Engine } from './open-engine.ts';
import { extractOne, prepareStatement } from './statement-guard.ts';
import { parseTree, queryTree } from './statement-tree.ts';
import { FILE_COLUMN, FILE_NAME_COLUMN, quote } from './view-statements.ts';

const CHANGES: ReadonlySet<RawPlan['statement']> = new Set(['write', 'ddl']);

/** Prepares a statement without running it: its kind, its relations, and for a query how many rows DuckDB expects. */
export async function checkStatement(
  { guard, access }: Engine,
  connection: DuckDBConnection,
  { sql, withoutParameters, textKind, textRefusal }: CheckRequest,
): Promise<RawPlan> {
  // By its kind it reads, and what it calls may do more: to prepare it would compute the arguments of table functions.
  const judged = await guard.judge(connection, sql);
  const tree = await queryTree(connection, sql);
  const relations = namedRelations(connection, sql, tree);
  if (judged.refusal !== undefined) return { statement: 'other', relations };
  if (!judged.isQuery && access === 'read' && CHANGES.has(textKind)) {
    await extractOne(connection, sql);
    return { statement: textKind, relations: [] };
  }
  // Everything that could be granted is let through here, so that its kind can be told; nothing runs.
  const { statement, kind } = await prepareStatement(connection, sql, {
    access: judged.isQuery ? 'write' : access,
    guard,
    textRefusal,
  });
  const { parameterCount } = statement;
  statement.destroySync();
  const verdict = kind === 'read' ? judged : undefined;
  const isPlanned = kind === 'read' && parameterCount === 0 && textRefusal === undefined;
  const steps = isPlanned && !/^\s*EXPLAIN\b/i.test(sql) ? await explain(connection, sql) : undefined;
  // The bound plan shows what macros read as read by the statement.
  const planned = parameterCount === 0 ? sql : withoutParameters;
  const isSame = planned === sql || treeShape(await queryTree(connection, planned)) === treeShape(tree);
  const bound = verdict && (isSame ? await boundReads(connection, planned, tree) : wholeReads(tree));
  const reads = verdict && (bound ?? (await scannedReads(connection, tree, steps)));
  return {
    ...{ statement: kind, relations },
    ...(verdict && { reads, routines: verdict.macros }),
    ...(isPlanned && { estimatedRows: steps && estimateIn(steps) }),
  };
}

/** A tree without what tells a parameter from NULL: our word for what is a parameter is not taken. */
function treeShape(tree: unknown): string {
  return JSON.stringify(
    tree,
    (key, value: { readonly class?: string; readonly value?: { readonly is_null?: boolean } }) =>
      key === 'query_location' ||
      key === 'named_param_map' ||
      value?.class === 'PARAMETER' ||
      (value?.class === 'CONSTANT' && value.value?.is_null)
        ? undefined
        : value,
  );
}

// Qualified: a macro of the opened database may have the same name.
const SERIALIZE_PLAN = 'SELECT system.main.json_serialize_plan($1::VARCHAR)';

/**
 * The tables that DuckDB binds for a query, views and macros expanded, with their columns, before it leaves out any.
 * Undefined where something else is read than tables (files, functions); all of what the statement names where DuckDB
 * does not bind it without its parameters.
 */
async function boundReads(
  connection: DuckDBConnection,
  sql: string,
  tree: unknown,
): Promise<readonly EngineRead[] | undefined> {
  const text = await connection
    .runAndReadAll(SERIALIZE_PLAN, [sql])
    .then((reader) => String(reader.getRows()[0]?.[0]))
    .catch(() => undefined);
  const plan = text === undefined ? undefined : (parseTree(text) as { error?: unknown; error_type?: unknown });
  // What reads a file, and some other functions, DuckDB does not write down.
  if (plan?.error_type === 'not implemented') return undefined;
  if (plan?.error !== false) return wholeReads(tree);
  const found = new Map<string, { nameParts: NameParts; columns: Set<string> }>();
  const open: unknown[] = [plan];
  while (open.length > 0) {
    const node = open.pop();
    if (node === null || typeof node !== 'object') continue;
    if ((node as PlanOperator).type === 'LOGICAL_GET') {
      const { function_data: data, names = [], column_indexes: indexes = [] } = node as PlanOperator;
      if (data?.table === undefined) return undefined;
      const { catalog: database, schema, table: relation } = data;
      const key = JSON.stringify([database, schema, relation]);
      const read = found.get(key) ?? { nameParts: { database, schema, relation }, columns: new Set<string>() };
      found.set(key, read);
      // One beyond the columns stands for the rowid, or for no column.
      for (const { index = -1 } of indexes) if (names[index] !== undefined) read.columns.add(names[index]);
    }
    for (const value of Object.values(node)) if (typeof value === 'object') open.push(value);
  }
  return [...found.values()].map(({ nameParts, columns }) => ({ nameParts, columns: [...columns].sort() }));
}

function wholeReads(tree: unknown): readonly EngineRead[] {
  return pathsIn(tree).map((path) => {
    const [relation = '', schema, database] = path.toReversed();
    return { nameParts: { relation, schema, database }, columns: ['*'] };
  });
}

interface PlanOperator {
  readonly type?: string;
  readonly names?: readonly string[];
  readonly column_indexes?: readonly { readonly index?: number }[];
  readonly function_data?: { readonly catalog?: string; readonly schema?: string; readonly table?: string };
}

/** The plan, which is made and not run; the operator on top says how many rows it expects. */
async function explain(connection: DuckDBConnection, sql: string): Promise<readonly PlanNode[] | undefined> {
  try {
    await connection.run('BEGIN TRANSACTION READ ONLY');
    const reader = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${sql}`);
    const text = reader.getRows()[0]?.[1];
    return typeof text === 'string' ? (JSON.parse(text) as PlanNode[]) : undefined;
  } catch {
    return undefined;
  } finally {
    await connection.run('ROLLBACK').catch(() => undefined);
  }
}

interface PlanNode {
  readonly name?: string;
  readonly children?: readonly PlanNode[];
  readonly extra_info?: Readonly<Record<string, unknown>>;
}

const COLUMNS = 'SELECT database_name, schema_name, table_name, column_name FROM system.main.duckdb_columns()';

/**
 * What the scans of files read, by the plan, which has their columns and not the file: those that one relation of the
 * statement alone has. Undefined where there is no plan. What DuckDB answers from statistics of a file has no scan.
 */
async function scannedReads(
  connection: DuckDBConnection,
  tree: unknown,
  steps: readonly PlanNode[] | undefined,
): Promise<readonly EngineRead[] | undefined> {
  if (steps === undefined) return undefined;
  const named = pathsIn(tree).map((path) => path.map(lower).toReversed());
  const columnsOf = new Map<string, Map<string, string>>();
  for (const row of (await connection.runAndReadAll(COLUMNS)).getRows()) {
    const path = row.slice(0, 3).map(String);
    const inner = path.map(lower).toReversed();
    if (!named.some((parts) => parts.every((part, at) => part === inner[at]))) continue;
    const key = JSON.stringify(path);
    columnsOf.set(key, (columnsOf.get(key) ?? new Map()).set(lower(String(row[3])), String(row[3])));
  }
  return scansIn(steps).flatMap((scanned) => {
    const [only, ...more] = [...columnsOf].flatMap(([key, names]): EngineRead[] => {
      const columns = scanned.map((column) => names.get(lower(column)) ?? names.get(lower(column.split('.')[0] ?? '')));
      if (columns.includes(undefined)) return [];
      const [database, schema, relation = ''] = JSON.parse(key) as readonly string[];
      return [{ nameParts: { database, schema, relation }, columns: columns as readonly string[] }];
    });
    return only === undefined || more.length > 0 ? [] : [only];
  });
}

const lower = (name: string): string => name.toLowerCase();

/** The columns of each scan of files; a field of a column stands as `column.field`. */
function scansIn(steps: readonly PlanNode[]): readonly (readonly string[])[] {
  const open = [...steps];
  const found: (readonly string[])[] = [];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    open.push(...(node.children ?? []));
    const { Projections: projections = [], Filters: filters = [] } = node.extra_info ?? {};
    if (!/^READ_/.test(node.name ?? '')) continue;
    // `ssn>100`; a filter that may change while it runs has its column in brackets.
    const filtered = [filters].flat().map((filter) => /^(?:optional: [^(]*\()?([^<>=!() ]+)/.exec(String(filter))?.[1]);
    const columns = [projections, filtered].flat(2).map((column) => String(column ?? ''));
    const shown = columns.map((column) => (column === FILE_COLUMN ? FILE_NAME_COLUMN : column));
    found.push([...new Set(shown.filter((column) => column !== ''))]);
  }
  return found;
}

/** Operators on top that say nothing have the estimate of what stands below. */
function estimateIn(nodes: readonly PlanNode[]): number | undefined {
  let node = nodes[0];
  for (let depth = 0; node !== undefined && depth < 50; depth += 1) {
    const text = node.extra_info?.['Estimated Cardinality'];
    const rows = typeof text === 'string' ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(rows)) return rows;
    node = node.children?.length === 1 ? node.children[0] : undefined;
  }
  return undefined;
}

/**
 * The relations that a statement names, views among them, by DuckDB's own parser: qualified as far as the statement
 * does it, without those of its own WITH. For a statement that is no SELECT only its tables are known.
 */
function namedRelations(connection: DuckDBConnection, sql: string, tree: unknown): readonly string[] {
  if (tree === undefined) return tableNames(connection, sql);
  return [...new Set(pathsIn(tree).map((path) => path.map(plain).join('.')))].sort();
}

function pathsIn(tree: unknown): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const open: { readonly node: unknown; readonly ctes: ReadonlySet<string> }[] = [{ node: tree, ctes: new Set() }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    if (node === null || typeof node !== 'object') continue;
    const record = node as Readonly<Record<string, unknown>>;
    const names = cteNames(record.cte_map);
    const ctes = names.length === 0 ? next.ctes : new Set([...next.ctes, ...names]);
    if (record.type === 'BASE_TABLE' && typeof record.table_name === 'string') {
      const parts = [record.catalog_name, record.schema_name, record.table_name].map((part) => String(part ?? ''));
      const named = parts.filter((part) => part !== '');
      if (named.length > 1 || !ctes.has(record.table_name.toLowerCase())) found.push(named);
    }
    for (const value of Object.values(record)) open.push({ node: value, ctes });
  }
  return found;
}

function cteNames(map: unknown): readonly string[] {
  const entries = (map as { readonly map?: unknown } | undefined)?.map;
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: { readonly key?: unknown }) => String(entry.key).toLowerCase());
}

function tableNames(connection: DuckDBConnection, sql: string): readonly string[] {
  try {
    return [...connection.getTableNames(sql, true)].sort();
  } catch {
    return [];
  }
}

function plain(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quote(name);
}
