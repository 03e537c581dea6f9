import type { Catalog, ResultColumn } from '@askema/core';
import type { ItemFacts } from './shape-facts.ts';

/** Names that mean an identifier whatever the catalog says. */
const ID_WORD = /(?:^|[_\s.-])(?:ids?|uuid|guid|key|pk|fk|code|zip|zipcode|postcode|phone|isbn|ssn|sku|ean|vin|iban)$/;
const ID_CAMEL = /[a-z0-9](?:ID|Id|Uuid|Key|Code)$/;
/** `flight_number`, `flightNo`: only where the column is stored so; `number` alone may count something. */
const NUMBERED = /[a-z0-9](?:[_\s](?:no|nr|number)|No|Nr|Number)$/;
const RANK = /(?:^|[_\s])(?:rank|RANK|Rank)(?:ing|ING)?(?:$|[_\s])|[a-z]Rank(?:ing)?$/;
const COORDINATE = /(?:^|[_\s])(?:lat|latitude|lng|lon|long|longitude)$/i;

/** Why a number of this column measures nothing, or undefined where it may. */
export function whyNoMeasure(
  column: ResultColumn,
  item: ItemFacts | undefined,
  catalog: Catalog | undefined,
): string | undefined {
  if (item?.ranks === true) return 'is a place in an order';
  if (counts(column, item)) return undefined;
  if (item?.joins === true) return 'is what rows are joined by';
  const stored = item?.source?.column ?? column.source?.attribute ?? bare(column.name);
  if (COORDINATE.test(stored)) return 'is a coordinate';
  if (ID_WORD.test(stored) || ID_CAMEL.test(stored) || /^[A-Z_]*(?:ID|CODE)$/.test(stored)) return 'is an identifier';
  if (RANK.test(stored) && isStored(item)) return 'is a place in an order';
  if (NUMBERED.test(stored) && item?.aggregate === undefined) return 'is an identifier';
  if (namesRelation(stored, catalog)) return 'is an identifier';
  return isKey(stored, item?.source?.relation ?? column.source?.relation, catalog) ? 'is a key' : undefined;
}

/** Without a shape it may be. */
const isStored = (item: ItemFacts | undefined): boolean =>
  item === undefined || (item.source !== undefined && item.aggregate === undefined);

/** `paperid` where there is a relation `paper`. */
function namesRelation(name: string, catalog: Catalog | undefined): boolean {
  const stem = /^(.{3,})id$/i.exec(name)?.[1]?.toLowerCase();
  if (stem === undefined || catalog === undefined) return false;
  return catalog.schema.relations.some((relation) => {
    const singular = relation.name.toLowerCase().replace(/s$/, '');
    return singular.length > 2 && stem.endsWith(singular);
  });
}

/** A count of identifiers is a number like any other. */
function counts(column: ResultColumn, item: ItemFacts | undefined): boolean {
  return item === undefined ? /^count\s*\(|^(?:n|num|number_of|count)_|_count$/i.test(column.name) : COUNTS(item);
}

const COUNTS = ({ aggregate }: ItemFacts): boolean => aggregate?.startsWith('count') === true;

/** `"t"."id"` and `max(t.id)`, as engines name columns without an alias, are `id`. */
function bare(name: string): string {
  const inside = /\(([^()]*)\)$/.exec(name)?.[1] ?? name;
  return (
    inside
      .split('.')
      .at(-1)
      ?.replaceAll(/["`[\]]/g, '')
      .trim() ?? name
  );
}

const keysOfCatalogs = new WeakMap<Catalog, ReadonlyMap<string, readonly { relation: string; isKey: boolean }[]>>();

/** Whether every attribute of that name, in that relation where it is known, belongs to a key. */
function isKey(attribute: string, relation: string | undefined, catalog: Catalog | undefined): boolean {
  if (catalog === undefined) return false;
  const known = keysOfCatalogs.get(catalog) ?? readKeys(catalog);
  keysOfCatalogs.set(catalog, known);
  const named = known.get(attribute.toLowerCase()) ?? [];
  const own = relation === undefined ? named : named.filter((each) => each.relation === relation.toLowerCase());
  return own.length > 0 && own.every((each) => each.isKey);
}

function readKeys({
  schema,
  uniqueKeys,
}: Catalog): ReadonlyMap<string, readonly { relation: string; isKey: boolean }[]> {
  const keys = new Set([
    ...schema.primaryKeys.flatMap(({ attributes }) => attributes),
    // A number that may not come twice is the number of something.
    ...uniqueKeys.flatMap(({ attributes }) => (attributes.length === 1 ? attributes : [])),
    ...schema.foreignKeys.flatMap(({ pairs }) => pairs.flatMap(({ from, to }) => [from, to])),
  ]);
  const relations = new Map(schema.relations.map(({ id, name }) => [id, name.toLowerCase()]));
  const found = new Map<string, { relation: string; isKey: boolean }[]>();
  for (const { id, name, relation } of schema.attributes) {
    const all = found.get(name.toLowerCase()) ?? [];
    all.push({ relation: relations.get(relation) ?? '', isKey: keys.has(id) });
    found.set(name.toLowerCase(), all);
  }
  return found;
}
