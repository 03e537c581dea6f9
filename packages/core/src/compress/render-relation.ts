import type { Dialect } from '../adapter/dialect.ts';
import { qualifiedName, quoteIfNeeded, quoteString } from '../adapter/quote-name.ts';
import type { Catalog, KeyStanding } from '../catalog/catalog.ts';
import type { Attribute, AttributeId, ForeignKey, RelationId } from '../schema/schema.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Value } from '../values/value.ts';
import { oneLine } from './one-line.ts';

/** Lengths beyond which text of the database is cut. */
const COMMENT_CHARACTERS = 240;
const EXPRESSION_CHARACTERS = 240;
const SAMPLE_CHARACTERS = 40;
const SAMPLES_CHARACTERS = 160;
const TYPE_CHARACTERS = 400;

/** What rendering reads; the same for all relations of a catalog. */
export interface RenderInput {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly dialect: Pick<Dialect, 'identifiers' | 'lexer'>;
  readonly samples: Readonly<Record<AttributeId, readonly Value[]>>;
  /** UNIQUE keys of several attributes and CHECKs, by relation. */
  readonly uniqueKeys: ReadonlyMap<RelationId, readonly (readonly AttributeId[])[]>;
  readonly checks: ReadonlyMap<RelationId, readonly string[]>;
}

/**
 * One relation in the manner of CREATE TABLE, made for reading: one line for each attribute and key, comments behind `--`. All text of
 * the database is on one line and without control characters, so that no comment or name can begin a line of its own.
 */
export function renderRelation(input: RenderInput, relation: RelationId): string {
  const { catalog, index } = input;
  const info = catalog.relations[relation];
  const items = [
    ...index.attributesOf(relation).map((attribute) => attributeLine(input, attribute)),
    ...keyLines(input, relation),
  ];
  const kind = (info?.kind ?? 'table').toUpperCase();
  const lines = [withComment(`CREATE ${kind} ${relationName(input, relation)} (`, relationRemarks(input, relation))];
  for (const [position, { sql, remark, further }] of items.entries()) {
    lines.push(withComment(`  ${sql}${position === items.length - 1 ? '' : ','}`, remark));
    for (const line of further ?? []) lines.push(`    -- ${line}`);
  }
  lines.push(');');
  return lines.join('\n');
}

interface Item {
  readonly sql: string;
  readonly remark: string;
  readonly further?: readonly string[] | undefined;
}

/** The name of a relation as SQL, on one line. */
export function relationName({ catalog, index, dialect }: RenderInput, relation: RelationId): string {
  const parts = catalog.relations[relation]?.nameParts ?? { relation: index.relation(relation)?.name ?? relation };
  const withoutNul = {
    database: parts.database && withoutNulCharacters(parts.database),
    schema: parts.schema && withoutNulCharacters(parts.schema),
    relation: withoutNulCharacters(parts.relation),
  };
  return oneLine(qualifiedName(withoutNul, dialect));
}

function attributeLine(input: RenderInput, attribute: Attribute): Item {
  const { catalog, index } = input;
  const info = catalog.attributes[attribute.id];
  const isKey = isSoleKey(input, attribute);
  const words = [
    attributeName(input, attribute.id),
    oneLine(info?.nativeType ?? attribute.type, TYPE_CHARACTERS),
    isKey ? 'PRIMARY KEY' : '',
    index.isNotNull(attribute.id) && !isKey ? 'NOT NULL' : '',
    index.constraintsOn(attribute.id).includes('unique') && !isKey ? 'UNIQUE' : '',
    singleReference(input, attribute),
  ];
  const generated = info?.generated === undefined || info.generated === 'identity' ? '' : 'generated';
  const remark = joinRemarks(comment(info?.comment), generated, sampleRemark(input, attribute.id));
  const further = info?.nestedFields?.map((field) => {
    const path = [attribute.name, ...field.path].join('.').replaceAll('.[]', '[]');
    return joinRemarks(oneLine(`${path} ${field.nativeType}`, TYPE_CHARACTERS), comment(field.comment));
  });
  return { sql: words.filter((word) => word !== '').join(' '), remark, further };
}

function keyLines(input: RenderInput, relation: RelationId): Item[] {
  const { catalog, index } = input;
  const items: Item[] = [];
  const key = index.primaryKey(relation);
  if (key !== undefined && key.attributes.length > 1)
    items.push({ sql: `PRIMARY KEY (${names(input, key.attributes)})`, remark: standing(catalog, relation) });
  for (const attributes of input.uniqueKeys.get(relation) ?? [])
    items.push({ sql: `UNIQUE (${names(input, attributes)})`, remark: '' });
  for (const foreignKey of index.foreignKeysFrom(relation)) {
    if (isInline(input, foreignKey)) continue;
    const from = names(
      input,
      foreignKey.pairs.map((pair) => pair.from),
    );
    items.push({
      sql: `FOREIGN KEY (${from}) REFERENCES ${reference(input, foreignKey)}`,
      remark: standing(catalog, foreignKey.id),
    });
  }
  for (const expression of input.checks.get(relation) ?? [])
    items.push({ sql: `CHECK (${oneLine(expression, EXPRESSION_CHARACTERS)})`, remark: '' });
  return items;
}

