import { AskemaError, type AttributeId, type Dialect, foldName, type RelationId, type Span } from '@askema/core';
import {
  type ColumnShape,
  type CteShape,
  isSymbol,
  isWord,
  type NamePart,
  nameOfToken,
  type QueryBlock,
  type SqlParser,
  type SqlToken,
  significantTokens,
} from '@askema/sql';
import { PSEUDO_COLUMN } from '../resolve/find-column.ts';
import { resolveQuery } from '../resolve/resolve-query.ts';
import type { ResolvedBlock, ResolvedQuery } from '../resolve/resolved-query.ts';
import { checkFrom } from './check-from.ts';
import { checkTokens, firstAt, isClause, maskedUse, refused, wholeRow } from './check-tokens.ts';
import { type ClearQualifiers, clearQualifiers, nameInText, otherCases, unclear } from './clear-names.ts';
import { nearShown } from './engine-words.ts';
import { allowedForMasked, isComparedWithZero, mayBeRow } from './masked-use.ts';
import { type Accounted, type Restriction, relationNames } from './restriction.ts';

/** The limit that parsers have by themselves. */
const PARSE_MS = 5_000;

/** Some milliseconds' work for ordinary statements, and a second's for the longest. */
const MAX_CHARACTERS = 100_000;

/** What a check needs beside the statement. */
export interface StatementCheck {
  readonly restriction: Restriction;
  readonly dialect: Dialect;
  readonly parser: SqlParser;
  readonly signal?: AbortSignal | undefined;
  /** For the parser, whose own limit holds as well. */
  readonly timeoutMs: number;
}

/**
 * Refuses a statement of which it cannot be shown that it reads nothing that is kept back: every name in it has to be
 * found in the catalog, and whatever the parser does not fully resolve is refused.
 *
 * Returns what it reads by its text. Rejects with `QUERY_REFUSED`; no message has a name that the statement does not have itself.
 */
