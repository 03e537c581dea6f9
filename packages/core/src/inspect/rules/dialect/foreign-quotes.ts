import { quoteIdentifier } from '../../../adapter/quote-name.ts';
import type { FilterShape, NamePart, OperandShape, QueryBlock } from '../../../ports/query-shape.ts';
import { textOf } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import type { SyntaxUse } from './dialect-syntax.ts';

/** Names in quotes that the dialect does not have; the fix writes its own. */
export function* foreignQuotes(query: ResolvedQuery): Generator<SyntaxUse, void, undefined> {
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
export function* stringsAsNames(query: ResolvedQuery): Generator<RuleFinding, void, undefined> {
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
