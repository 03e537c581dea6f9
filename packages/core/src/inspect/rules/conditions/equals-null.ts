import { textOf } from '../../resolve/index.ts';
import type { InspectionRule } from '../../rule.ts';

/** `= NULL` is unknown for every row, so that nothing is found. */
export const equalsNull: InspectionRule = {
  code: 'equals-null',
  severity: 'error',
  title: 'A comparison with NULL by = or <>, which is never true',
  *check(query) {
    for (const { block } of query.blocks)
      for (const filter of block.filters) {
        if (filter.operator !== '=' && filter.operator !== '<>') continue;
        const [right] = filter.right;
        if (right === undefined) continue;
        const isRight = right.literal?.type === 'null';
        if (!isRight && filter.left.literal?.type !== 'null') continue;
        const tested = isRight ? filter.left : right;
        const text = textOf(query, tested.span);
        const replacement = `${text} IS ${filter.operator === '=' ? '' : 'NOT '}NULL`;
        yield {
          message: `${textOf(query, filter.span)} is never true: NULL is not equal, and not unequal, to anything.`,
          advice: `Write ${replacement}.`,
          span: filter.span,
          fix: { description: `Write ${replacement}`, edits: [{ span: filter.span, text: replacement }] },
        };
      }
  },
};
