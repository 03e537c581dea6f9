import { postgresDialect } from '@askema/dialects';
import { isSymbol, nameOfToken, significantTokens } from '@askema/sql';

/** A table of a plan, and the columns of it that the plan works with. */
export interface PlannedRead {
  readonly schema: string;
  readonly relation: string;
  readonly columns: readonly string[];
}

/** What is read off `EXPLAIN (FORMAT JSON, VERBOSE)` (https://www.postgresql.org/docs/current/sql-explain.html). */
interface ReadPlan {
  readonly reads: readonly PlannedRead[];
  readonly rows: number | undefined;
  /** Rows times their width. */
  readonly bytes: number | undefined;
}

interface PlanNode {
  readonly 'Node Type'?: string;
  readonly 'Plan Rows'?: number;
  readonly 'Plan Width'?: number;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** What the plan does with columns: `Filter`, `Index Cond`, `Hash Cond`, `Sort Key`, `Group Key`, `Presorted Key`, … */
const EXPRESSIONS = /^(?:.*(?:Filter|Cond|Key|Keys)|Function Call)$/;

export function readPlan(json: string): ReadPlan {
  const [{ Plan: top } = {}] = JSON.parse(json) as readonly { readonly Plan?: PlanNode }[];
  const nodes = top === undefined ? [] : flatten(top);
  const tables = new Map<string, { schema: string; relation: string; columns: Set<string> }>();
  const tableOf = (schema: string, relation: string) => {
    const key = JSON.stringify([schema, relation]);
    const table = tables.get(key) ?? { schema, relation, columns: new Set<string>() };
    tables.set(key, table);
    return table;
  };
  const byAlias = new Map<string, { readonly columns: Set<string> }>();
  for (const { node } of nodes) {
    const { Schema: schema, 'Relation Name': relation, Alias: alias = relation } = node;
    if (schema === undefined || relation === undefined) continue;
    const table = tableOf(schema, relation);
    byAlias.set(alias ?? relation, table);
  }
  const others = new Set(nodes.flatMap(({ node }) => (node['Relation Name'] === undefined ? (node.Alias ?? []) : [])));
  const all = [...byAlias.values()];
  const meantBy = (alias: string | undefined): readonly { readonly columns: Set<string> }[] => {
    if (alias === undefined) return all.length === 1 ? all : [];
    const table = byAlias.get(alias);
    if (table !== undefined || others.has(alias)) return table === undefined ? [] : [table];
    // Above an Append the parent is named, which is scanned nowhere: its children are `p_1`, `p_2`.
    const children = [...byAlias].flatMap(([name, child]) =>
      name.startsWith(`${alias}_`) && /^\d+$/.test(name.slice(alias.length + 1)) ? [child] : [],
    );
    return children.length > 0 ? children : all;
  };
  for (const { node, isTop } of nodes)
    for (const text of expressionsOf(node, isTop))
      for (const { alias, column } of columnsIn(text)) for (const { columns } of meantBy(alias)) columns.add(column);
  const rows = top?.['Plan Rows'];
  const width = top?.['Plan Width'];
  return {
    reads: [...tables.values()].map(({ columns, ...name }) => ({ ...name, columns: [...columns].sort() })),
    rows,
    bytes: rows === undefined || width === undefined ? undefined : rows * width,
  };
}

/** Each of the nodes below these gives what all of them give, and no more; their own output is not told. */
const OF_MEMBERS = /^(?:Append|Merge Append|Recursive Union|ModifyTable)$/;
/** So does a part of the statement. */
const PART = /^(?:InitPlan|SubPlan|Subquery)$/;

interface PlacedNode {
  readonly node: PlanNode;
  /** Its output is a result: that of the statement, of a part such as a CTE, or of an arm of a UNION. */
  readonly isTop: boolean;
}

function flatten(top: PlanNode): readonly PlacedNode[] {
  const nodes: PlacedNode[] = [];
  const open: PlacedNode[] = [{ node: top, isTop: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes.push(next);
    const areMembers = OF_MEMBERS.test(next.node['Node Type'] ?? '');
    for (const node of next.node.Plans ?? [])
      open.push({ node, isTop: areMembers || PART.test(node['Parent Relationship'] ?? '') });
  }
  return nodes;
}

/**
 * A scan below others gives what is at hand, all columns of a table or an index, needed or not: what is needed is named
 * by the nodes above it.
 */
function expressionsOf(node: PlanNode, isTop: boolean): readonly string[] {
  const output = isTop || node['Relation Name'] === undefined ? (node.Output ?? []) : [];
  const others = Object.entries(node).flatMap(([key, value]) =>
    !EXPRESSIONS.test(key) ? [] : typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : [],
  );
  return [...output, ...others];
}

interface ColumnInText {
  /** Undefined where the plan has one table only, and leaves its name out. */
  readonly alias: string | undefined;
  readonly column: string;
}

/** Columns in an expression as the server writes it; calls and types are none. */
function columnsIn(text: string): readonly ColumnInText[] {
  const { lexer } = postgresDialect;
  const tokens = significantTokens(text, lexer);
  return tokens.flatMap((token, at): ColumnInText[] => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const name = isSymbol(token, '*') && isSymbol(before, '.') ? '*' : nameOfToken(token, lexer);
    if (name === undefined || isSymbol(next, '.') || isSymbol(next, '(') || isSymbol(before, '::')) return [];
    const owner = tokens[at - 2];
    if (!isSymbol(before, '.')) return [{ alias: undefined, column: name }];
    return [{ alias: owner && nameOfToken(owner, lexer), column: name }];
  });
}
