/** What is read off `EXPLAIN (FORMAT JSON, VERBOSE)` (https://www.postgresql.org/docs/current/sql-explain.html). */
export interface ReadPlan {
  readonly relations: readonly { readonly schema: string; readonly relation: string }[];
  readonly rows: number | undefined;
  /** Rows times their width. */
  readonly bytes: number | undefined;
}

interface PlanNode {
  readonly 'Plan Rows'?: number;
  readonly 'Plan Width'?: number;
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Plans?: readonly PlanNode[];
}

export function readPlan(json: string): ReadPlan {
  const [{ Plan: top } = {}] = JSON.parse(json) as readonly { readonly Plan?: PlanNode }[];
  const relations = new Map<string, { schema: string; relation: string }>();
  const open = top === undefined ? [] : [top];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { Schema: schema, 'Relation Name': relation, Plans = [] } = node;
    if (schema !== undefined && relation !== undefined)
      relations.set(JSON.stringify([schema, relation]), { schema, relation });
    open.push(...Plans);
  }
  const rows = top?.['Plan Rows'];
  const width = top?.['Plan Width'];
  return {
    relations: [...relations.values()],
    rows,
    bytes: rows === undefined || width === undefined ? undefined : rows * width,
  };
}
