import { EMPTY_SCHEMA, relationId } from '@askema/core';
import { expect, it } from 'vitest';
import type { DesignCandidate } from '../design-state.ts';
import type { DesignFinding, TestReport } from '../model/index.ts';
import { bestDesign } from './best-design.ts';

const FINDING: DesignFinding = {
  code: 'x',
  severity: 'error',
  subject: 's',
  message: 'm',
  remedy: 'r',
  role: 'logical-designer',
};

/** A design of which this many of ten cases passed; undefined: untested. */
function candidate(name: string, passed: number | undefined, more: { errors?: number; accepted?: boolean } = {}) {
  const counts = { passed: passed ?? 0, failed: 10 - (passed ?? 0), notCompiled: 0, notRun: 0 };
  const testReport: TestReport | undefined =
    passed === undefined
      ? undefined
      : {
          accepted: more.accepted ?? false,
          errors: [],
          text: '',
          run: { dialect: 'sqlite', results: [], counts, elapsedMs: 0 },
        };
  const schema = { ...EMPTY_SCHEMA, relations: [{ id: relationId([name]), name }] };
  const findings = Array<DesignFinding>(more.errors ?? 0).fill(FINDING);
  return {
    conceptual: { entitySets: [], relationshipSets: [] },
    design: { schema, relations: [], decompositions: [], findings },
    testReport,
  } satisfies DesignCandidate;
}

it.each([
  ['none', [], undefined],
  ['the accepted one', [candidate('a', 3, { accepted: true }), candidate('b', 9)], 'a'],
  ['that which passed most', [candidate('a', 3), candidate('b', 9), candidate('c', 5)], 'b'],
  ['the latest of equal ones', [candidate('a', 9), candidate('b', 9)], 'b'],
  ['the latest where none was tested', [candidate('a', undefined), candidate('b', undefined)], 'b'],
  ['the tested one', [candidate('a', 1), candidate('b', undefined)], 'a'],
  ['one without errors of the tools', [candidate('a', 1), candidate('b', 9, { errors: 1 })], 'a'],
  ['one with errors where all have some', [candidate('a', 1, { errors: 1 }), candidate('b', 9, { errors: 1 })], 'b'],
] as const)('bestDesign gives %s', (_name, candidates, expected) => {
  expect(bestDesign({ candidates: [...candidates] })?.design.schema.relations[0]?.name).toBe(expected);
});