export async function checkStatement(sql: string, check: StatementCheck): Promise<Accounted> {
  const { restriction, dialect, parser, signal, timeoutMs } = check;
  // The checks of the text keep the whole program waiting.
  if (sql.length > MAX_CHARACTERS) throw refused(`it has more than ${MAX_CHARACTERS} characters`);
  const tokens = significantTokens(sql, dialect.lexer);
  checkTokens(sql, tokens, dialect);
  const parsed = await parser.parse(sql, dialect, { signal, timeoutMs: Math.min(timeoutMs, PARSE_MS) });
  if (!parsed.ok) throw refused(`the parser cannot take it apart (${parsed.failure})`);
  const { shape } = parsed;
  if (shape.statementCount !== 1) throw refused('it is more than one statement');
  const query = resolveQuery({ sql, shape, catalog: restriction.whole, dialect });
  const used = new Set<RelationId>();
  const known = relationNames(restriction);
  const bare = bareRelations(query);
  for (const { block, relations } of query.blocks) {
    if (block.kind === 'other') throw refused('it has a part that is no SELECT, no set operation and no VALUES');
    checkFrom(block, tokens);
    // Engines differ in what such a name means within the CTE itself.
    for (const cte of block.ctes) {
      if (known.all.has(fold(cte.name.text)))
        throw refused(`a CTE has the name of a relation, ${JSON.stringify(cte.name.text)}`);
      if (!cte.recursive && namesItself(cte, bare)) throw refused('a CTE names itself without RECURSIVE');
    }
    for (const [at, relation] of relations.entries()) {
      if (relation.kind === 'block') continue;
      const path = block.relations[at]?.name.map(({ text }) => text) ?? [];
      const shown = path.join('.');
      const several = known.severalOf(path);
      const mayBeOneOfSeveral = () =>
        refused(`${JSON.stringify(shown)} may be one of several relations; write its schema`);
      if (relation.kind !== 'relation' && several.some((id) => !restriction.hiddenRelations.has(id)))
        throw mayBeOneOfSeveral();
      if (relation.kind !== 'relation' || restriction.hiddenRelations.has(relation.id))
        throw notThere(shown, restriction);
      // Without its schema, the name may be that of a hidden one elsewhere on the search path.
      const isOwn = restriction.whole.relations[relation.id]?.nameParts.schema === undefined;
      const hasTwin = path.length === 1 && !isOwn && known.hiddenRelations.has(fold(shown));
      if (hasTwin || several.some((id) => known.kept(id))) throw mayBeOneOfSeveral();
      used.add(relation.id);
      if (restriction.restricted.has(relation.id) && (block.relations[at]?.columnAliases.length ?? 0) > 0)
        throw refused(`columns of ${JSON.stringify(shown)}, of which some are kept back, get other names`);
    }
  }
  const columns = new Set<string>();
  const hiddenColumns = new Set<string>();
  const columnNames = new Set<string>();
  const keptOf = new Map<RelationId, Set<string>>();
  for (const { id, relation, name } of restriction.whole.schema.attributes) {
    if (!used.has(relation)) continue;
    const folded = fold(name);
    columnNames.add(folded);
    if (!keeps(id, restriction)) continue;
    columns.add(folded);
    keptOf.set(relation, (keptOf.get(relation) ?? new Set()).add(folded));
    if (restriction.hidden.has(id)) hiddenColumns.add(folded);
  }
  const seen = new Set<number>();
  const isClear = clearQualifiers(query, columnNames, (relation, name) => keptOf.get(relation)?.has(name) === true);
  const readsRestricted = [...used].some((id) => restriction.restricted.has(id));
  // Engines take them for columns that the nearest table has by itself, and not for one of that name further out.
  for (const { block } of query.blocks)
    for (const { qualifier, name } of block.columns)
      if (readsRestricted && qualifier.length === 0 && PSEUDO_COLUMN.test(name.text))
        throw refused(
          `${JSON.stringify(name.text)} may be a column that every table has by itself; write the alias of its relation`,
        );
  // First where a hidden column stands itself: what is made of it has another name.
  for (const { block, columns: found } of query.blocks)
    for (const [at, column] of found.entries())
      if (column.kind === 'attribute' && restriction.hidden.has(column.attribute))
        throw notThere(block.columns[at]?.name.text ?? '', restriction);
  const spans = relationSpans(query, restriction);
  for (const block of query.blocks)
    checkBlock(block, restriction, {
      dialect,
      seen,
      columns,
      hiddenColumns,
      columnNames,
      rows: spans.names,
      isClear,
      tokens,
    });
  const isOtherCase = otherCases([...columns, ...known.hiddenRelations]);
  // What the parser may have left out of its tree is still in the text.
  for (const [at, token] of tokens.entries()) {
    const name = nameOfToken(token, dialect.lexer) ?? nameInText(tokens, at);
    if (name !== undefined && isOtherCase(name)) throw notThere(name, restriction);
    if (name === undefined || seen.has(token.start) || isClause(tokens, at)) continue;
    const folded = fold(name);
    const isHiddenRelation = known.hiddenRelations.has(folded) && restriction.secretNames.has(folded);
    if (columns.has(folded) || isHiddenRelation) throw notThere(name, restriction);
    // PostgreSQL calls the arrays of a row type `_users`.
    if (
      [folded, folded.replace(/^_+/, '')].some((one) => known.rowTypes.has(one)) &&
      !isPlaced(tokens, at, spans.places)
    )
      throw refused(`${JSON.stringify(name)} may stand for the columns of a relation, some of which are kept back`);
    if (spans.names.has(folded) && !isPlaced(tokens, at, spans.places)) throw wholeRow(name);
    if (isClear.used.has(folded) && !isPlaced(tokens, at, spans.places)) throw unclear(name);
  }
  const attributes = query.blocks.flatMap((block) =>
    block.columns.flatMap((column) => (column.kind === 'attribute' ? [column.attribute] : [])),
  );
  return withViews({ relations: used, attributes: new Set(attributes) }, restriction.views);
}

/** With what stands behind its views, which passed the same check. */
function withViews(accounted: Accounted, views: Restriction['views']): Accounted {
  const behind = [...accounted.relations].flatMap((id) => views.get(id) ?? []);
  return {
    relations: new Set([...accounted.relations, ...behind.flatMap(({ relations }) => [...relations])]),
    attributes: new Set([...accounted.attributes, ...behind.flatMap(({ attributes }) => [...attributes])]),
  };
}

/** What all blocks of a statement share. Names are folded. */
interface Statement {
  readonly dialect: Dialect;
  /** Where names start that may stand there. */
  readonly seen: Set<number>;
  /** Columns of the relations in it that are kept back. */
  readonly columns: ReadonlySet<string>;
  readonly hiddenColumns: ReadonlySet<string>;
  /** All columns of these. */
  readonly columnNames: ReadonlySet<string>;
  /** Names under which restricted relations are in it. */
  readonly rows: ReadonlySet<string>;
  readonly isClear: ClearQualifiers;
  readonly tokens: readonly SqlToken[];
}

