import { textOf } from '../../resolve/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { SyntaxUse } from './dialect-syntax.ts';

/** Constructs that the shape of the statement shows. */
export function* foreignClauses(query: ResolvedQuery): Generator<SyntaxUse, void, undefined> {
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
