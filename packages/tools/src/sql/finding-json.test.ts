import { expect, it } from 'vitest';
import { findingsLines } from './finding-json.ts';

it('tells a finding once that a statement has at several places', () => {
  const unknown = (name: string, start: number) => ({
    ...{
      code: 'unknown-column' as const,
      severity: 'error' as const,
      message: `There is no ${name}.`,
      advice: 'Use name.',
    },
    ...{ span: { start, end: start + name.length }, nearestNames: ['name'] },
  });
  const lines = findingsLines([unknown('full_name', 7), unknown('level', 20), unknown('full_name', 70)]);
  expect(lines.join('\n').split('\n')).toEqual([
    'error unknown-column: There is no full_name. Use name.',
    '  nearest: name',
    'error unknown-column: There is no level. Use name.',
    '  nearest: name',
  ]);
});