const fold = (name: string): string => foldName(name, 'insensitive');

/** The same words for what is hidden and for what there is not; that a view cannot be looked into is told. */
function notThere(name: string, restriction: Restriction): AskemaError {
  const last = fold(name.split('.').at(-1) ?? name);
  if (
    Object.entries(restriction.whole.relations).some(
      ([id, { nameParts }]) => restriction.opaque.has(id) && fold(nameParts.relation) === last,
    )
  )
    return new AskemaError(
      'QUERY_REFUSED',
      `The statement is not run: ${JSON.stringify(name)} is a view, the database does not tell its definition to this user, and so what it reads is not known (\`hide\`, \`mask\`). Let the user see the definition, or read the tables themselves.`,
    );
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement is not run: ${JSON.stringify(name)} is not among the relations and columns that may be read here. Use those of the schema. ${nearShown(name, restriction)}`.trim(),
  );
}

/** Columns, stars and joins of one block; the places of the columns that may stand there are noted in `seen`. */
function checkBlock(
  { block, relations, columns, outputs }: ResolvedBlock,
  restriction: Restriction,
  { dialect, seen, columns: keptBack, hiddenColumns, columnNames, rows, isClear, tokens }: Statement,
): void {
  const own = relations.flatMap((relation) => (relation.kind === 'relation' ? [relation.id] : []));
  const isRestricted = own.some((id) => restriction.restricted.has(id));
  if (
    block.items.some((item) => item.kind === 'star' && starsRestricted(item.qualifier, block, relations, restriction))
  )
    throw refused('a star stands for columns of which some are kept back');
  if (isRestricted && block.joins.some(({ natural }) => natural))
    throw refused('a NATURAL JOIN compares columns of which some are kept back');
  for (const { using } of block.joins)
    for (const { text } of using) if (isKeptBack(text, own, restriction)) throw notThere(text, restriction);
  for (const [at, relation] of relations.entries()) {
    const { alias } = block.relations[at] ?? {};
    const isOne = relation.kind === 'relation' && restriction.restricted.has(relation.id);
    if (isOne && alias !== undefined && columnNames.has(fold(alias.text)))
      throw refused(`${JSON.stringify(alias.text)} is the alias of a relation and the name of a column`);
  }
  const isNoTest = (at: number): boolean => {
    const column = columns[at];
    if (column?.kind !== 'attribute') return false;
    return isComparedWithZero(column.attribute, restriction) || mayBeRow(column.attribute, restriction, dialect);
  };
  const allowed = allowedForMasked(block, tokens, isNoTest);
  /** What is kept back of one relation has the name of a column of another: which is meant, engines see in their own ways. */
  const isOfAnother = (shape: ColumnShape | undefined, among: ReadonlySet<string>): boolean =>
    shape !== undefined && among.has(fold(shape.name.text)) && !isClear.test(shape, block);
  for (const [at, column] of columns.entries()) {
    const shape = block.columns[at];
    const name = shape?.name.text ?? '';
    // In DuckDB `u['email']` is a field of a row, whatever the output is called.
    if (/^(?:output|alias)$/.test(column.kind) && shape?.qualifier.length === 0 && rows.has(fold(name)))
      throw wholeRow(name);
    switch (column.kind) {
      case 'attribute':
        if (restriction.masked.has(column.attribute)) {
          if (!allowed.has(at)) throw maskedUse(name, !isNoTest(at));
          if (isOfAnother(shape, hiddenColumns)) throw unclear(name);
        } else if (isOfAnother(shape, keptBack)) throw unclear(name);
        break;
      case 'output':
        if ((shape?.qualifier.length ?? 0) === 0 && keptBack.has(fold(name))) throw notThere(name, restriction);
        if (isOfAnother(shape, keptBack)) throw unclear(name);
        if (column.output.attribute !== undefined && restriction.hidden.has(column.output.attribute))
          throw notThere(name, restriction);
        if (column.output.attribute !== undefined && keeps(column.output.attribute, restriction)) throw maskedUse(name);
        break;
      case 'alias':
        // In GROUP BY, and within expressions of ORDER BY, engines take the column of that name instead.
        if (keptBack.has(fold(name))) throw notThere(name, restriction);
        break;
      case 'ambiguous':
        if (keptBack.has(fold(name))) throw notThere(name, restriction);
        throw refused(`${JSON.stringify(name)} may be a column of several relations in it`);
      default:
        if (!namesResult(block, outputs, shape) || keptBack.has(fold(name))) throw notThere(name, restriction);
    }
    if (shape !== undefined) seen.add(shape.name.span.start);
  }
  for (const { alias } of block.items) {
    if (alias === undefined) continue;
    // What our parser takes for a column and its alias may be an option to the engine: `SELECT sql_cache email`.
    const isWritten = isWord(tokens[firstAt(tokens, alias.span.start) - 1], 'AS');
    if (isWritten || !keptBack.has(fold(alias.text))) seen.add(alias.span.start);
  }
  for (const { columns: names } of block.ctes) for (const { span } of names) seen.add(span.start);
}

/** Behind a set operation ORDER BY sees the columns of its result alone. */
function namesResult(block: QueryBlock, outputs: ResolvedBlock['outputs'], column: ColumnShape | undefined): boolean {
  if (block.kind !== 'set operation' || column?.clause !== 'order by' || column.qualifier.length > 0) return false;
  return outputs?.some(({ name }) => name !== undefined && fold(name) === fold(column.name.text)) === true;
}

/** `t.*` stands for the columns of one relation of the block, `*` for those of all. */
function starsRestricted(
  qualifier: readonly NamePart[],
  block: QueryBlock,
  relations: ResolvedBlock['relations'],
  { restricted }: Restriction,
): boolean {
  const meant = fold(qualifier.at(-1)?.text ?? '');
  const stood = relations.filter((_, at) => {
    const { alias, name } = block.relations[at] ?? {};
    return qualifier.length === 0 || fold((alias ?? name?.at(-1))?.text ?? '') === meant;
  });
  // One that stands for nothing in sight stands for what cannot be told.
  if (qualifier.length > 0 && stood.length !== 1) return true;
  return stood.some((relation) => relation.kind === 'relation' && restricted.has(relation.id));
}

function keeps(id: AttributeId, { hidden, masked }: Restriction): boolean {
  return hidden.has(id) || masked.has(id);
}

function isKeptBack(name: string, relations: readonly RelationId[], restriction: Restriction): boolean {
  const folded = fold(name);
  return restriction.whole.schema.attributes.some(
    (attribute) =>
      relations.includes(attribute.relation) && fold(attribute.name) === folded && keeps(attribute.id, restriction),
  );
}

/** Names under which restricted relations are in the statement, and the places where such a name is no row. */
function relationSpans(query: ResolvedQuery, { restricted }: Restriction) {
  const names = new Set<string>();
  const places: Span[] = [];
  for (const { block, relations } of query.blocks) {
    for (const [at, relation] of relations.entries()) {
      const shape = block.relations[at];
      if (shape === undefined) continue;
      places.push(...shape.name.map(({ span }) => span), ...(shape.alias === undefined ? [] : [shape.alias.span]));
      if (relation.kind !== 'relation' || !restricted.has(relation.id)) continue;
      for (const part of [shape.name.at(-1), shape.alias]) if (part !== undefined) names.add(fold(part.text));
    }
    places.push(...block.ctes.map(({ name }) => name.span));
  }
  return { names, places };
}

function isPlaced(tokens: readonly SqlToken[], at: number, places: readonly Span[]): boolean {
  const token = tokens[at];
  if (token === undefined || isSymbol(tokens[at + 1], '.')) return true;
  return places.some(({ start, end }) => start <= token.start && token.end <= end);
}

/** Where names without a schema stand in FROM, by what they are. */
function bareRelations({ blocks }: ResolvedQuery): ReadonlyMap<string, readonly Span[]> {
  const names = blocks.flatMap(({ block }) => block.relations.flatMap(({ name }) => (name.length === 1 ? name : [])));
  const byName = Map.groupBy(names, ({ text }) => fold(text));
  return new Map([...byName].map(([name, parts]) => [name, parts.map(({ span }) => span)]));
}

/** Engines differ in what is meant: the CTE, or a relation of the database. */
function namesItself({ name, span }: CteShape, relations: ReadonlyMap<string, readonly Span[]>): boolean {
  const named = relations.get(fold(name.text)) ?? [];
  return named.some((inner) => inner.start > span.start && inner.end <= span.end);
}
