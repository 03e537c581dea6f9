import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FINDING_CODES } from '@askema/core';
import { BUILT_IN_RULES } from '@askema/lint';
import { describe, expect, it } from 'vitest';

const guide = readFileSync(fileURLToPath(new URL('../../docs/guide/inspection.md', import.meta.url)), 'utf8');

/** Severity, trigger and example of the guide, by code. */
const rows = new Map(
  [...guide.matchAll(/^\| `([a-z-]+)` \| (error|warning|note) \| (.+?) \| (.+?) \|$/gm)].map(
    ([, code = '', severity = '', trigger = '', example = '']) => [code, { severity, trigger, example }],
  ),
);

describe('docs/guide/inspection.md', () => {
  it.each(FINDING_CODES)('explains %s with a trigger and an example', (code) => {
    expect(rows.get(code)?.trigger.length).toBeGreaterThan(10);
    expect(rows.get(code)?.example.length).toBeGreaterThan(5);
  });

  it('explains nothing that is no finding, and gives each built-in rule the severity that it has', () => {
    expect([...rows.keys()].filter((code) => !FINDING_CODES.some((known) => known === code))).toEqual([]);
    expect(BUILT_IN_RULES.map(({ code }) => [code, rows.get(code)?.severity])).toEqual(
      BUILT_IN_RULES.map(({ code, severity }) => [code, severity]),
    );
  });
});
