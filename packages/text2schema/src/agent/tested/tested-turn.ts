import { EMPTY_SCHEMA, type RoleProfile, withoutRoles } from '@askema/core';
import type { DesignState } from '../../design-state.ts';
import {
  type Clarification,
  isRowReference,
  type LogicalDesign,
  type RequirementReport,
  type RequirementTest,
  type SchemaRole,
  type StatedFact,
  type StatedRow,
  type TestPlace,
} from '../../model/index.ts';
import { TESTED_PROFILES } from '../../profiles/tested-profiles.ts';
import type { OpenGap, OpenTest, RequirementTestsOutput, WrittenTest } from '../../tasks/index.ts';
import { foldWords } from '../../test-plan/fold-words.ts';

export const NO_DESIGN: LogicalDesign = { schema: EMPTY_SCHEMA, relations: [], decompositions: [], findings: [] };

/** The profile of a role of the preset `tested`, in a chat in which some roles do not take part. */
export function testedProfile(role: keyof typeof TESTED_PROFILES, absent: readonly SchemaRole[]): RoleProfile {
  return withoutRoles(TESTED_PROFILES[role], absent);
}

/** What every role of the preset reads. A report stands only for a requirement that is too long for one prompt. */
export function groundOf({ parts, artefacts, language }: Readonly<DesignState>): {
  readonly requirement: string | undefined;
  readonly report: RequirementReport | undefined;
  readonly answered: readonly Clarification[];
  readonly language: string;
} {
  const { report } = artefacts;
  const isLong = parts.length > 1 && report !== undefined;
  return {
    requirement: isLong ? undefined : parts[0],
    report: isLong ? report : undefined,
    answered: (report?.clarifications ?? []).filter(({ answer }) => answer !== undefined),
    language,
  };
}

/** The tests that did not pass on the last design, with what happened. */
export function openTestsOf({ artefacts, tested }: Readonly<DesignState>): readonly OpenTest[] {
  const byNumber = new Map((artefacts.requirementTests ?? []).map((test) => [test.number, test]));
  return tested.results.flatMap((result) => {
    const test = byNumber.get(result.number);
    return test === undefined || result.status === 'passed' ? [] : [{ test, result }];
  });
}

