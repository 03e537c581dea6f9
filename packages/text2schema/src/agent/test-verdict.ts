import type { SchemaRole, TestRun, TestVerdictError } from '../model/index.ts';
import { ROLE_IDS } from '../model/index.ts';
import type { TestReportOutput } from '../tasks/index.ts';

/** What the words of the test executor come to. */
export interface Judgement {
  readonly accepted: boolean;
  readonly errors: readonly TestVerdictError[];
  /** Who has to mend it; null where nobody can be told. */
  readonly next: string | null;
  /** For whoever has to: the problems with their remedies. */
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Accepted is what ends with `TERMINAL`, names no error, and where cases did not pass, says why in its report. A
 * rejection goes to the role that it names, if that is `present`; without one, to the earliest role of its errors, or
 * of the cases that failed.
 */
export function judge(
  { end, errors: said, next, text }: TestReportOutput,
  run: TestRun | undefined,
  present: readonly SchemaRole[],
): Judgement {
  const open = run === undefined ? 0 : run.counts.failed + run.counts.notCompiled;
  const unexplained = end === 'TERMINAL' && open > 0 && text.trim() === '';
  const errors = unexplained && said.length === 0 ? errorsOfRun(run) : said;
  const accepted = end === 'TERMINAL' && said.length === 0 && !unexplained;
  if (accepted) return { accepted, errors, next: null, text, warnings: [] };
  const warnings = [
    ...(unexplained ? ['The test executor accepted failed cases without a reason, which counts as a rejection.'] : []),
    ...(said.length > 0 && end === 'TERMINAL'
      ? ['The test executor accepted and named errors, which counts as a rejection.']
      : []),
  ];
  const told = errors.length > 0 ? errors : errorsOfRun(run);
  const named = present.find((role) => role === next);
  if (next !== null && named === undefined)
    warnings.push(
      `The test executor named ${JSON.stringify(next.slice(0, 60))}, which is no role that could mend anything.`,
    );
  const role = named ?? earliest(told, present);
  if (role === null) warnings.push('The test executor neither accepted the design nor named an error.');
  return { accepted, errors, next: role, text: rejectionText(text, told), warnings };
}

/** What failed, as errors of whoever is likely to be able to mend it. */
function errorsOfRun(run: TestRun | undefined): readonly TestVerdictError[] {
  return (run?.results ?? [])
    .filter(({ status }) => status === 'failed' || status === 'not compiled')
    .map(({ set, case: number, purpose, expected, actual, role }) => ({
      role: mending(role ?? 'logical-designer'),
      problem: `Case ${set}.${number} did not pass (${purpose}): expected ${expected}, got ${actual}.`,
      remedy: 'Find out which of the two is wrong, and mend it or say why it stands.',
    }));
}

function earliest(errors: readonly TestVerdictError[], present: readonly SchemaRole[]): SchemaRole | null {
  const roles = errors
    .map(({ role }) => mending(role))
    .map((role) => (present.includes(role) ? role : 'logical-designer'));
  return ROLE_IDS.find((role) => roles.includes(role)) ?? null;
}

/** The reviewer and the executor make nothing themselves. */
function mending(role: SchemaRole): SchemaRole {
  if (role === 'conceptual-reviewer') return 'conceptual-designer';
  return role === 'test-executor' ? 'logical-designer' : role;
}

function rejectionText(text: string, errors: readonly TestVerdictError[]): string {
  const lines = errors.map(({ role, problem, remedy }) => `- ${mending(role)}: ${problem} Remedy: ${remedy}`);
  return [...lines, ...(text.trim() === '' ? [] : ['', text])].join('\n').trim();
}
