import type { ForeignSyntax } from '../../../adapter/dialect.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { foreignClauses } from './foreign-clauses.ts';
import { foreignQuotes, stringsAsNames } from './foreign-quotes.ts';
import { foreignTokens } from './foreign-tokens.ts';

/** One use of a construct, for those that are in the dialect's `foreignSyntax`. */
export interface SyntaxUse extends Pick<RuleFinding, 'span' | 'fix'> {
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
