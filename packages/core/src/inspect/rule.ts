import type { FindingCode, InspectionFinding, Severity } from './finding.ts';
import type { ResolvedQuery } from './resolved-query.ts';

/** What a rule reports; code and severity come from the rule, unless the finding is less or more sure than the rule. */
export type RuleFinding = Omit<InspectionFinding, 'code' | 'severity' | 'action'> & {
  readonly severity?: Severity | undefined;
};

/**
 * One check of a statement. A rule is a value: `custom/…` rules of a user stand beside the built-in ones.
 *
 * A rule is pure and never throws for what a statement can hold; one that throws is reported as a note and the others go on.
 */
export interface InspectionRule {
  readonly code: FindingCode | `custom/${string}`;
  readonly severity: Severity;
  /** One sentence for lists and help texts. */
  readonly title: string;
  /** True for rules that say nothing without a question. */
  readonly needsQuestion?: boolean | undefined;
  check(query: ResolvedQuery): Iterable<RuleFinding>;
}
