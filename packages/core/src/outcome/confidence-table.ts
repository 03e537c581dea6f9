import { AskemaError } from '../errors/askema-error.ts';

/**
 * What a flow saw of an answer without asking a model, by name: 1 where it holds, 0 where it does not. What they mean
 * is the flow's own.
 */
export type AnswerSignals = Readonly<Record<string, number>>;

/**
 * How the signals of a flow's answers go together with being right, fitted for one model on questions with known
 * answers (`askema eval calibrate`). Plain JSON.
 */
export interface ConfidenceTable {
  readonly schemaVersion: 1;
  /** `provider:model`, as `solvedBy` of an outcome names it: the table says nothing of answers of others. */
  readonly model: string;
  /** The name of the flow. */
  readonly flow: string;
  /** `YYYY-MM-DD`. */
  readonly fittedOn: string;
  /** Answers that it was fitted on, and how many of them were right. */
  readonly questions: number;
  readonly right: number;
  /** Log-odds of being right where no signal holds, and what each signal adds. */
  readonly intercept: number;
  readonly weights: Readonly<Record<string, number>>;
  /** An answer of this confidence or more is sure; null where no threshold was good enough. */
  readonly sureFrom: number | null;
}

/** How likely an answer with these signals is to be right, in [0, 1]. */
export function confidenceOf(
  { intercept, weights }: Pick<ConfidenceTable, 'intercept' | 'weights'>,
  signals: AnswerSignals,
): number {
  const logOdds = Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * (signals[name] ?? 0),
    intercept,
  );
  return 1 / (1 + Math.exp(-logOdds));
}

/**
 * A table as `JSON.parse` gives it.
 *
 * @throws AskemaError `CONFIG_INVALID` for another form, with what is wrong.
 */
export function readConfidenceTable(json: unknown): ConfidenceTable {
  const table = (typeof json === 'object' && json !== null ? json : {}) as Readonly<Record<string, unknown>>;
  const wrong = Object.entries(FORM).find(([name, holds]) => !holds(table[name]))?.[0];
  if (wrong === undefined) return table as unknown as ConfidenceTable;
  throw new AskemaError(
    'CONFIG_INVALID',
    `This is no table of confidence: \`${wrong}\` is ${JSON.stringify(table[wrong])?.slice(0, 80) ?? 'missing'}. \`askema eval calibrate RUN --out FILE\` writes one.`,
  );
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

const FORM: { readonly [Field in keyof ConfidenceTable]: (value: unknown) => boolean } = {
  schemaVersion: (value) => value === 1,
  model: isText,
  flow: isText,
  fittedOn: isText,
  questions: isCount,
  right: isCount,
  intercept: isNumber,
  weights: (value) => typeof value === 'object' && value !== null && Object.values(value).every(isNumber),
  sureFrom: (value) => value === null || (isNumber(value) && Number(value) >= 0 && Number(value) <= 1),
};
