import { AskemaError } from '../errors/askema-error.ts';
import { FINDING_CODES } from './finding.ts';
import type { InspectionRule } from './rule.ts';

/** A built-in code, or `custom/` and words of small letters and digits with hyphens between them. */
const CUSTOM_CODE = /^custom\/[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Makes a rule of a user, to stand beside the built-in ones in `inspectSql`, in `askema lint` and in the `inspect` flow.
 *
 * ```ts
 * // Revenue always excludes NULL and test accounts.
 * const revenue = defineRule({
 *   code: 'custom/revenue-without-test-accounts',
 *   severity: 'error',
 *   title: 'Revenue excludes NULL and test accounts.',
 *   *check(query) {
 *     for (const { block, relations } of query.blocks) {
 *       const sums = aggregatesOf(block).filter(({ columns }) =>
 *         columns.some((column) => originOf(query, block.id, column) === 'orders#revenue'),
 *       );
 *       const isFiltered = conjuncts(block, 'where').some(
 *         ({ left, operator }) =>
 *           operator === '=' && left.columns.some((column) => originOf(query, block.id, column) === 'accounts#is_test'),
 *       );
 *       if (!isFiltered)
 *         for (const { span } of sums)
 *           yield { message: 'Test accounts count as revenue here.', advice: 'Add accounts.is_test = 0 to WHERE.', span };
 *     }
 *   },
 * });
 * ```
 *
 * For the common shapes of such rules there are `requireFilter` and `requireFormat`.
 *
 * @throws AskemaError `CONFIG_INVALID` for a code that is not `custom/words-with-hyphens`, an empty title, or a severity that is none.
 */
export function defineRule(rule: InspectionRule): InspectionRule {
  const { code, title, severity } = rule;
  if (!CUSTOM_CODE.test(code) && !FINDING_CODES.some((known) => known === code))
    throw new AskemaError(
      'CONFIG_INVALID',
      `The rule code ${JSON.stringify(code)} is no code of a user's rule; write custom/ and words of small letters with hyphens, for example custom/no-test-accounts.`,
    );
  if (title.trim() === '')
    throw new AskemaError('CONFIG_INVALID', `The rule ${code} has no title; say in one sentence what it asks for.`);
  if (severity !== 'error' && severity !== 'warning' && severity !== 'note')
    throw new AskemaError(
      'CONFIG_INVALID',
      `The severity of the rule ${code} is ${JSON.stringify(severity)}; give error, warning or note.`,
    );
  return rule;
}
