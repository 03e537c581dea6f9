import type {
  Attribute,
  AttributeId,
  Catalog,
  Dialect,
  ForeignKey,
  ForeignKeyId,
  KeyStanding,
  RelationId,
  RelationKind,
  SchemaIndex,
} from '@askema/core';
import { oneLine, quoteIfNeeded } from '@askema/core';

const EXPRESSION_CHARACTERS = 240;

/** What sheets are made of; the same for all relations of a catalog. */
export interface SheetSource {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly dialect: Pick<Dialect, 'identifiers' | 'lexer'>;
  /** UNIQUE keys of several attributes and CHECKs, by relation. */
  readonly uniqueKeys: ReadonlyMap<RelationId, readonly (readonly AttributeId[])[]>;
  readonly checks: ReadonlyMap<RelationId, readonly string[]>;
  /** Memo of names as SQL: the same few stand in many relations. */
  readonly names: Map<string, string>;
}

export interface SheetColumn {
  readonly id: AttributeId;
  /** As SQL. */
  readonly name: string;
  readonly type: string;
  /** Inline constraints, with a blank in front; empty for none. */
  readonly constraints: string;
  /** Fields that the type does not tell, as compact paths. */
  readonly fields: string;
}

/** A key or a check as a line of its own. */
interface SheetKey {
  readonly sql: string;
  readonly remark: string;
}

/**
 * What must not be lost of a relation: names, types, keys. Everything is on one line and without control characters.
 */
export interface Sheet {
  readonly id: RelationId;
  /** Its place in the catalog. */
  readonly position: number;
  readonly kind: RelationKind;
  /** Database and schema as SQL, with a dot behind each. */
  readonly qualifier: string;
  /** As SQL. */
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly keys: readonly SheetKey[];
  /** Columns that a budget left out of `columns`. */
  readonly hidden?: number | undefined;
  /** Shown by the names of its columns alone, with what they refer to. */
  readonly isBrief?: boolean | undefined;
}

const briefs = new WeakMap<Sheet, Sheet>();

/** The names of the columns, and which of them refer to other relations. Made once for a sheet. */
export function briefSheet(sheet: Sheet): Sheet {
  let brief = briefs.get(sheet);
  if (brief === undefined) {
    brief = {
      ...sheet,
      columns: sheet.columns.map(({ id, name, constraints }) => ({
        id,
        name,
        type: '',
        constraints: / REFERENCES .*$/.exec(constraints)?.[0] ?? '',
        fields: '',
      })),
      keys: sheet.keys.filter(({ sql }) => sql.startsWith('FOREIGN KEY ')),
      isBrief: true,
    };
    briefs.set(sheet, brief);
  }
  return brief;
}

export function makeSheet(source: SheetSource, relation: RelationId, position = 0): Sheet {
  return {
    id: relation,
    position,
    kind: source.catalog.relations[relation]?.kind ?? 'table',
    ...splitRelationName(source, relation),
    columns: source.index.attributesOf(relation).map((attribute) => makeColumn(source, attribute)),
    keys: keyLines(source, relation),
  };
}

/** The name of a relation as SQL, on one line. */
export function relationName(source: SheetSource, relation: RelationId): string {
  const { qualifier, name } = splitRelationName(source, relation);
  return qualifier + name;
}

function splitRelationName(source: SheetSource, relation: RelationId): Pick<Sheet, 'qualifier' | 'name'> {
  const { catalog, index, dialect } = source;
  const parts = catalog.relations[relation]?.nameParts ?? { relation: index.relation(relation)?.name ?? relation };
  let qualifier = '';
  for (const part of dialect.identifiers.qualifiers) {
    const name = parts[part];
    if (name !== undefined) qualifier += `${nameAsSql(source, name)}.`;
  }
  return { qualifier, name: nameAsSql(source, parts.relation) };
}

function makeColumn(source: SheetSource, attribute: Attribute): SheetColumn {
  const { catalog, index } = source;
  const info = catalog.attributes[attribute.id];
  const isKey = isSoleKey(source, attribute);
  const constraints = index.constraintsOn(attribute.id);
  const words = [
    isKey ? 'PRIMARY KEY' : '',
    constraints.includes('not null') && !isKey ? 'NOT NULL' : '',
    constraints.includes('unique') && !isKey ? 'UNIQUE' : '',
    singleReference(source, attribute),
  ];
  const type = info?.nativeType ?? attribute.type;
  return {
    id: attribute.id,
    name: nameAsSql(source, attribute.name),
    type: /^[\w(), ]*$/.test(type) ? type : oneLine(type),
    constraints: words.map((word) => (word === '' ? '' : ` ${word}`)).join(''),
    fields: (info?.nestedFields ?? [])
      .filter(({ path }) => !typeTells(type, path))
      .map((field) => oneLine(`${fieldPath(attribute.name, field.path)} ${field.nativeType}`))
      .join(', '),
  };
}

