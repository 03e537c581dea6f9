import type { ConceptualModel, DesignFinding, RequirementReport } from '../model/index.ts';
import type { ReviewInput, ReviewIssue, ReviewOutput } from './review.ts';

/** What a review comes to. */
export interface ReviewOutcome {
  /** True where no error stands. */
  readonly approved: boolean;
  /**
   * What the conceptual designer has to see; the reviewer's own issues have codes `review-…`:
   * `review-missing-attribute`.
   */
  readonly findings: readonly DesignFinding[];
}

/**
 * What holds after a review. Errors that code found stand whatever the reviewer says of them; of warnings it decides:
 * confirmed they are errors, denied they are gone. Its own issues are errors where they can be held against something:
 * a missing thing against words of the requirement or the report that it quotes, anything else against a name of the
 * model. The others, and all issues of a model that it approves, are warnings.
 */
export function reviewOutcome(
  input: Pick<ReviewInput, 'requirement' | 'report' | 'model' | 'findings'>,
  output: ReviewOutput,
): ReviewOutcome {
  const ofCode = input.findings.flatMap((finding, at) => {
    const answer = output.answers.find(({ finding: number }) => number === at + 1);
    if (finding.severity === 'error') return [withRemedy(finding, answer?.remedy ?? '')];
    if (answer === undefined) return [finding];
    return answer.stands ? [{ ...withRemedy(finding, answer.remedy), severity: 'error' as const }] : [];
  });
  const source = plainText([input.requirement ?? '', ...(input.report === undefined ? [] : wordsOf(input.report))]);
  const names = namesOf(input.model).map((name) => plainText([name]));
  const ofReviewer = output.issues.map((issue): DesignFinding => {
    const proved = issue.kind.startsWith('missing') ? isQuoted(issue.evidence, source) : isNamed(issue.subject, names);
    return findingOf(issue, proved && output.verdict === 'reject' ? 'error' : 'warning');
  });
  const findings = [...ofCode, ...ofReviewer];
  return { approved: !findings.some(({ severity }) => severity === 'error'), findings };
}

function withRemedy(finding: DesignFinding, remedy: string): DesignFinding {
  return remedy.trim() === '' ? finding : { ...finding, remedy: remedy.trim() };
}

function findingOf(issue: ReviewIssue, severity: DesignFinding['severity']): DesignFinding {
  const { kind, subject, evidence, problem, remedy } = issue;
  const message = evidence === '' ? problem : `${problem} The requirement says: "${evidence}"`;
  return {
    code: `review-${kind.replaceAll(' ', '-')}`,
    severity,
    subject,
    message,
    remedy,
    role: 'conceptual-designer',
  };
}

/** Shorter quotes stand in any text. */
const MIN_QUOTE_CHARACTERS = 4;

function isQuoted(evidence: string, source: string): boolean {
  const quote = plainText([evidence]);
  if (source === '') return true;
  return [...quote].length >= MIN_QUOTE_CHARACTERS && source.includes(quote);
}

function isNamed(subject: string, names: readonly string[]): boolean {
  const plain = plainText([subject]);
  return names.some((name) => name !== '' && plain.includes(name));
}

function namesOf({ entitySets, relationshipSets }: ConceptualModel): readonly string[] {
  return [...entitySets, ...relationshipSets].flatMap(({ name, attributes }) => [name, ...attributes]);
}

function wordsOf(report: RequirementReport): readonly string[] {
  const { summary, functions, subjects, relationships, rules } = report;
  return [
    summary,
    ...functions,
    ...subjects.flatMap(({ name, attributes, description }) => [name, ...attributes, description]),
    ...relationships,
    ...rules,
  ];
}

/** Letters and digits alone: quotes differ in blanks, case and punctuation. */
function plainText(texts: readonly string[]): string {
  return texts.map((text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')).join('|');
}
