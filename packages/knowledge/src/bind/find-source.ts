import {
  type Catalog,
  type Dialect,
  didYouMean,
  didYouMeanOneOf,
  indexSchema,
  qualifiedName,
  type Relation,
  type RelationId,
} from '@askema/core';
import {
  isSelectOnly,
  isSymbol,
  isWord,
  readOnlyText,
  relationsIn,
  type SqlToken,
  significantTokens,
} from '@askema/sql';
import { shortLine } from '../words/short-line.ts';
import { type NamePart, nameParts, storedName } from './name-parts.ts';
import type { Remark } from './problem-list.ts';

/** What the source of a dataset means. */
type FoundSource =
  | {
      readonly kind: 'relation';
      readonly id: RelationId;
      readonly from: string;
      readonly remark?: Remark | undefined;
    }
  /** `reads`: the relations that it names. */
  | { readonly kind: 'query'; readonly from: string; readonly reads: readonly RelationId[] }
  | { readonly kind: 'problem'; readonly remark: Remark };

/** Looks up sources in a catalog. */
export type FindSource = (source: string) => FoundSource;

/** The schema that is meant where a catalog names none, of an engine that has others beside it (DuckDB). */
const DEFAULT_SCHEMA = /^main$/i;
const QUERY_WORDS = ['SELECT', 'WITH', 'VALUES', 'FROM', 'TABLE'];

/**
 * Names are looked up as the engine stores them, then as they are written, then without case: models are carried from
 * engine to engine.
 */
export function sourceFinder(catalog: Catalog, dialect: Dialect): FindSource {
  const index = indexSchema(catalog);
  const byName = Map.groupBy(index.schema.relations, ({ name }) => name.toLowerCase());
  const shown = (relation: Relation): string => {
    const parts = catalog.relations[relation.id]?.nameParts;
    return parts === undefined ? relation.name : qualifiedName(parts, dialect);
  };

  const findName = (parts: readonly NamePart[], written: string): FoundSource => {
    const last = parts.at(-1);
    const same = last === undefined ? [] : namedLike(byName.get(last.text.toLowerCase()) ?? [], last, dialect);
    const found = same.filter(({ id }) => fits(catalog, dialect, id, parts.slice(0, -1)));
    const inDefault = found.filter(({ id }) => catalog.relations[id]?.nameParts.schema === undefined);
    const [relation, other] = inDefault.length === 1 ? inDefault : found;
    if (relation === undefined) {
      const near = same.length > 0 ? didYouMeanOneOf(same.slice(0, 3).map(shown)) : undefined;
      const names = index.schema.relations.map(shown);
      return problem({
        code: 'unknown-source',
        message: `The source \`${written}\` is not in the catalog of the database.`,
        advice: (near ?? didYouMean(written, names)) || `The catalog has ${names.length} relations; none is alike.`,
      });
    }
    if (other !== undefined)
      return problem({
        code: 'ambiguous-source',
        message: `The source \`${written}\` may be ${found
          .slice(0, 3)
          .map((one) => `\`${shown(one)}\``)
          .join(' or ')}.`,
        advice: 'Write the schema in front of its name.',
      });
    const unread = unreadQualifiers(catalog, dialect, relation.id, parts.slice(0, -1));
    return {
      kind: 'relation',
      id: relation.id,
      from: shown(relation),
      remark: unread.length === 0 ? undefined : unreadRemark(written, unread, shown(relation)),
    };
  };

  return (source) => {
    const parts = nameParts(source, dialect);
    if (parts !== undefined) return findName(parts, source);
    const tokens = significantTokens(source, dialect.lexer);
    const isQuery = QUERY_WORDS.some((word) =>
      isWord(
        tokens.find(({ text }) => text !== '('),
        word,
      ),
    );
    // Names with blanks or dashes that nobody quoted.
    if (!isQuery && byName.has((source.split('.').at(-1) ?? '').trim().toLowerCase()))
      return findName(
        source.split('.').map((text) => ({ text: text.trim(), isQuoted: true })),
        source,
      );
    if (!isSelectOnly(source, dialect.lexer) || !isClosed(tokens)) return problem(notOneQuery(source, dialect));
    const reads: RelationId[] = [];
    for (const path of relationsIn(source, dialect.lexer)) {
      const found = findName(
        path.map((text) => ({ text, isQuoted: false })),
        path.join('.'),
      );
      if (found.kind === 'problem')
        return problem({
          ...found.remark,
          message: `The query that is its source does not hold: ${found.remark.message}`,
        });
      if (found.kind === 'relation') reads.push(found.id);
    }
    const last = tokens.findLastIndex(({ text }) => text !== ';');
    return { kind: 'query', from: `(${source.slice(tokens[0]?.start, tokens[last]?.end)})`, reads };
  };
}

/** Whether each bracket has its other: the source is put into brackets, and must not end them. */
function isClosed(tokens: readonly SqlToken[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function problem(remark: Remark): FoundSource {
  return { kind: 'problem', remark };
}

function notOneQuery(source: string, dialect: Dialect): Remark {
  const verdict = readOnlyText(source, dialect.lexer);
  return {
    code: 'source-refused',
    message: `Its source is neither the name of a relation nor one query that only reads: \`${shortLine(source)}\`.${verdict.ok ? (isClosed(significantTokens(source, dialect.lexer)) ? '' : ' Its brackets do not match.') : ` ${verdict.reason}`}`,
    advice: 'Write the name of a table or a view, or one SELECT.',
  };
}

