import {
  type Attribute,
  type Catalog,
  type ForeignKey,
  indexSchema,
  oneLine,
  type Schema,
  type SchemaIndex,
} from '@askema/core';

/**
 * A schema or catalog as DBML (https://dbml.dbdiagram.io/docs): every name in double quotes, composite keys as
 * `indexes`, foreign keys as `Ref` with `>` (many to one) or `-` (one to one). From a catalog it takes native types,
 * qualifiers of schemas and comments (as notes). What DBML has no words for is left out and named in a comment: a
 * foreign key to what is not there, an attribute that refers to itself, a second reference between the same attributes,
 * a relation without attributes.
 */
export function writeDbml(source: Schema | Catalog): string {
  const catalog = 'schema' in source ? source : undefined;
  const schema = 'schema' in source ? source.schema : source;
  const index = indexSchema(source);
  const writer: Writer = { catalog, index };
  const seen = new Set<string>();
  const parts = [
    ...schema.relations.map(({ id }) => table(writer, id)),
    ...schema.foreignKeys.map((key) => reference(writer, key, seen)),
  ];
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

interface Writer {
  readonly catalog: Catalog | undefined;
  readonly index: SchemaIndex;
}

function table(writer: Writer, relation: string): string {
  const { catalog, index } = writer;
  const attributes = index.attributesOf(relation);
  if (attributes.length === 0)
    return `// left out, because it has no attributes: ${oneLine(relationName(writer, relation))}`;
  const primary = index.primaryKey(relation)?.attributes ?? [];
  const composite = [
    ...(primary.length > 1 ? [`    ${columns(index, primary)} [pk]`] : []),
    ...(catalog?.uniqueKeys ?? [])
      .filter((key) => key.relation === relation && key.attributes.length > 1)
      .map((key) => `    ${columns(index, key.attributes)} [unique]`),
  ];
  const note = catalog?.relations[relation]?.comment;
  return [
    `Table ${relationName(writer, relation)} {`,
    ...attributes.map((attribute) => `  ${column(writer, attribute, primary)}`),
    ...(composite.length === 0 ? [] : ['', '  indexes {', ...composite, '  }']),
    ...(note === undefined || note === '' ? [] : ['', `  Note: ${quoteText(note)}`]),
    '}',
  ].join('\n');
}

function column({ catalog, index }: Writer, attribute: Attribute, primary: readonly string[]): string {
  const info = catalog?.attributes[attribute.id];
  const isKey = primary.length === 1 && primary[0] === attribute.id;
  const settings = [
    isKey ? 'pk' : '',
    index.isNotNull(attribute.id) ? 'not null' : '',
    index.constraintsOn(attribute.id).includes('unique') && !isKey ? 'unique' : '',
    info?.comment === undefined || info.comment === '' ? '' : `note: ${quoteText(info.comment)}`,
  ].filter((setting) => setting !== '');
  const type = info?.nativeType === undefined || info.nativeType === '' ? attribute.type : quoteName(info.nativeType);
  return `${quoteName(attribute.name)} ${type}${settings.length === 0 ? '' : ` [${settings.join(', ')}]`}`;
}

function reference(writer: Writer, key: ForeignKey, seen: Set<string>): string {
  const { index } = writer;
  const isThere =
    index.relation(key.target) !== undefined &&
    key.pairs.every(({ from, to }) => index.attribute(from) !== undefined && index.attribute(to) !== undefined);
  const from = key.pairs.map((pair) => pair.from);
  const to = key.pairs.map((pair) => pair.to);
  const ends = [endpoint(writer, key.relation, from), endpoint(writer, key.target, to)] as const;
  if (!isThere) return `// left out, because its target is not there: ${oneLine(ends.join(' > '))}`;
  // The order of the columns makes no difference to DBML: (a, b) > (b, a) is a reference to itself as well.
  const sets = [endpoint(writer, key.relation, [...from].sort()), endpoint(writer, key.target, [...to].sort())];
  const id = [...sets].sort().join(' ');
  if (sets[0] === sets[1] || seen.has(id))
    return `// left out, because DBML has one reference between the same columns, and none from a column to itself: ${oneLine(ends.join(' > '))}`;
  seen.add(id);
  const primary = index.primaryKey(key.relation)?.attributes ?? [];
  const isOne =
    from.some((attribute) => index.isUnique(attribute)) ||
    (primary.length > 0 && primary.every((attribute) => from.includes(attribute)));
  return `Ref: ${ends.join(isOne ? ' - ' : ' > ')}`;
}

function endpoint(writer: Writer, relation: string, attributes: readonly string[]): string {
  const [first] = attributes;
  const list =
    attributes.length === 1 && first !== undefined ? name(writer.index, first) : columns(writer.index, attributes);
  return `${relationName(writer, relation)}.${list}`;
}

function columns(index: SchemaIndex, attributes: readonly string[]): string {
  return `(${attributes.map((id) => name(index, id)).join(', ')})`;
}

function name(index: SchemaIndex, attribute: string): string {
  return quoteName(index.attribute(attribute)?.name ?? attribute);
}

/** DBML knows a schema in front of a table, no database. */
function relationName({ catalog, index }: Writer, relation: string): string {
  const parts = catalog?.relations[relation]?.nameParts ?? { relation: index.relation(relation)?.name ?? relation };
  return [parts.schema, parts.relation].flatMap((part) => (part === undefined ? [] : quoteName(part))).join('.');
}

function quoteName(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\"')}"`;
}

function quoteText(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
