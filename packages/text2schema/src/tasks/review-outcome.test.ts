import { describe, expect, it } from 'vitest';
import type { DesignFinding } from '../model/index.ts';
import type { ReviewOutput } from './review.ts';
import { reviewOutcome } from './review-outcome.ts';

const finding = (severity: DesignFinding['severity'], code: string): DesignFinding => ({
  code,
  severity,
  subject: 'Order',
  message: 'Something.',
  remedy: 'The remedy of code.',
  role: 'conceptual-designer',
});

const input = {
  requirement: 'An order has an order number and a delivery\n  address.',
  model: { entitySets: [{ name: 'Order', attributes: ['Order Number'] }], relationshipSets: [] },
  findings: [finding('error', 'relationship-has-id'), finding('warning', 'entity-isolated')],
};

const review = (parts: Partial<ReviewOutput>): ReviewOutput => ({
  thinking: '',
  answers: [],
  issues: [],
  verdict: 'approve',
  ...parts,
});

const missing = (evidence: string): ReviewOutput['issues'][number] => ({
  kind: 'missing attribute',
  subject: 'Order.Delivery Address',
  evidence,
  problem: 'It cannot be kept.',
  remedy: 'Add it.',
});

describe('what a review comes to', () => {
  it('an error of code stands, whatever the reviewer says', () => {
    const denied = review({ answers: [{ finding: 1, stands: false, remedy: '' }] });
    const outcome = reviewOutcome(input, denied);
    expect(outcome.approved).toBe(false);
    expect(outcome.findings[0]).toMatchObject({ code: 'relationship-has-id', severity: 'error' });
  });

  it('a remedy of the reviewer takes the place of the general one', () => {
    const answered = review({ answers: [{ finding: 1, stands: true, remedy: 'Remove Order ID.' }] });
    expect(reviewOutcome(input, answered).findings[0]?.remedy).toBe('Remove Order ID.');
  });

  it.each([
    [true, ['error']],
    [false, []],
  ] as const)('a warning is the reviewer’s to decide: stands %s', (stands, severities) => {
    const warned = { ...input, findings: [finding('warning', 'entity-isolated')] };
    const outcome = reviewOutcome(warned, review({ answers: [{ finding: 1, stands, remedy: '' }] }));
    expect(outcome.findings.map(({ severity }) => severity)).toEqual(severities);
    expect(outcome.approved).toBe(!stands);
  });

  it('a warning that was not answered stops nothing', () => {
    const warned = { ...input, findings: [finding('warning', 'entity-isolated')] };
    expect(reviewOutcome(warned, review({}))).toMatchObject({ approved: true, findings: [{ severity: 'warning' }] });
  });

  it.each([
    ['words of the requirement, blanks and case aside', 'A Delivery address', 'error'],
    ['words that stand nowhere', 'an order has a status', 'warning'],
    ['no words', '', 'warning'],
    ['a letter', 'a', 'warning'],
  ])('something missing needs %s', (_what, evidence, severity) => {
    const outcome = reviewOutcome(
      { ...input, findings: [] },
      review({ verdict: 'reject', issues: [missing(evidence)] }),
    );
    expect(outcome.findings[0]?.severity).toBe(severity);
    expect(outcome.approved).toBe(severity === 'warning');
  });

  it('takes words of the report as evidence too, and any words where there is no text to look into', () => {
    const { requirement: _, ...rest } = { ...input, findings: [] };
    const rejected = review({ verdict: 'reject', issues: [missing('Delivery Address')] });
    const report = {
      language: 'en',
      title: '',
      summary: '',
      functions: [],
      subjects: [{ name: 'Order', attributes: ['Delivery Address'], description: '' }],
      relationships: [],
      rules: [],
      clarifications: [],
    };
    expect(reviewOutcome({ ...rest, report }, rejected).approved).toBe(false);
    expect(reviewOutcome(rest, rejected).approved).toBe(false);
  });

  it('something superfluous must be in the model', () => {
    const issue = (subject: string) => ({ ...missing(''), kind: 'superfluous attribute' as const, subject });
    const outcome = (subject: string) =>
      reviewOutcome({ ...input, findings: [] }, review({ verdict: 'reject', issues: [issue(subject)] }));
    expect(outcome('order.order number').approved).toBe(false);
    expect(outcome('Invoice').approved).toBe(true);
  });

  it('issues of an approved model are kept in mind, not sent back', () => {
    const approved = review({ issues: [missing('delivery address')] });
    expect(reviewOutcome({ ...input, findings: [] }, approved)).toMatchObject({
      approved: true,
      findings: [{ code: 'review-missing-attribute', severity: 'warning' }],
    });
  });
});
