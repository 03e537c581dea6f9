import { describe, expect, it } from 'vitest';
import { MAX_SURFACE_CHARACTERS, surfaceForms } from './surface-forms.ts';

describe('surfaceForms', () => {
  it('gives each form of a name', () => {
    const forms = surfaceForms('  Casey,  Tódd ');
    expect(forms.folded).toBe('casey, todd');
    expect(forms.words).toEqual(['casey', 'todd']);
    expect(forms.squashed).toBe('caseytodd');
    expect(forms.sortedWords).toBe('casey todd');
  });

  it('takes first letters with and without small words', () => {
    expect(surfaceForms('New York City').initials).toEqual(['nyc']);
    expect(surfaceForms('Bachelor of Science').initials).toEqual(['bos', 'bs']);
    expect(surfaceForms('Science').initials).toEqual([]);
  });

  it('reads full width letters as letters and leaves marks that are letters', () => {
    expect(surfaceForms('ＡＢＣ １').folded).toBe('abc 1');
    expect(surfaceForms('がく').squashed).not.toBe(surfaceForms('かく').squashed);
    expect(surfaceForms('हिन्दी').squashed).toBe('हिन्दी');
  });

  it('keeps signs that tell values apart and drops those that do not', () => {
    expect(
      ['A+', 'A-', 'C#', '-5', '1.5', '1,000', 'U.S.A.', "O'Neill", '50%'].map((text) => surfaceForms(text).squashed),
    ).toEqual(['a+', 'a-', 'c#', '-5', '1.5', '1000', 'usa', 'oneill', '50%']);
  });

  it('cuts long texts, never through a character', () => {
    const forms = surfaceForms(`${'a'.repeat(MAX_SURFACE_CHARACTERS - 1)}😀`);
    expect(forms.lower).toBe('a'.repeat(MAX_SURFACE_CHARACTERS - 1));
  });
});
