import path from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import type { Remark } from '../schemas/design-summary.ts';
import { bootstrapTest } from '../statistics/bootstrap.ts';
import { DEFAULT_LEVEL, type Estimate } from '../statistics/wilson-interval.ts';
import {
  CERTAINTIES,
  type Certainty,
  EXPECTATION_KINDS,
  type ExpectationKind,
  type ExpectationVerdict,
  type VerdictsLine,
  verdictsLine,
} from './expectation.ts';
import { readLines } from './read-lines.ts';

/** Which expectations a figure counts. */
interface ExpectationGroup {
  readonly kind: ExpectationKind | 'all';
  readonly certainty: Certainty | 'all';
}

/** How many expectations of a group a design meets. */
export interface ExpectationShare extends ExpectationGroup {
  readonly expectations: number;
  /** By the schema. */
  readonly holds: number;
  /** By an assumption alone. */
  readonly stated: number;
}

/** All figures of one design. */
export interface DesignExpectations {
  readonly name: string;
  readonly requirements: number;
  readonly shares: readonly ExpectationShare[];
}

/** A difference of shares in [-1, 1], of the design less the baseline. */
export type ExpectationDifference = Estimate & {
  /** Two-sided, by the same resampling. */
  readonly pValue: number;
};

/** A design against the baseline in one group, over the requirements of both. */
export interface PairedExpectations extends ExpectationGroup {
  readonly name: string;
  readonly requirements: number;
  readonly expectations: number;
  /** Met by the schema or by an assumption. */
  readonly met: ExpectationDifference;
  /** Met by the schema. */
  readonly holds: ExpectationDifference;
}

/** What stored verdicts come to. Plain JSON. */
export interface ExpectationReport {
  readonly schemaVersion: 1;
  readonly requirements: number;
  /** Who judged. */
  readonly judges: readonly string[];
  readonly designs: readonly DesignExpectations[];
  readonly baseline?: string | undefined;
  readonly differences: readonly PairedExpectations[];
  readonly problems: readonly Remark[];
}

const GROUPS: readonly ExpectationGroup[] = (['all', ...EXPECTATION_KINDS] as const).flatMap((kind) =>
  (['all', ...CERTAINTIES] as const).map((certainty) => ({ kind, certainty })),
);

/**
 * Adds up the verdicts of `judgeExpectations`, without a model. A share is over all expectations of a group. Against the
 * baseline, whole requirements are resampled, because the expectations of one are not independent of each other: 10,000
 * times, an interval of 95 %, the same each time. Verdicts of several files, of several judges for example, count side
 * by side.
 *
 * @throws AskemaError `INPUT_INVALID` for a baseline that was not judged, and a file that is named twice;
 * `DATASET_INVALID` for a file without verdicts.
 */
export async function reportExpectations(
  files: readonly string[],
  { baseline }: { readonly baseline?: string | undefined } = {},
): Promise<ExpectationReport> {
  const places = files.map((file) => path.resolve(file));
  const twice = places.find((file, at) => places.indexOf(file) !== at);
  if (twice !== undefined) throw new AskemaError('INPUT_INVALID', `${twice} is named twice. Name it once.`);
  const lines: VerdictsLine[] = [];
  const problems: Remark[] = [];
  for (const file of places) {
    const read = await readLines(file, verdictsLine, {
      what: 'line of verdicts',
      command: 'askema eval judge-expectations',
    });
    lines.push(...read.lines);
    problems.push(...read.problems);
  }
  const judged = lines.flatMap(judgedIn);
  const names = [...new Set(judged.flatMap(({ verdicts }) => [...verdicts.keys()]))];
  if (baseline !== undefined && !names.includes(baseline))
    throw new AskemaError(
      'INPUT_INVALID',
      `No design is called ${baseline}. ${didYouMean(baseline, names)} There are: ${names.join(', ')}.`,
    );
  return {
    schemaVersion: 1,
    requirements: new Set(lines.map(({ id }) => id)).size,
    judges: [...new Set(lines.map(({ model }) => model))],
    designs: names.map((name) => sharesOf(name, judged)),
    baseline,
    differences:
      baseline === undefined
        ? []
        : names.filter((name) => name !== baseline).flatMap((name) => differencesOf(name, baseline, judged)),
    problems,
  };
}

/** An expectation with what became of it in each design. */
interface JudgedExpectation {
  readonly requirement: string;
  readonly kind: ExpectationKind;
  readonly certainty: Certainty;
  readonly verdicts: ReadonlyMap<string, ExpectationVerdict>;
}

function judgedIn({ id, expectations }: VerdictsLine): readonly JudgedExpectation[] {
  return expectations.map(({ kind, certainty, designs }) => ({
    requirement: id,
    kind,
    certainty,
    verdicts: new Map(Object.entries(designs).map(([name, { verdict }]) => [name, verdict])),
  }));
}

function isIn({ kind, certainty }: ExpectationGroup): (each: JudgedExpectation) => boolean {
  return (each) => (kind === 'all' || kind === each.kind) && (certainty === 'all' || certainty === each.certainty);
}

function requirementsOf(judged: readonly JudgedExpectation[]): number {
  return new Set(judged.map(({ requirement }) => requirement)).size;
}

function sharesOf(name: string, judged: readonly JudgedExpectation[]): DesignExpectations {
  const own = judged.filter(({ verdicts }) => verdicts.has(name));
  const shares = GROUPS.map((group) => {
    const members = own.filter(isIn(group));
    const withVerdict = (wanted: ExpectationVerdict): number =>
      members.filter(({ verdicts }) => verdicts.get(name) === wanted).length;
    return { ...group, expectations: members.length, holds: withVerdict('holds'), stated: withVerdict('stated') };
  });
  return { name, requirements: requirementsOf(own), shares };
}

function differencesOf(
  name: string,
  baseline: string,
  judged: readonly JudgedExpectation[],
): readonly PairedExpectations[] {
  const both = judged.filter(({ verdicts }) => verdicts.has(name) && verdicts.has(baseline));
  return GROUPS.flatMap((group) => {
    const members = both.filter(isIn(group));
    if (members.length === 0) return [];
    const groups = members.map(({ requirement }) => requirement);
    const test = (isMet: (verdict: ExpectationVerdict | undefined) => boolean): ExpectationDifference =>
      bootstrapTest(
        members.map(({ verdicts }) => Number(isMet(verdicts.get(name))) - Number(isMet(verdicts.get(baseline)))),
        { level: DEFAULT_LEVEL, groups },
      );
    return {
      ...group,
      name,
      requirements: requirementsOf(members),
      expectations: members.length,
      met: test((verdict) => verdict !== 'fails'),
      holds: test((verdict) => verdict === 'holds'),
    };
  });
}