/** What stands nowhere in the last design, each once. */
export function openGapsOf(state: Readonly<DesignState>): readonly OpenGap[] {
  const gaps = openTestsOf(state).flatMap(({ test, result }) => result.gaps.map((gap) => ({ gap, test })));
  const groups = Map.groupBy(gaps, ({ gap }) => `${gap.thing}\n${gap.fact ?? ''}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first.gap, tests: [first, ...others].map(({ test }) => test.number) }],
  );
}

/** The samples among tests, in their order. */
export function samplesOf(tests: readonly RequirementTest[]): readonly StatedRow[] {
  return tests.flatMap(({ isSample, rows }) => (isSample === true ? rows : []));
}

/** What code makes tests of: each sample is accepted, and refused without each of its necessary facts. */
type WrittenSamples = Pick<RequirementTestsOutput, 'samples' | 'necessary'>;

/** Tests behind those that are there, with numbers of their own, each with the samples that it needs. */
export function withTests(
  before: readonly RequirementTest[],
  written: readonly WrittenTest[],
  { samples: newSamples, necessary }: WrittenSamples = { samples: [], necessary: [] },
): readonly RequirementTest[] {
  const samples = [...samplesOf(before), ...newSamples];
  const last = Math.max(0, ...before.map(({ number }) => number));
  const all: readonly Omit<RequirementTest, 'number'>[] = [
    ...newSamples.map(sampleTest),
    ...necessaryTests(newSamples, necessary),
    ...written,
  ];
  return [
    ...before,
    ...all.map((test, at) => ({ ...test, given: givenFor(test.rows, samples), number: last + at + 1 })),
  ];
}

function sampleTest(row: StatedRow): Omit<RequirementTest, 'number'> {
  const facts = row.facts.map(({ fact }) => fact).join(', ');
  const says = `${row.thing}${facts === '' ? ' is kept.' : ` is kept with ${facts}.`}`;
  return { kind: 'fact', says, by: 'qa-engineer', rows: [row], isSample: true };
}

function necessaryTests(
  samples: readonly StatedRow[],
  necessary: WrittenSamples['necessary'],
): readonly Omit<RequirementTest, 'number'>[] {
  return necessary.flatMap(({ thing, facts }) =>
    facts.flatMap((name) => {
      const isNamed = ({ fact }: StatedFact) => foldWords(fact) === foldWords(name);
      const sample = samples.find((row) => foldWords(row.thing) === foldWords(thing) && row.facts.some(isNamed));
      if (sample === undefined) return [];
      const row = {
        ...sample,
        label: `${sample.label} incomplete`,
        facts: sample.facts.filter((one) => !isNamed(one)),
      };
      const says = `${sample.thing} without ${name} is refused.`;
      return [{ kind: 'refusal', says, by: 'qa-engineer', rows: [row] } as const];
    }),
  );
}

/**
 * The samples that rows refer to or change, and the samples those refer to. Where a row of another kind has the label of
 * a sample, the label means that row: whoever writes tests later may not know all samples.
 */
function givenFor(rows: readonly StatedRow[], samples: readonly StatedRow[]): readonly StatedRow[] {
  const byLabel = new Map(samples.map((row) => [row.label, row]));
  const things = new Set(samples.map(({ thing }) => foldWords(thing)));
  // A thing that no sample has may be another name for it: that of the design.
  const sampleOf = ({ thing, label }: StatedRow): StatedRow | undefined => {
    const sample = byLabel.get(label);
    const isSame = sample !== undefined && foldWords(sample.thing) === foldWords(thing);
    return isSame || !things.has(foldWords(thing)) ? sample : undefined;
  };
  const taken = new Set(rows.filter((row) => sampleOf(row) === undefined).map(({ label }) => label));
  const needed = new Set<StatedRow>();
  const needAll = (row: StatedRow): void => {
    for (const { value } of row.facts) {
      if (!isRowReference(value) || taken.has(value.row)) continue;
      const sample = byLabel.get(value.row);
      if (sample === undefined || needed.has(sample)) continue;
      needed.add(sample);
      needAll(sample);
    }
  };
  for (const row of rows) {
    const sample = sampleOf(row);
    if (sample !== undefined) needed.add(sample);
    needAll(row);
    if (sample !== undefined) needAll(sample);
  }
  // In the order in which they were written: what is referred to stands first there.
  return samples.filter((sample) => needed.has(sample) && !rows.includes(sample));
}

/** Without these tests; a sample that was wrong takes those along that need it. */
export function withoutTests(
  tests: readonly RequirementTest[],
  withdrawn: readonly number[],
): readonly RequirementTest[] {
  const isWithdrawn = ({ number }: RequirementTest): boolean => withdrawn.includes(number);
  const keyOf = ({ thing, label }: StatedRow): string => `${foldWords(thing)}\n${label}`;
  const wrong = new Set(samplesOf(tests.filter(isWithdrawn)).map(keyOf));
  return tests.filter((test) => !isWithdrawn(test) && !(test.given ?? []).some((row) => wrong.has(keyOf(row))));
}

/** Tests as a list for people. */
export function testTitles(tests: readonly RequirementTest[]): string {
  return tests.map(({ number, kind, says }) => `${number}. (${kind}) ${says}`).join('\n');
}

/** What a role said about where facts stand; the last word on a fact counts. */
export function addPlaces(state: DesignState, places: readonly TestPlace[]): void {
  const { testPlaces = [] } = state.artefacts;
  const all = [...testPlaces, ...places].map(
    (place) => [`${foldWords(place.thing)}\n${foldWords(place.fact ?? '')}`, place] as const,
  );
  if (all.length > 0) state.artefacts = { ...state.artefacts, testPlaces: [...new Map(all).values()] };
}
