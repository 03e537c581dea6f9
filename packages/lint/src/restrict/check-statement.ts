import { AskemaError, type AttributeId, type Dialect, foldName, type RelationId, type Span } from '@askema/core';
import {
  callsIn,
  isSymbol,
  isWord,
  nameOfToken,
  type QueryBlock,
  type SqlParser,
  type SqlToken,
  significantTokens,
} from '@askema/sql';
import { resolveQuery } from '../resolve/resolve-query.ts';
import type { ResolvedBlock, ResolvedQuery } from '../resolve/resolved-query.ts';
import { isHarmlessCall } from './harmless-calls.ts';
import type { Restriction } from './restriction.ts';

/** What a check needs beside the statement. */
export interface StatementCheck {
  readonly restriction: Restriction;
  readonly dialect: Dialect;
  readonly parser: SqlParser;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Refuses a statement of which it cannot be shown that it reads nothing that is kept back: every name in it has to be
 * found in the catalog, and whatever the parser does not fully resolve is refused.
 *
 * Rejects with `QUERY_REFUSED`; no message has a name that the statement does not have itself.
 */
export async function checkStatement(sql: string, check: StatementCheck): Promise<void> {
  const { restriction, dialect, parser, signal } = check;
  const tokens = significantTokens(sql, dialect.lexer);
  const fold = (name: string): string => foldName(name, 'insensitive');
  checkTokens(sql, tokens, dialect);
  const parsed = await parser.parse(sql, dialect, { signal });
  if (!parsed.ok) throw refused(`the parser cannot take it apart (${parsed.failure})`);
  const { shape } = parsed;
  if (shape.statementCount !== 1) throw refused('it is more than one statement');
  const query = resolveQuery({ sql, shape, catalog: restriction.whole, dialect });
  const used = new Set<RelationId>();
  for (const { block, relations } of query.blocks) {
    if (block.kind === 'other') throw refused('it has a part that is no SELECT, no set operation and no VALUES');
    for (const [at, relation] of relations.entries()) {
      if (relation.kind === 'block') continue;
      const shown = block.relations[at]?.name.map(({ text }) => text).join('.') ?? '';
      if (relation.kind !== 'relation' || restriction.hiddenRelations.has(relation.id)) throw notThere(shown);
      used.add(relation.id);
      if (restriction.restricted.has(relation.id) && (block.relations[at]?.columnAliases.length ?? 0) > 0)
        throw refused(`columns of ${JSON.stringify(shown)}, of which some are kept back, get other names`);
    }
  }
  const seen = new Set<number>();
  for (const block of query.blocks) checkBlock(block, restriction, seen);
  // What the parser may have left out of its tree is still in the text.
  const columns = new Set<string>();
  for (const { id, relation, name } of restriction.whole.schema.attributes)
    if (used.has(relation) && (restriction.hidden.has(id) || restriction.masked.has(id))) columns.add(fold(name));
  const spans = relationSpans(query, restriction);
  for (const [at, token] of tokens.entries()) {
    const name = nameOfToken(token, dialect.lexer);
    if (name === undefined || seen.has(token.start)) continue;
    const folded = fold(name);
    if (columns.has(folded) || restriction.secretNames.has(folded)) throw notThere(name);
    if (spans.names.has(folded) && !isPlaced(tokens, at, spans.places))
      throw refused(`${JSON.stringify(name)} stands there as a whole row, and some of its columns are kept back`);
  }
}

function refused(why: string): AskemaError {
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement is not run, because some relations or columns are kept back (\`hide\`, \`mask\`) and ${why}. Name each column of the relations of the schema, and use plain SELECT.`,
  );
}

/** The same words for what is hidden and for what there is not. */
function notThere(name: string): AskemaError {
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement is not run: ${JSON.stringify(name)} is not among the relations and columns that may be read here. Use those of the schema.`,
  );
}

const REFUSED_WORDS = /^(?:table|show|describe|desc|summarize|explain|pragma|pivot|unpivot|copy|into|reg[a-z]+)$/i;

/** Forms that read without naming what they read. */
function checkTokens(sql: string, tokens: readonly SqlToken[], dialect: Dialect): void {
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (token.kind === 'unknown' || token.kind === 'template' || token.unterminated === true)
      throw refused('it has a piece that is no token of the dialect');
    if (isSymbol(token, '#') || /^#\d/.test(token.text) || /^U&$/i.test(token.text))
      throw refused(`it has ${JSON.stringify(token.text)}, which stands for a name`);
    const isFirst = at === 0 || isSymbol(tokens[at - 1], '(') || isSymbol(tokens[at - 1], ';');
    const isRegType = token.kind === 'word' && /^reg[a-z]+$/i.test(token.text) && isSymbol(tokens[at - 1], '::');
    if (token.kind === 'word' && REFUSED_WORDS.test(token.text) && (isFirst || isRegType))
      throw refused(`it has ${token.text}`);
    if (
      isWord(token, 'AS') &&
      next?.kind === 'word' &&
      /^reg(?:class|proc|procedure|type|role|namespace|oper|operator|config|dictionary|collation)$/i.test(next.text)
    )
      throw refused(`it has ${next.text}`);
    if (isWord(token, 'FROM') && isFirst) throw refused('it has FROM without SELECT');
    if (isWord(token, 'TABLE') || (isWord(token, 'COLUMNS') && isSymbol(next, '(')))
      throw refused(`it has ${token.text}`);
    if (isSymbol(token, '*')) checkStar(tokens, at);
  }
  for (const { name, schema, namesColumns, end } of callsIn(sql, dialect)) {
    const before = tokens[tokens.findIndex((token) => token.end === end) - 1];
    // `WITH name (a) AS (`, `INSERT`-like lists; the columns of relations are looked at by the parser.
    if (namesColumns || isWord(before, 'WITH') || isWord(before, 'RECURSIVE')) continue;
    if (!isHarmlessCall(name, schema))
      throw refused(`it calls ${JSON.stringify(name)}, which is not known to read only its arguments`);
  }
}

/** `row_to_json(t.*)`, `hash(*)`: stars in calls other than COUNT(*). */
function checkStar(tokens: readonly SqlToken[], at: number): void {
  const [twoBefore, before, next] = [tokens[at - 2], tokens[at - 1], tokens[at + 1]];
  if (!isSymbol(before, '(') && !(isSymbol(before, '.') && callsAround(tokens, at))) return;
  if (isSymbol(next, ')') && twoBefore?.kind === 'word' && isWord(twoBefore, 'COUNT')) return;
  throw refused('it hands a whole row to a function');
}

function callsAround(tokens: readonly SqlToken[], at: number): boolean {
  let start = at;
  while (isSymbol(tokens[start - 1], '.')) start -= 2;
  return (
    isSymbol(tokens[start - 1], '(') ||
    (isSymbol(tokens[start - 1], ',') && !isSymbol(tokens[at + 1], ',') && isSymbol(tokens[at + 1], ')'))
  );
}

/** Columns, stars and joins of one block; the places of the columns that may stand there are noted in `seen`. */
function checkBlock({ block, relations, columns }: ResolvedBlock, restriction: Restriction, seen: Set<number>): void {
  const own = relations.flatMap((relation) => (relation.kind === 'relation' ? [relation.id] : []));
  const isRestricted = own.some((id) => restriction.restricted.has(id));
  if (isRestricted && block.items.some(({ kind }) => kind === 'star'))
    throw refused('a star stands for columns of which some are kept back');
  if (isRestricted && block.joins.some(({ natural }) => natural))
    throw refused('a NATURAL JOIN compares columns of which some are kept back');
  for (const { using } of block.joins)
    for (const { text } of using) if (isKeptBack(text, own, restriction)) throw notThere(text);
  const allowed = allowedForMasked(block, columns, restriction);
  for (const [at, column] of columns.entries()) {
    const shape = block.columns[at];
    const name = shape?.name.text ?? '';
    switch (column.kind) {
      case 'attribute':
        if (restriction.hidden.has(column.attribute)) throw notThere(name);
        if (restriction.masked.has(column.attribute) && !allowed.has(at)) throw maskedUse(name);
        break;
      case 'output':
        if (column.output.attribute !== undefined && keeps(column.output.attribute, restriction)) throw maskedUse(name);
        break;
      case 'alias':
        break;
      default:
        throw notThere(name);
    }
    if (shape !== undefined) seen.add(shape.name.span.start);
  }
  for (const { alias } of block.items) if (alias !== undefined) seen.add(alias.span.start);
  for (const { columns: names } of block.ctes) for (const { span } of names) seen.add(span.start);
}

function maskedUse(name: string): AskemaError {
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement is not run: the values of ${JSON.stringify(name)} are masked. It may be counted (COUNT), tested with IS NULL, and compared by = with another masked column; nothing else.`,
  );
}

function keeps(id: AttributeId, { hidden, masked }: Restriction): boolean {
  return hidden.has(id) || masked.has(id);
}

function isKeptBack(name: string, relations: readonly RelationId[], restriction: Restriction): boolean {
  const folded = foldName(name, 'insensitive');
  return restriction.whole.schema.attributes.some(
    (attribute) =>
      relations.includes(attribute.relation) &&
      foldName(attribute.name, 'insensitive') === folded &&
      keeps(attribute.id, restriction),
  );
}

/** Columns of the block that stand where their values cannot be seen: indexes into `columns`. */
function allowedForMasked(
  block: QueryBlock,
  columns: ResolvedBlock['columns'],
  { masked }: Restriction,
): ReadonlySet<number> {
  const isMasked = (at: number | undefined): boolean => {
    const column = at === undefined ? undefined : columns[at];
    return column?.kind === 'attribute' && masked.has(column.attribute);
  };
  const allowed = new Set<number>();
  for (const { name, columns: inside, argumentCount, kind, span } of block.calls) {
    const [only] = inside;
    const isCount = name.length === 1 && name[0]?.text.toUpperCase() === 'COUNT' && kind === 'aggregate';
    const argument = only === undefined ? undefined : block.columns[only];
    // Behind the argument the call ends: no expression, no FILTER that could tell values apart.
    if (
      isCount &&
      argumentCount === 1 &&
      inside.length === 1 &&
      only !== undefined &&
      argument?.span.end === span.end - 1
    )
      allowed.add(only);
  }
  for (const { operator, left, right } of block.filters) {
    const [first] = left.columns;
    const [second] = right[0]?.columns ?? [];
    if (left.kind !== 'column' || first === undefined) continue;
    if (operator === 'is null') allowed.add(first);
    if (
      operator === '=' &&
      right[0]?.kind === 'column' &&
      second !== undefined &&
      isMasked(first) &&
      isMasked(second)
    ) {
      allowed.add(first);
      allowed.add(second);
    }
  }
  return allowed;
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
      for (const part of [shape.name.at(-1), shape.alias])
        if (part !== undefined) names.add(foldName(part.text, 'insensitive'));
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
