import { textOf } from '../../resolve/index.ts';
import type { InspectionRule } from '../../rule.ts';

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
