import { buildCatalog, type Catalog, type DraftRelation } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { sqlparserTs } from '@askema/sql-parser';
import type { LoggedStatement } from '../logged-statement.ts';
import { type MineOptions, mineKnowledge } from '../mine-knowledge.ts';
import type { MinedKnowledge } from '../mined-knowledge.ts';

const table = (name: string, columns: string, primaryKey?: readonly string[]): DraftRelation => ({
  nameParts: { schema: 'public', relation: name },
  kind: 'table',
  attributes: columns.split(', ').map((column) => {
    const [attribute = '', nativeType = ''] = column.split(' ');
    return { name: attribute, nativeType };
  }),
  primaryKey,
});

const TABLES = [
  table('customers', 'id integer, name text, country text, kind text, parent_id integer', ['id']),
  table(
    'orders',
    'id integer, customer_id integer, status text, total numeric, tax numeric, day date, is_test boolean',
    ['id'],
  ),
  table('lines', 'order_id integer, no integer, quantity integer, price numeric', ['order_id', 'no']),
  table('parcels', 'id integer, order_id integer, line_no integer, weight numeric', ['id']),
];

export const SHOP: Catalog = buildCatalog({ dialect: postgresDialect, name: 'shop', relations: TABLES });

/** The same tables, and nobody declared a key. */
export const KEYLESS_SHOP: Catalog = buildCatalog({
  dialect: postgresDialect,
  name: 'shop',
  relations: TABLES.map(({ primaryKey: _, ...rest }) => rest),
});

/** Files of a run share it, so none of them closes it; its worker keeps no process alive. */
const parser = sqlparserTs({ timeoutMs: 30_000 });

/** Each statement as often as `times`, by as many users in turn as `users`. */
export function ran(
  sql: string | readonly string[],
  { times = 6, users = 3, ...more }: Partial<LoggedStatement> & { times?: number; users?: number } = {},
): LoggedStatement[] {
  const texts = typeof sql === 'string' ? [sql] : sql;
  return texts.flatMap((text) =>
    Array.from({ length: times }, (_, at) => ({ sql: text, user: `user ${at % users}`, ...more })),
  );
}

export function mine(
  statements: readonly LoggedStatement[],
  options: Partial<MineOptions> = {},
): Promise<MinedKnowledge> {
  return mineKnowledge(statements, { catalog: SHOP, dialect: postgresDialect, parser, ...options });
}

/** What is proposed, as texts. */
export function textsOf({ proposals }: MinedKnowledge): readonly string[] {
  return proposals.map(({ id, text }) => `${id} ${text}`).sort();
}