/** A type of the form `STRUCT<a STRING>` or `STRUCT(a VARCHAR)` names its fields itself. */
export function typeTells(type: string, path: readonly string[]): boolean {
  return path.every((step) => step === '[]' || type.includes(step)) && /[<(]/.test(type);
}

/** `payload.items[].price` */
export function fieldPath(attribute: string, path: readonly string[]): string {
  return [attribute, ...path].join('.').replaceAll('.[]', '[]');
}

function keyLines(source: SheetSource, relation: RelationId): SheetKey[] {
  const { catalog, index } = source;
  const items: SheetKey[] = [];
  const key = index.primaryKey(relation);
  if (key !== undefined && key.attributes.length > 1)
    items.push({
      sql: `PRIMARY KEY (${attributeNames(source, key.attributes)})`,
      remark: keyStanding(catalog, relation),
    });
  for (const attributes of source.uniqueKeys.get(relation) ?? [])
    items.push({ sql: `UNIQUE (${attributeNames(source, attributes)})`, remark: '' });
  for (const foreignKey of index.foreignKeysFrom(relation)) {
    if (isInline(source, foreignKey)) continue;
    const from = foreignKey.pairs.map((pair) => pair.from);
    items.push({
      sql: `FOREIGN KEY (${attributeNames(source, from)}) REFERENCES ${reference(source, foreignKey)}`,
      remark: keyStanding(catalog, foreignKey.id) + evidence(catalog, foreignKey.id),
    });
  }
  for (const expression of source.checks.get(relation) ?? [])
    items.push({ sql: `CHECK (${oneLine(expression, EXPRESSION_CHARACTERS)})`, remark: '' });
  return items;
}

/** What values say of an inferred key. */
function evidence({ inferredKeys = {} }: Catalog, id: ForeignKeyId): string {
  const found = Object.hasOwn(inferredKeys, id) ? inferredKeys[id] : undefined;
  if (found === undefined) return '';
  const { matchedShare, valueCount } = found;
  return valueCount === 0 ? ' from its name' : `: ${Math.floor(100 * matchedShare)} % of ${valueCount} values match`;
}

function isSoleKey({ index, catalog }: SheetSource, attribute: Attribute): boolean {
  const key = index.primaryKey(attribute.relation);
  return (
    key?.attributes.length === 1 &&
    key.attributes[0] === attribute.id &&
    keyStanding(catalog, attribute.relation) === ''
  );
}

/** A foreign key of one attribute that the engine enforces stands behind its attribute, if that has no other. */
function singleReference(source: SheetSource, attribute: Attribute): string {
  const key = source.index
    .foreignKeysFrom(attribute.relation)
    .find((candidate) => candidate.pairs[0]?.from === attribute.id && isInline(source, candidate));
  return key === undefined ? '' : `REFERENCES ${reference(source, key)}`;
}

function isInline({ catalog, index }: SheetSource, key: ForeignKey): boolean {
  const only = key.pairs.length === 1 ? key.pairs[0] : undefined;
  if (only === undefined || keyStanding(catalog, key.id) !== '') return false;
  return (
    index.foreignKeysFrom(key.relation).find(({ pairs }) => pairs.length === 1 && pairs[0]?.from === only.from) === key
  );
}

function reference(source: SheetSource, key: ForeignKey): string {
  const to = key.pairs.map((pair) => pair.to);
  return `${relationName(source, key.target)}(${attributeNames(source, to)})`;
}

function attributeNames(source: SheetSource, attributes: readonly AttributeId[]): string {
  return attributes.map((id) => nameAsSql(source, source.index.attribute(id)?.name ?? id)).join(', ');
}

/** Quoting refuses NUL, which no engine has in a name; a prompt about a broken catalog must not fail for it. */
function nameAsSql({ dialect, names }: Pick<SheetSource, 'dialect' | 'names'>, name: string): string {
  let written = names.get(name);
  if (written === undefined) {
    written = oneLine(quoteIfNeeded(name.replaceAll('\0', '\ufffd'), dialect));
    names.set(name, written);
  }
  return written;
}

/** How a key is known when the engine does not enforce it; empty when it does. */
export function keyStanding(catalog: Catalog, id: string): Exclude<KeyStanding, 'enforced'> | '' {
  const found = Object.hasOwn(catalog.keyStanding, id) ? catalog.keyStanding[id] : undefined;
  return found === undefined || found === 'enforced' ? '' : found;
}
