import { type ForeignSyntax, quoteIdentifier } from '@askema/core';
import {
  type FilterShape,
  isSymbol,
  isWord,
  type NamePart,
  type OperandShape,
  type QueryBlock,
  significantTokens,
} from '@askema/sql';
import { textOf } from '../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery } from '../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from './rule.ts';

/** Calls of functions that the dialect lacks, by its `foreignFunctions`. */
export const dialectFunction: InspectionRule = {
  code: 'dialect-function',
  severity: 'error',
  title: 'A function of another engine',
  *check(query) {
    const foreign = query.dialect.foreignFunctions;
    if (foreign === undefined) return;
    for (const { block } of query.blocks)
      for (const { name, span } of block.calls) {
        const [part] = name;
        const key = part?.text.toUpperCase();
        // A qualified or quoted name is a function of the user.
        if (part === undefined || key === undefined || name.length !== 1 || part.quoted || !Object.hasOwn(foreign, key))
          continue;
        yield {
          message: `${query.dialect.displayName} has no function ${key}.`,
          advice: `Write ${foreign[key] ?? ''}.`,
          span: textOf(query, part.span).toUpperCase() === key ? part.span : span,
        };
      }
  },
};

/** One use of a construct, for those that are in the dialect's `foreignSyntax`. */
interface SyntaxUse extends Pick<RuleFinding, 'span' | 'fix'> {
  readonly construct: ForeignSyntax;
}

const NAMES: Readonly<Record<ForeignSyntax, string>> = {
  top: 'SELECT TOP',
  limit: 'LIMIT',
  fetch: 'FETCH FIRST',
  qualify: 'QUALIFY',
  ilike: 'ILIKE',
  'double-colon cast': 'cast by ::',
  'quantified sub-query': 'ANY or ALL in front of a sub-query',
  lateral: 'LATERAL',
  'distinct on': 'DISTINCT ON',
  'grouping sets': 'ROLLUP, CUBE or GROUPING SETS',
  'typed literal': 'type in front of a string',
  extract: 'EXTRACT',
  interval: 'INTERVAL',
  minus: 'MINUS',
  'backtick names': 'names in backticks',
  'bracket names': 'names in square brackets',
  'double-quoted names': 'names in double quotes',
};

/** Constructs of other engines, by the dialect's `foreignSyntax`, and quotes that make a name of a value. */
export const dialectSyntax: InspectionRule = {
  code: 'dialect-syntax',
  severity: 'error',
  title: 'Syntax of another engine',
  *check(query) {
    const foreign = query.dialect.foreignSyntax ?? {};
    for (const { construct, span, fix } of [
      ...foreignClauses(query),
      ...foreignTokens(query),
      ...foreignQuotes(query),
    ]) {
      const advice = foreign[construct];
      if (advice === undefined) continue;
      yield {
        message: `${query.dialect.displayName} has no ${NAMES[construct]}.`,
        advice: `Write ${advice}.`,
        span,
        fix,
      };
    }
    yield* stringsAsNames(query);
  },
};

/** Constructs that the shape of the statement shows. */
function* foreignClauses(query: ResolvedQuery): Generator<SyntaxUse, void, undefined> {
  for (const { block } of query.blocks) {
    const { limit, clauses, relations, filters, groupings, distinct, span } = block;
    if (limit !== undefined) {
      const word = /^\s*(top|limit|fetch)\b/i.exec(textOf(query, limit.span))?.[1]?.toLowerCase();
      if (word === 'top' || word === 'limit' || word === 'fetch') yield { construct: word, span: limit.span };
    }
    if (clauses.qualify !== undefined) yield { construct: 'qualify', span: clauses.qualify };
    for (const relation of relations) if (relation.lateral) yield { construct: 'lateral', span: relation.span };
    for (const filter of filters) if (filter.operator === 'ilike') yield { construct: 'ilike', span: filter.span };
    for (const grouping of groupings)
      if (grouping.kind === 'sets') yield { construct: 'grouping sets', span: grouping.span };
    for (const operand of filters.flatMap(({ left, right }) => [left, ...right]))
      if (operand.literal?.type === 'typed') {
        const text = /(?:'[^']*'|"[^"]*")\s*$/.exec(textOf(query, operand.span))?.[0];
        const edits = text === undefined ? undefined : [{ span: operand.span, text }];
        yield {
          construct: 'typed literal',
          span: operand.span,
          fix: edits && { description: 'Write the string alone', edits },
        };
      }
    const head = /^select\s+distinct\s+on\b/i.exec(query.sql.slice(span.start, span.start + 60))?.[0];
    if (distinct && head !== undefined)
      yield { construct: 'distinct on', span: { start: span.start, end: span.start + head.length } };
    for (const subquery of block.subqueries)
      if (subquery.role === 'quantified') yield { construct: 'quantified sub-query', span: subquery.span };
  }
}