/** Of relations whose names differ in case, those that the engine would take; all where it would take none. */
function namedLike(relations: readonly Relation[], part: NamePart, dialect: Dialect): readonly Relation[] {
  for (const wanted of [storedName(part, dialect), part.text]) {
    const exact = relations.filter(({ name }) => name === wanted);
    if (exact.length > 0) return exact;
  }
  return relations;
}

/** Whether a relation may be the one behind these qualifiers, outermost first. */
function fits(catalog: Catalog, dialect: Dialect, id: RelationId, outer: readonly NamePart[]): boolean {
  const stored = catalog.relations[id]?.nameParts;
  const [schema, database, ...more] = outer.toReversed();
  if (more.length > 0) return false;
  const isSame = (written: NamePart | undefined, name: string | undefined, isWritten: boolean): boolean => {
    if (written === undefined) return true;
    if (name !== undefined) return written.text.toLowerCase() === name.toLowerCase();
    return !isWritten || DEFAULT_SCHEMA.test(written.text);
  };
  const { qualifiers } = dialect.identifiers;
  return isSame(schema, stored?.schema, qualifiers.includes('schema')) && isSame(database, stored?.database, false);
}

/** Qualifiers that nothing in the catalog speaks for. */
function unreadQualifiers(
  catalog: Catalog,
  { identifiers }: Dialect,
  id: RelationId,
  outer: readonly NamePart[],
): readonly string[] {
  const stored = catalog.relations[id]?.nameParts;
  const [schema, database] = outer.toReversed();
  const isSchemaRead =
    stored?.schema !== undefined ||
    identifiers.qualifiers.includes('schema') ||
    DEFAULT_SCHEMA.test(schema?.text ?? '');
  return [
    ...(database === undefined || stored?.database !== undefined ? [] : [database.text]),
    ...(schema === undefined || isSchemaRead ? [] : [schema.text]),
  ];
}

function unreadRemark(written: string, unread: readonly string[], taken: string): Remark {
  const names = unread.map((name) => `\`${name}\``).join(' and ');
  return {
    severity: 'note',
    code: 'source-qualifier',
    message: `The catalog does not tell whether its relations are in ${names}: the source \`${written}\` is read as \`${taken}\`.`,
  };
}
