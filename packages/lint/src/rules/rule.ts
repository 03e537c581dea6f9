import {
  AskemaError,
  checkChoice,
  FINDING_CODES,
  type FindingCode,
  type InspectionFinding,
  type Severity,
} from '@askema/core';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';

/** What a rule reports; code and severity come from the rule, unless the finding is less or more sure than the rule. */
export type RuleFinding = Omit<InspectionFinding, 'code' | 'severity' | 'action'> & {
  readonly severity?: Severity | undefined;
};

/**
 * One check of a statement. A rule is a value: `custom/…` rules of a user stand beside the built-in ones.
 *
 * A rule is pure and never throws for what a statement can hold; one that throws is reported as a note and the others
 * go on.
 */
export interface InspectionRule {
  readonly code: FindingCode | `custom/${string}`;
  readonly severity: Severity;
  /** One sentence for lists and help texts. */
  readonly title: string;
  /** True for rules that give no finding without a question. */
  readonly needsQuestion?: boolean | undefined;
  check(query: ResolvedQuery): Iterable<RuleFinding>;
}

/** A built-in code, or `custom/` and lower-case words and digits with hyphens between them. */
const CUSTOM_CODE = /^custom\/[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Makes a rule of a user, to stand beside the built-in ones in `inspectSql`, in `askema lint` and in the `inspect`
 * flow.
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
 *           operator === '=' &&
 *           left.columns.some((column) => originOf(query, block.id, column) === 'accounts#is_test'),
 *       );
 *       if (!isFiltered)
 *         for (const { span } of sums)
 *           yield {
 *             message: 'Test accounts count as revenue here.',
 *             advice: 'Add accounts.is_test = 0 to WHERE.',
 *             span,
 *           };
 *     }
 *   },
 * });
 * ```
 *
 * For the common shapes of such rules there are `requireFilter` and `requireFormat`.
 *
 * @throws AskemaError `CONFIG_INVALID` for a code that is not `custom/words-with-hyphens`, an empty title, or an
 * unknown severity.
 */
export function defineRule(rule: InspectionRule): InspectionRule {
  const { code, title, severity } = rule;
  if (!CUSTOM_CODE.test(code) && !FINDING_CODES.some((known) => known === code))
    throw new AskemaError(
      'CONFIG_INVALID',
      `The rule code ${JSON.stringify(code)} is not a code for a rule of your own; write custom/ and lower-case words with hyphens, for example custom/no-test-accounts.`,
    );
  if (title.trim() === '')
    throw new AskemaError('CONFIG_INVALID', `The rule ${code} has no title; say in one sentence what it asks for.`);
  checkChoice(`${code}.severity`, severity, ['error', 'warning', 'note']);
  return rule;
}
