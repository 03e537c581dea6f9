import { AskemaError } from '../../../errors/askema-error.ts';
import { didYouMean } from '../../../errors/nearest-names.ts';
import type { AttributeId, RelationId } from '../../../schema/schema.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';

/**
 * The relation that a rule names: `orders`, `sales.orders`.
 *
 * @throws AskemaError `CONFIG_INVALID` when the catalog has no such relation, or several.
 */
export function namedRelation({ index }: Pick<ResolvedQuery, 'index'>, name: string): RelationId {
  const [found, ...others] = index.relationsNamed(name);
  if (found !== undefined && others.length === 0) return found.id;
  const hint = didYouMean(
    name,
    index.schema.relations.map((relation) => relation.name),
  );
  throw new AskemaError(
    'CONFIG_INVALID',
    found === undefined
      ? `The rule names the relation ${name}, which the database does not have. ${hint}`.trim()
      : `The rule names the relation ${name}, of which the database has several; write its schema in front.`,
  );
}

/**
 * The attribute that a rule names behind its relation: `orders.total`, `sales.orders.total`.
 *
 * @throws AskemaError `CONFIG_INVALID` when the catalog has no such attribute.
 */
export function namedAttribute(query: Pick<ResolvedQuery, 'index'>, name: string): AttributeId {
  const dot = name.lastIndexOf('.');
  if (dot <= 0)
    throw new AskemaError(
      'CONFIG_INVALID',
      `The rule names ${name}; write relation.attribute, for example orders.total.`,
    );
  const relation = namedRelation(query, name.slice(0, dot));
  const attribute = query.index.attributeNamed(relation, name.slice(dot + 1));
  if (attribute !== undefined) return attribute.id;
  const hint = didYouMean(
    name.slice(dot + 1),
    query.index.attributesOf(relation).map((other) => other.name),
  );
  throw new AskemaError(
    'CONFIG_INVALID',
    `The rule names the attribute ${name}, which the database does not have. ${hint}`.trim(),
  );
}
