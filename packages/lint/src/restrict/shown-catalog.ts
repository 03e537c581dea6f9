import { type AttributeId, type Catalog, finishCatalog, foldName, indexSchema, type RelationId } from '@askema/core';
import { withoutCase } from './clear-names.ts';

/** What is kept back of a catalog. */
export interface KeptBack {
  readonly whole: Catalog;
  readonly hiddenRelations: ReadonlySet<RelationId>;
  readonly hidden: ReadonlySet<AttributeId>;
  readonly masked: ReadonlySet<AttributeId>;
}

/** Adapters put the words of their engine behind a colon. */
export function beforeEngineWords(text: string): string {
  return text.split(/:\s/)[0] ?? '';
}

/** Tells whether a text has one of the names in it, as a word or in one, in any case of its letters. */
export function mentions(names: Iterable<string>): (text: string) => boolean {
  const spelled = [...names].map((name) => withoutQuotes(name) || name);
  return (text) => {
    const bare = withoutQuotes(text);
    return spelled.some((name) => bare.includes(name));
  };
}

/** In a text of SQL a quote within a name is written twice, or behind a backslash. */
const withoutQuotes = (text: string): string => withoutCase(text).replace(/["'`[\]\\]/g, '');

export const wordsOf = (text: string): readonly string[] =>
  foldName(text, 'insensitive').match(/[\p{L}\p{N}_$]+/gu) ?? [];

/** One word, which is looked for as a word and not within one. */
const WORD = /^[\p{L}\p{N}_$]+$/u;

/**
 * Tells whether the text of a type has one of the names in it. A name of the engine itself that has a schema in front of
 * it, or one behind it, is that of a user, and so is what stands behind `holds:`.
 */
export function namingOf(names: ReadonlySet<string>, own: ReadonlySet<string>): (nativeType: string) => boolean {
  const isNamed = mentions([...names].filter((name) => !WORD.test(name)));
  const isNaming = (nativeType: string): boolean => {
    const [type = '', ...held] = foldName(nativeType, 'insensitive').split('(holds: ');
    const words = [...type.matchAll(/(\."?)?([\p{L}\p{N}_$]+)("?\.)?/gu)].flatMap(([, before, word = '', behind]) =>
      before === undefined && behind === undefined && own.has(word) ? [] : [word],
    );
    return isNamed(nativeType) || [...words, ...wordsOf(held.join(' '))].some((word) => names.has(word));
  };
  // A catalog has far fewer types than columns.
  const known = new Map<string, boolean>();
  return (nativeType) => {
    const found = known.get(nativeType) ?? isNaming(nativeType);
    known.set(nativeType, found);
    return found;
  };
}

/** The labels of an enumeration are values. */
export const withoutTexts = (nativeType: string): string => nativeType.replace(/'(?:[^']|'')*'/g, "''");

/** Relations with a column that is hidden or masked. */
export function restrictedBy(
  { schema }: Catalog,
  hidden: ReadonlySet<AttributeId>,
  masked: ReadonlySet<AttributeId>,
): ReadonlySet<RelationId> {
  return new Set(schema.attributes.flatMap(({ id, relation }) => (hidden.has(id) || masked.has(id) ? [relation] : [])));
}

/** The catalog without what is hidden: neither entries nor texts (comments, defaults, checks) that name it. */
export function shownCatalog(
  { whole, hiddenRelations, hidden, masked }: KeptBack,
  secret: ReadonlySet<string>,
): Catalog {
  const index = indexSchema(whole);
  const isRelation = (id: RelationId): boolean => !hiddenRelations.has(id);
  const isAttribute = (id: AttributeId): boolean => !hidden.has(id) && isRelation(index.attribute(id)?.relation ?? '');
  const { schema } = whole;
  const isSecret = mentions(secret);
  const hiddenOf = Map.groupBy(
    schema.attributes.filter(({ id }) => hidden.has(id)),
    ({ relation }) => relation,
  );
  const namesOwn = new Map([...hiddenOf].map(([id, own]) => [id, mentions(own.map(({ name }) => name))]));
  /** The hidden columns of its own relation are not told of, though others have columns of these names. */
  const isSaid = (text: string | undefined, relation?: RelationId): boolean =>
    text !== undefined && !isSecret(text) && namesOwn.get(relation ?? '')?.(text) !== true;
  const said = <Key extends string>(key: Key, text: string | undefined, relation: RelationId | undefined) =>
    isSaid(text, relation) ? { [key]: text } : {};
  // In the path of a partitioned file the value follows: `patient=7/visits.csv`.
  const namesPartition = mentions(schema.attributes.flatMap(({ id, name }) => (masked.has(id) ? [`${name}=`] : [])));
  const foreignKeys = schema.foreignKeys.filter(
    ({ relation, target, pairs }) =>
      isRelation(relation) &&
      isRelation(target) &&
      pairs.every((pair) => [pair.from, pair.to].every((id) => isAttribute(id) && !masked.has(id))),
  );
  const keys = new Set<string>(foreignKeys.map(({ id }) => id));
  const { fingerprint: _fingerprint, ...rest } = whole;
  const relations = Object.entries(whole.relations).filter(([id]) => isRelation(id));
  const attributes = Object.entries(whole.attributes).filter(([id]) => isAttribute(id));
  return finishCatalog({
    ...rest,
    schema: {
      relations: schema.relations.filter(({ id }) => isRelation(id)),
      attributes: schema.attributes.filter(({ id }) => isAttribute(id)),
      primaryKeys: schema.primaryKeys.filter(
        ({ relation, attributes }) => isRelation(relation) && attributes.every(isAttribute),
      ),
      foreignKeys,
      domainConstraints: schema.domainConstraints.filter(({ attribute }) => isAttribute(attribute)),
    },
    relations: Object.fromEntries(
      relations.map(([id, { comment, definition, partitioning, ...info }]) => [
        id,
        {
          ...withoutSize(info),
          ...said('comment', comment, id),
          ...said('definition', definition, id),
          ...(partitioning?.attributes.every(isAttribute) === true ? { partitioning } : {}),
        },
      ]),
    ),
    attributes: Object.fromEntries(
      attributes.map(([id, { comment, defaultExpression, nestedFields, tags: _tags, ...info }]) => [
        id,
        masked.has(id)
          ? // What a stored index or sample holds of it then belongs to another column.
            { ...info, nativeType: withoutLabels(info.nativeType), masked: true, collation: 'masked', comment: MASKED }
          : {
              ...info,
              ...said('comment', comment, index.attribute(id)?.relation),
              ...said('defaultExpression', defaultExpression, index.attribute(id)?.relation),
              ...(nestedFields === undefined ? {} : { nestedFields }),
            },
      ]),
    ),
    uniqueKeys: whole.uniqueKeys.filter(
      ({ relation, attributes }) => isRelation(relation) && attributes.every(isAttribute),
    ),
    checks: whole.checks.filter(
      ({ relation, expression }) =>
        isRelation(relation) && isSaid(expression, relation) && !restrictsIn(whole, relation, masked),
    ),
    families: whole.families
      .map((family) => ({ ...family, members: family.members.filter(isRelation) }))
      .filter(({ members, pattern }) => members.length > 1 && isSaid(pattern)),
    keyStanding: Object.fromEntries(
      Object.entries(whole.keyStanding).filter(([id]) => keys.has(id) || (id in whole.relations && isRelation(id))),
    ),
    incomplete: whole.incomplete
      .filter((gap) => isSaid(JSON.stringify(gap)) && !namesPartition(gap.subject))
      .map((gap) => ({ ...gap, reason: beforeEngineWords(gap.reason) })),
  });
}

/**
 * Without what tells of hidden relations, and without sizes: bytes tell how long the values are that are kept back. So do
 * rows: engines estimate them by bytes, count them only where they are few, and show those that policies let through.
 */
function withoutSize({
  parents: _parents,
  tags: _tags,
  byteCount: _byteCount,
  rowCount: _rowCount,
  rowCountExact: _rowCountExact,
  ...info
}: Catalog['relations'][RelationId]) {
  return info;
}

const MASKED = 'masked: values cannot be read; it may be counted and tested with IS NULL';

/** `enum('a','b')` shows values. */
export function withoutLabels(nativeType: string): string {
  return nativeType.replace(/\s*\([^)]*['"].*/s, '');
}

/** A check such as `ssn IN ('…')` would show values. */
function restrictsIn({ schema }: Catalog, relation: RelationId, masked: ReadonlySet<AttributeId>): boolean {
  return schema.attributes.some((attribute) => attribute.relation === relation && masked.has(attribute.id));
}