/** Constructs that the tokens show. A column of the same spelling is not one. */
function* foreignTokens(query: ResolvedQuery): Generator<SyntaxUse, void, undefined> {
  const { sql, dialect, shape } = query;
  if (dialect.foreignSyntax === undefined) return;
  const names = new Set(shape.blocks.flatMap(({ columns }) => columns.map(({ name }) => name.span.start)));
  const tokens = significantTokens(sql.slice(0, shape.statement.end), dialect.lexer);
  for (const [index, token] of tokens.entries()) {
    if (token.start < shape.statement.start || names.has(token.start)) continue;
    const next = tokens[index + 1];
    const { start, end } = token;
    if (isSymbol(token, '::')) yield { construct: 'double-colon cast', span: { start, end } };
    // A lexer without the operator takes it as two colons, or as a parameter behind one.
    else if (token.text === ':' && next?.start === end && next.text.startsWith(':'))
      yield { construct: 'double-colon cast', span: { start, end: end + 1 } };
    else if (token.kind === 'parameter' && token.text.startsWith('::'))
      yield { construct: 'double-colon cast', span: { start, end } };
    else if (isWord(token, 'EXTRACT') && isSymbol(next, '(') && isWord(tokens[index + 3], 'FROM'))
      yield { construct: 'extract', span: { start, end } };
    else if (isWord(token, 'INTERVAL') && (next?.kind === 'string' || next?.kind === 'number'))
      yield { construct: 'interval', span: { start, end: next.end } };
    else if (isWord(token, 'MINUS') && (isWord(next, 'SELECT') || isSymbol(next, '(')) && index > 0)
      yield { construct: 'minus', span: { start, end } };
  }
}

/** Names in quotes that the dialect does not have; the fix writes its own. */
function* foreignQuotes(query: ResolvedQuery): Generator<SyntaxUse, void, undefined> {
  const seen = new Set<number>();
  for (const { block } of query.blocks)
    for (const part of partsOf(block)) {
      if (!part.quoted || seen.has(part.span.start)) continue;
      seen.add(part.span.start);
      const open = query.sql[part.span.start];
      const construct = open === '`' ? 'backtick names' : open === '[' ? 'bracket names' : undefined;
      if (construct === undefined) continue;
      const isWhole = textOf(query, part.span).slice(1, -1) === part.text;
      const text = isWhole ? quoteIdentifier(part.text, query.dialect) : undefined;
      yield {
        construct,
        span: part.span,
        fix: text === undefined ? undefined : { description: `Write ${text}`, edits: [{ span: part.span, text }] },
      };
    }
  for (const { block } of query.blocks)
    for (const filter of block.filters) {
      const { left, right } = filter;
      if (!isDoubleQuoted(query, left) || !right.every((operand) => operand.kind === 'literal') || right.length === 0)
        continue;
      const text = quoteIdentifier(left.literal?.value ?? '', query.dialect);
      yield {
        construct: 'double-quoted names',
        span: left.span,
        fix: { description: `Write ${text}`, edits: [{ span: left.span, text }] },
      };
    }
}

/** A string in double quotes that is tested like a column. */
function isDoubleQuoted(query: ResolvedQuery, operand: OperandShape): boolean {
  return (
    operand.literal?.type === 'string' && query.sql[operand.span.start] === '"' && /^\w+$/.test(operand.literal.value)
  );
}

function partsOf(block: QueryBlock): readonly NamePart[] {
  return [
    ...block.columns.flatMap(({ qualifier, name }) => [...qualifier, name]),
    ...block.relations.flatMap(({ name, alias }) => [...name, ...(alias === undefined ? [] : [alias])]),
    ...block.items.flatMap(({ alias }) => alias ?? []),
  ];
}

/** `country = "France"`: double quotes make a name, and there is no column of that name. */
function* stringsAsNames(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
  if (!query.dialect.lexer.identifierQuotes.some(([open]) => open === '"')) return;
  for (const resolved of query.blocks)
    for (const filter of resolved.block.filters) yield* stringsOfFilter(query, resolved, filter);
}

function* stringsOfFilter(
  query: ResolvedQuery,
  resolved: ResolvedBlock,
  { left, right }: FilterShape,
): Generator<RuleFinding, void, undefined> {
  // What is tested is a column; the value is what it is tested against, on either side of a comparison.
  const values = right.length === 1 && !isKnown(resolved, left) && isKnown(resolved, right[0]) ? [left] : right;
  for (const value of values) {
    const [index] = value.columns;
    const column = index === undefined ? undefined : resolved.block.columns[index];
    if (value.kind !== 'column' || index === undefined || column === undefined) continue;
    if (!column.name.quoted || column.qualifier.length > 0 || query.sql[column.span.start] !== '"') continue;
    if (resolved.columns[index]?.kind !== 'unknown') continue;
    const text = `'${column.name.text.replaceAll("'", "''")}'`;
    yield {
      message: `"${column.name.text}" in double quotes is the name of a column, and there is none: a value stands in single quotes.`,
      advice: `Write ${text}.`,
      span: column.span,
      fix: { description: `Write ${text}`, edits: [{ span: column.span, text }] },
    };
  }
}

function isKnown({ columns }: ResolvedBlock, operand: OperandShape | undefined): boolean {
  const [index] = operand?.columns ?? [];
  const kind = operand?.kind === 'column' && index !== undefined ? columns[index]?.kind : undefined;
  return kind === 'attribute' || kind === 'output' || kind === 'alias';
}
