import { likeness } from '@askema/grounding';
import { describe, expect, it } from 'vitest';
import { generateSurfaceForms, isWritable, SURFACE_KINDS } from './generate-surface-forms.ts';

const CELLS = [
  'Todd Casey',
  'New York City',
  'Department of Health',
  'Springfield',
  'Michael Chang',
  'Computer Science',
];
const cells = CELLS.map((value) => ({ value }));

describe('generateSurfaceForms', () => {
  it('makes the same forms from the same seed, others from another', () => {
    const made = generateSurfaceForms(cells, 5, 1);
    expect(generateSurfaceForms(cells, 5, 1)).toEqual(made);
    expect(generateSurfaceForms(cells, 5, 2)).not.toEqual(made);
  });

  it('makes so many of each kind, all unlike the cell and each once', () => {
    const made = generateSurfaceForms(cells, 5, 1);
    expect(SURFACE_KINDS.map((kind) => made.filter((form) => form.kind === kind).length)).toEqual([5, 5, 5, 5]);
    expect(made.every(({ stored, surface }) => stored !== surface)).toBe(true);
    expect(new Set(made.map(({ stored, surface }) => `${stored}|${surface}`)).size).toBe(made.length);
  });

  it('changes nothing but the case or the order of words for those kinds', () => {
    for (const { kind, stored, surface } of generateSurfaceForms(cells, 8, 3)) {
      if (kind === 'case' || kind === 'word order') expect(likeness(stored, surface).how).toBe(kind);
    }
  });

  it('takes names and phrases, no dates, codes, addresses of the web or long prose', () => {
    const texts = ['2023-01-01', 'C001', 'a@b.org', 'https://x.org', 'snake_case', 'ab', 'x '.repeat(40), 'Oslo'];
    expect(texts.filter(isWritable)).toEqual(['Oslo']);
  });
});
