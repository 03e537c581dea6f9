import {
  type Attribute,
  type Catalog,
  type ForeignKey,
  indexSchema,
  type RelationId,
  type Schema,
  type SchemaIndex,
} from '@askema/core';

/**
 * What Mermaid's lexer takes for something other than a name, in any case (erDiagram.jison;
 * https://mermaid.js.org/syntax/entityRelationshipDiagram.html).
 */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  'pk fk uk u one many only zero to optionally end style class classdef subgraph direction title acctitle accdescr erdiagram'.split(
    ' ',
  ),
);

/**
 * A schema or catalog as a Mermaid erDiagram. Names that Mermaid cannot take get a stable alias; the name itself stands
 * in the label of the entity, or in the comment of the attribute. A solid line is a foreign key inside of the primary
 * key (identifying), a dotted one any other. A foreign key to what is not in the schema is left out and named in a `%%`
 * comment.
 */
export function writeMermaid(source: Schema | Catalog): string {
  const catalog = 'schema' in source ? source : undefined;
  const schema = 'schema' in source ? source.schema : source;
  const index = indexSchema(source);
  const labels = new Map(schema.relations.map(({ id, name }) => [id, label(catalog, id, name)]));
  const aliases = stableAliases(schema.relations.map(({ id }) => [id, labels.get(id) ?? id]));
  const lines = ['erDiagram'];
  for (const { id } of schema.relations) lines.push(...entity(index, id, aliases.get(id) ?? '', labels.get(id) ?? id));
  for (const key of schema.foreignKeys) lines.push(relationship(index, key, aliases));
  return `${lines.join('\n')}\n`;
}

/** The name, with its qualifiers where the catalog has some. */
function label(catalog: Catalog | undefined, id: RelationId, name: string): string {
  const parts = catalog?.relations[id]?.nameParts;
  return parts === undefined
    ? name
    : [parts.database, parts.schema, parts.relation].filter((part) => part !== undefined).join('.');
}

function entity(index: SchemaIndex, relation: RelationId, alias: string, name: string): string[] {
  const attributes = index.attributesOf(relation);
  const head = alias === name ? `  ${alias}` : `  ${alias}["${escapeText(name)}"]`;
  if (attributes.length === 0) return [head];
  const names = stableAliases(attributes.map((attribute) => [attribute.id, attribute.name]));
  return [
    `${head} {`,
    ...attributes.map((attribute) => `    ${attributeLine(index, attribute, names.get(attribute.id) ?? '')}`),
    '  }',
  ];
}

function attributeLine(index: SchemaIndex, attribute: Attribute, alias: string): string {
  const keys = [
    index.primaryKey(attribute.relation)?.attributes.includes(attribute.id) ? 'PK' : '',
    index.foreignKeysFrom(attribute.relation).some(({ pairs }) => pairs.some(({ from }) => from === attribute.id))
      ? 'FK'
      : '',
    index.constraintsOn(attribute.id).includes('unique') ? 'UK' : '',
  ].filter((key) => key !== '');
  const comment = alias === attribute.name ? '' : `"${escapeText(attribute.name)}"`;
  return [attribute.type, alias, keys.join(', '), comment].filter((word) => word !== '').join(' ');
}

function relationship(index: SchemaIndex, key: ForeignKey, aliases: ReadonlyMap<RelationId, string>): string {
  const [target, own] = [aliases.get(key.target), aliases.get(key.relation)];
  const names = key.pairs.map(({ from }) => index.attribute(from)?.name ?? from);
  if (target === undefined || own === undefined)
    return `  %% left out: ${escapeText(key.relation)} (${escapeText(names.join(', '))}) references ${escapeText(key.target)}`;
  const primary = new Set(index.primaryKey(key.relation)?.attributes);
  const inKey = (attribute: string): boolean => primary.has(attribute);
  const from = key.pairs.map((pair) => pair.from);
  const isRequired = from.every((attribute) => inKey(attribute) || index.isNotNull(attribute));
  const isAtMostOne =
    from.some((attribute) => index.isUnique(attribute)) ||
    (primary.size > 0 && [...primary].every((id) => from.includes(id)));
  const line = from.every(inKey) ? '--' : '..';
  return `  ${target} ${isRequired ? '||' : '|o'}${line}${isAtMostOne ? 'o|' : 'o{'} ${own} : "${escapeText(names.join(', '))}"`;
}

/**
 * A name of Mermaid for each text: letters, digits and underscores. Equal ones are numbered in the order given, so that
 * the same schema has the same aliases.
 */
function stableAliases(names: readonly (readonly [id: string, name: string])[]): Map<string, string> {
  const aliases = new Map<string, string>();
  const taken = new Set<string>();
  const counters = new Map<string, number>();
  for (const [id, name] of names) {
    if (aliases.has(id)) continue;
    const base = plainName(name);
    let alias = base;
    for (let number = (counters.get(base) ?? 1) + 1; taken.has(alias.toLowerCase()); number += 1) {
      alias = `${base}_${number}`;
      counters.set(base, number);
    }
    taken.add(alias.toLowerCase());
    aliases.set(id, alias);
  }
  return aliases;
}

function plainName(name: string): string {
  // Mermaid takes letters from U+00C0 to U+FFFF as they are.
  const plain = name.replace(/[^A-Za-z0-9_\u00c0-\uffff]|[^\p{L}\p{M}\p{N}_]/gu, '_');
  const begun = /^[\p{L}_]/u.test(plain) ? plain : `_${plain}`;
  return RESERVED_WORDS.has(begun.toLowerCase()) ? `${begun}_` : begun;
}

/**
 * Text between double quotes: everything but letters, digits and a few marks as an entity code of Mermaid (`#34;`). The
 * words `direction LR` would be a statement even there.
 */
function escapeText(text: string): string {
  const cut = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return cut
    .replace(/[^\p{L}\p{M}\p{N} _.,…-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`)
    .replace(/\b(direction) +(?=TB|BT|RL|LR)/gi, '$1#32;');
}
