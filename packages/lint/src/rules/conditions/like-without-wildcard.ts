import type { InspectionRule } from '../rule.ts';

/** LIKE with a pattern that stands for one text only. ILIKE is left alone: that is how engines compare without case. */
export const likeWithoutWildcard: InspectionRule = {
  code: 'like-without-wildcard',
  severity: 'note',
  title: 'A pattern without % or _ matches whole cells only',
  *check(query) {
    for (const { block } of query.blocks)
      for (const { operator, right, left, span } of block.filters) {
        const [pattern] = right;
        if (operator !== 'like' || pattern === undefined || right.length !== 1) continue;
        const { literal } = pattern;
        if (literal?.type !== 'string' || /[%_]/.test(literal.value)) continue;
        // GLOB and its kin have wildcards of their own, ESCAPE changes them.
        const between = query.sql.slice(left.span.end, pattern.span.start);
        const behind = query.sql.slice(pattern.span.end, span.end);
        if (!/\blike\s*$/i.test(between.slice(-100)) || /escape/i.test(behind)) continue;
        yield {
          message: `'${literal.value}' has no % and no _: only cells that are exactly this text are found.`,
          advice: `Write '%${literal.value}%' to find it inside of longer cells, or = for the whole cell.`,
          span,
        };
      }
  },
};
