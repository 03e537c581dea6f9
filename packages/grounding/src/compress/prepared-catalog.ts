import type { AttributeId, Catalog, CompressOptions, RelationId, TableFamily } from '@askema/core';
import { indexSchema } from '@askema/core';
import { composeText } from './compose-text.ts';
import { createFamilyRanking, type FamilyRanking } from './family-ranking.ts';
import { familyGroups, findFamilies } from './find-families.ts';
import { createNameList, type NameList } from './name-list.ts';
import { type Brackets, chooseBrackets } from './name-patterns.ts';
import { briefSheet, makeSheet, type Sheet, type SheetSource } from './relation-sheet.ts';
import { NO_DETAIL } from './remarks.ts';
import { STANDARD_IDENTIFIERS, STANDARD_LEXER } from './standard-identifiers.ts';

/**
 * What is the same for all questions about a catalog. Made once for a catalog and a dialect, each part when it is first
 * asked for, so that a question pays for what it selects and not for what there is.
 */
export interface PreparedCatalog {
  readonly source: SheetSource;
  /** In the order of the catalog. */
  readonly sheets: readonly Sheet[];
  readonly brackets: Brackets | undefined;
  /** Relations that belong together, see `familyGroups`. */
  readonly groups: readonly (readonly Sheet[])[];
  readonly ranking: FamilyRanking;
  /** Families of two members or more: what the introspector knows comes before what names tell. */
  readonly families: readonly TableFamily[];
  readonly names: NameList;
  /** True for columns by whose names relations of different groups are joined where no key is declared. */
  readonly isShared: (name: string) => boolean;
  /** What a group counts by the names of its columns alone. */
  briefTokens(group: readonly Sheet[], count: (text: string) => number): number;
  /** What the shortest text of the whole catalog counts. */
  leastTokens(count: (text: string) => number): number;
}

type CompressDialect = NonNullable<CompressOptions['dialect']>;

const prepared = new WeakMap<Catalog, Map<CompressDialect | undefined, PreparedCatalog>>();

/** The same for the same catalog and dialect, by identity; gone with the catalog. */
export function prepareCatalog(catalog: Catalog, dialect: CompressDialect | undefined): PreparedCatalog {
  const ofCatalog = prepared.get(catalog) ?? new Map<CompressDialect | undefined, PreparedCatalog>();
  prepared.set(catalog, ofCatalog);
  const known = ofCatalog.get(dialect) ?? prepare(makeSource(catalog, dialect));
  ofCatalog.set(dialect, known);
  return known;
}

function prepare(source: SheetSource): PreparedCatalog {
  const sheets = source.catalog.schema.relations.map(({ id }, position) => makeSheet(source, id, position));
  const least = new Map<(text: string) => number, number>();
  const brief = new Map<(text: string) => number, Map<readonly Sheet[], number>>();
  const brackets = once(() => chooseBrackets(namesOf(sheets)));
  const groups = once(() => familyGroups(sheets));
  const parts = {
    ranking: once(() => createFamilyRanking(source, groups())),
    families: once(() => withKnownFamilies(source.catalog, sheets)),
    names: once(() => createNameList(sheets, brackets())),
    isShared: once(() => sharedNames(groups())),
  };
  return {
    source,
    sheets,
    get brackets() {
      return brackets();
    },
    get groups() {
      return groups();
    },
    get ranking() {
      return parts.ranking();
    },
    get families() {
      return parts.families();
    },
    get names() {
      return parts.names();
    },
    get isShared() {
      return parts.isShared();
    },
    briefTokens(group, count) {
      const ofCount = brief.get(count) ?? new Map<readonly Sheet[], number>();
      brief.set(count, ofCount);
      const known = ofCount.get(group);
      if (known !== undefined) return known;
      const selection = { shown: group.map(briefSheet), detail: NO_DETAIL, brackets: brackets() };
      const tokens = count(composeText({ ...source, samples: {} }, selection)());
      ofCount.set(group, tokens);
      return tokens;
    },
    leastTokens(count) {
      const known = least.get(count);
      if (known !== undefined) return known;
      const selection = { shown: sheets, detail: NO_DETAIL, isTight: true, brackets: brackets() };
      const tokens = count(composeText({ ...source, samples: {} }, selection)());
      least.set(count, tokens);
      return tokens;
    },
  };
}

function sharedNames(groups: readonly (readonly Sheet[])[]): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const [first] of groups)
    for (const { name } of first?.columns ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (name) => (counts.get(name) ?? 0) > 1;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function* namesOf(sheets: readonly Sheet[]): Generator<string> {
  for (const { name, columns } of sheets) {
    yield name;
    for (const column of columns) yield column.name;
  }
}

/** Names are only looked at where the introspector said nothing. */
function withKnownFamilies(catalog: Catalog, sheets: readonly Sheet[]): readonly TableFamily[] {
  if (catalog.families.length === 0) return findFamilies(sheets);
  const known = new Set(catalog.families.flatMap(({ members }) => members));
  return [...catalog.families, ...findFamilies(sheets.filter(({ id }) => !known.has(id)))];
}

function makeSource(catalog: Catalog, dialect: CompressDialect | undefined): SheetSource {
  const uniqueKeys = new Map<RelationId, (readonly AttributeId[])[]>();
  for (const key of catalog.uniqueKeys) {
    if (key.attributes.length < 2) continue;
    const keys = uniqueKeys.get(key.relation);
    if (keys === undefined) uniqueKeys.set(key.relation, [key.attributes]);
    else keys.push(key.attributes);
  }
  const checks = new Map<RelationId, string[]>();
  for (const { relation, expression } of catalog.checks) {
    const expressions = checks.get(relation);
    if (expressions === undefined) checks.set(relation, [expression]);
    else expressions.push(expression);
  }
  return {
    catalog,
    index: indexSchema(catalog),
    dialect: dialect ?? { identifiers: standardIdentifiers(catalog), lexer: STANDARD_LEXER },
    uniqueKeys,
    checks,
    names: new Map(),
  };
}

/** Where stored names compare exactly, an unquoted name may be folded either way: all are quoted. */
const QUOTE_ALL = { ...STANDARD_IDENTIFIERS, plainPattern: '(?!)' };

function standardIdentifiers({
  nameComparison,
  relationComparison = nameComparison,
}: Catalog): typeof STANDARD_IDENTIFIERS {
  return nameComparison === 'insensitive' && relationComparison === 'insensitive' ? STANDARD_IDENTIFIERS : QUOTE_ALL;
}
