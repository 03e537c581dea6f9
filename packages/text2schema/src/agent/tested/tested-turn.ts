import { EMPTY_SCHEMA, type RoleProfile, withoutRoles } from '@askema/core';
import type { DesignState } from '../../design-state.ts';
import type {
  Clarification,
  LogicalDesign,
  RequirementReport,
  RequirementTest,
  SchemaRole,
  TestPlace,
} from '../../model/index.ts';
import { TESTED_PROFILES } from '../../profiles/tested-profiles.ts';
import type { OpenTest, WrittenTest } from '../../tasks/index.ts';

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

/** Tests behind those that are there, with numbers of their own. */
export function withTests(
  before: readonly RequirementTest[],
  written: readonly WrittenTest[],
): readonly RequirementTest[] {
  const last = Math.max(0, ...before.map(({ number }) => number));
  return [...before, ...written.map((test, at) => ({ ...test, number: last + at + 1 }))];
}

/** Tests as a list for people. */
export function testTitles(tests: readonly RequirementTest[]): string {
  return tests.map(({ number, kind, says }) => `${number}. (${kind}) ${says}`).join('\n');
}

/** What a role said about where facts stand; the last word on a fact counts. */
export function addPlaces(state: DesignState, places: readonly TestPlace[]): void {
  const { testPlaces = [] } = state.artefacts;
  const all = [...testPlaces, ...places].map((place) => [`${place.thing}\n${place.fact ?? ''}`, place] as const);
  if (all.length > 0) state.artefacts = { ...state.artefacts, testPlaces: [...new Map(all).values()] };
}