function isSoleKey({ index, catalog }: RenderInput, attribute: Attribute): boolean {
  const key = index.primaryKey(attribute.relation);
  return (
    key?.attributes.length === 1 && key.attributes[0] === attribute.id && standing(catalog, attribute.relation) === ''
  );
}

/** A foreign key of one attribute that the engine enforces stands behind its attribute, if that has no other. */
function singleReference(input: RenderInput, attribute: Attribute): string {
  const key = input.index
    .foreignKeysFrom(attribute.relation)
    .find((candidate) => candidate.pairs[0]?.from === attribute.id && isInline(input, candidate));
  return key === undefined ? '' : `REFERENCES ${reference(input, key)}`;
}

function isInline({ catalog, index }: RenderInput, key: ForeignKey): boolean {
  const only = key.pairs.length === 1 ? key.pairs[0] : undefined;
  if (only === undefined || standing(catalog, key.id) !== '') return false;
  return (
    index.foreignKeysFrom(key.relation).find(({ pairs }) => pairs.length === 1 && pairs[0]?.from === only.from) === key
  );
}

function reference(input: RenderInput, key: ForeignKey): string {
  const targets = names(
    input,
    key.pairs.map((pair) => pair.to),
  );
  return `${relationName(input, key.target)}(${targets})`;
}

function names(input: RenderInput, attributes: readonly AttributeId[]): string {
  return attributes.map((id) => attributeName(input, id)).join(', ');
}

function attributeName({ index, dialect }: RenderInput, id: AttributeId): string {
  return oneLine(quoteIfNeeded(withoutNulCharacters(index.attribute(id)?.name ?? id), dialect));
}

/** Quoting refuses NUL, which no engine has in a name; a prompt about a broken catalog must not fail for it. */
function withoutNulCharacters(name: string): string {
  return name.replaceAll('\0', '\ufffd');
}

function relationRemarks({ catalog, index }: RenderInput, relation: RelationId): string {
  const info = catalog.relations[relation];
  const parts = info?.partitioning;
  const by = parts?.attributes.map((id) => index.attribute(id)?.name ?? id).join(', ') ?? '';
  const partitioning =
    parts === undefined
      ? ''
      : oneLine(`${parts.kind === 'partition' ? 'partitioned' : 'clustered'} by ${by}`, COMMENT_CHARACTERS);
  const filter = parts?.filterRequired ? 'every query must filter on it' : '';
  const key = index.primaryKey(relation);
  const keyStanding = standing(catalog, relation);
  const soleKey =
    key?.attributes.length === 1 && keyStanding !== ''
      ? `key ${oneLine(index.attribute(key.attributes[0] ?? '')?.name ?? '')} (${keyStanding})`
      : '';
  return joinRemarks(comment(info?.comment), soleKey, partitioning, filter);
}

function standing(catalog: Catalog, id: string): Exclude<KeyStanding, 'enforced'> | '' {
  const found = Object.hasOwn(catalog.keyStanding, id) ? catalog.keyStanding[id] : undefined;
  return found === undefined || found === 'enforced' ? '' : found;
}

function sampleRemark({ samples, dialect }: RenderInput, attribute: AttributeId): string {
  const values = Object.hasOwn(samples, attribute) ? samples[attribute] : undefined;
  const shown: string[] = [];
  let characters = 0;
  for (const value of values ?? []) {
    if (value === null) continue;
    const text = sampleText(value, dialect);
    characters += text.length + 2;
    if (shown.length > 0 && characters > SAMPLES_CHARACTERS) break;
    shown.push(text);
  }
  return shown.length === 0 ? '' : `e.g. ${shown.join(', ')}`;
}

function sampleText(value: Value, dialect: Pick<Dialect, 'lexer'>): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') {
    const cut = oneLine(value.replaceAll('\0', '\\0'), SAMPLE_CHARACTERS);
    return quoteString(cut, { lexer: { ...dialect.lexer, backslashEscapes: false } });
  }
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value.subarray(0, SAMPLE_CHARACTERS / 4)).toString('hex');
    return `x'${hex}${value.byteLength > SAMPLE_CHARACTERS / 4 ? '…' : ''}'`;
  }
  return typeof value === 'object' ? oneLine(JSON.stringify(value), SAMPLE_CHARACTERS) : String(value);
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : oneLine(text.trim().replace(/\s+/g, ' '), COMMENT_CHARACTERS);
}

function joinRemarks(...remarks: readonly string[]): string {
  return remarks.filter((remark) => remark !== '').join('; ');
}

function withComment(line: string, remark: string): string {
  return remark === '' ? line : `${line} -- ${remark}`;
}
