import {
  type AttributeId,
  type Catalog,
  type ClauseAction,
  type Dialect,
  qualifiedName,
  quoteIfNeeded,
} from '@askema/core';
import type { InspectTry } from './inspect-state.ts';

/**
 * The attributes that leave the schema of the next try (Tool-SQL, section 2.2.1): those of conditions that were tried and whose value was not
 * found there. Keys stay, because joins need them, and so does what the last sequence shows, groups or orders by.
 */
export function triedAttributes(
  tries: readonly InspectTry[],
  catalog: Catalog,
  dialect: Dialect,
): ReadonlySet<AttributeId> {
  const columns = new Set(
    tries.flatMap(({ findings }) =>
      findings.flatMap(({ code, column }) => (code === 'value-not-found' && column !== undefined ? [column] : [])),
    ),
  );
  if (columns.size === 0) return new Set();
  const keys = keyAttributes(catalog);
  const shown = textOutsideConditions(tries.at(-1)?.actions ?? []);
  const hidden = catalog.schema.attributes.filter(({ id, relation, name }) => {
    const parts = catalog.relations[relation]?.nameParts;
    if (parts === undefined || keys.has(id) || shown.includes(name.toLowerCase())) return false;
    return columns.has(`${qualifiedName(parts, dialect)}.${quoteIfNeeded(name, dialect)}`);
  });
  return new Set(hidden.map(({ id }) => id));
}

/** The catalog without these attributes, for a prompt: it keeps its fingerprint, and keys that it cannot tell any more are left out. */
export function withoutAttributes(catalog: Catalog, hidden: ReadonlySet<AttributeId>): Catalog {
  if (hidden.size === 0) return catalog;
  const { schema } = catalog;
  const stays = (id: AttributeId): boolean => !hidden.has(id);
  return {
    ...catalog,
    schema: {
      ...schema,
      attributes: schema.attributes.filter(({ id }) => stays(id)),
      domainConstraints: schema.domainConstraints.filter(({ attribute }) => stays(attribute)),
    },
    attributes: Object.fromEntries(Object.entries(catalog.attributes).filter(([id]) => stays(id as AttributeId))),
    uniqueKeys: catalog.uniqueKeys.filter(({ attributes }) => attributes.every(stays)),
  };
}

function keyAttributes({ schema }: Catalog): ReadonlySet<AttributeId> {
  return new Set([
    ...schema.primaryKeys.flatMap(({ attributes }) => attributes),
    ...schema.foreignKeys.flatMap(({ pairs }) => pairs.flatMap(({ from, to }) => [from, to])),
  ]);
}

/** What is selected, grouped, ordered by and joined along. A name that only looks like one in it stays in sight, no more. */
function textOutsideConditions(actions: readonly ClauseAction[]): string {
  const texts = actions.flatMap((action): readonly string[] => {
    switch (action.action) {
      case 'add_from':
        return action.joins.flatMap(({ on, condition = '' }) => [
          ...on.flatMap(({ left, right }) => [left, right]),
          condition,
        ]);
      case 'add_group_by':
        return action.expressions;
      case 'add_order_by':
        return action.keys.map(({ expression }) => expression);
      case 'add_select':
        return action.items.map(({ expression }) => expression);
      default:
        return [];
    }
  });
  return texts.join('\n').toLowerCase();
}
