import { counted } from '../report/figures/format-numbers.ts';
import { textTable } from '../report/text/document.ts';
import { listedRemarks } from '../requirements/format-requirements-summary.ts';
import type { Remark } from '../schemas/design-summary.ts';
import { CERTAINTIES, EXPECTATION_KINDS, type ExpectationKind, type ExpectationsLine } from './expectation.ts';

/** Where a file of expectations, or of verdicts on them, stands. Plain JSON. */
export interface ExpectationsSummary {
  readonly schemaVersion: 1;
  /** That were selected. */
  readonly requirements: number;
  readonly done: number;
  /** Expectations of those that are done. */
  readonly expectations: Readonly<Record<ExpectationKind, { readonly said: number; readonly implied: number }>>;
  /** Model calls and tokens of the lines that count, those of earlier starts included. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What failed in this start; the next one tries it again. */
  readonly failures: readonly Remark[];
  /** What cannot be used. */
  readonly problems: readonly Remark[];
}

type CountedLine = Pick<ExpectationsLine, 'calls' | 'inputTokens' | 'outputTokens'> & {
  readonly expectations: readonly Pick<ExpectationsLine['expectations'][number], 'kind' | 'certainty'>[];
};

export function expectationsSummary({
  lines,
  ...rest
}: Pick<ExpectationsSummary, 'requirements' | 'failures' | 'problems'> & {
  readonly lines: readonly CountedLine[];
}): ExpectationsSummary {
  const expectations = { fact: noneYet(), event: noneYet(), refusal: noneYet() };
  for (const { kind, certainty } of lines.flatMap((line) => line.expectations)) expectations[kind][certainty] += 1;
  const total = (numberOf: (line: CountedLine) => number | undefined): number =>
    lines.reduce((sum, line) => sum + (numberOf(line) ?? 0), 0);
  return {
    schemaVersion: 1,
    done: lines.length,
    expectations,
    calls: total(({ calls }) => calls),
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    ...rest,
  };
}

function noneYet(): { said: number; implied: number } {
  return { said: 0, implied: 0 };
}

/** Where a file of expectations or verdicts stands, for a terminal, without colours. */
export function formatExpectationsSummary(summary: ExpectationsSummary): string {
  const { requirements, done, expectations, calls, inputTokens, outputTokens, failures, problems } = summary;
  const rows = EXPECTATION_KINDS.map((kind) => [kind, ...CERTAINTIES.map((each) => String(expectations[kind][each]))]);
  return [
    `${done} of ${counted(requirements, 'requirement')}`,
    ...textTable(['expectations', ...CERTAINTIES], [rows]),
    `${counted(calls, 'model call')}, ${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} out`,
    ...listedRemarks('Failed, to be tried again at the next start', failures),
    ...listedRemarks('Cannot be used', problems),
  ].join('\n');
}
