import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../scripts/testing/property-runs.ts';
import { createDependencyParser, dependencyText, parseDependency } from './parse-dependency.ts';

const STUDENT = ['Student ID', 'Course ID', 'Grade', 'City, State', 'Zip', 'R&D', 'a -> b', 'Size 12"'];

describe('parseDependency', () => {
  it.each([
    ['Student ID, Course ID -> Grade', ['Student ID', 'Course ID'], ['Grade']],
    ['Student ID,Course ID→Grade', ['Student ID', 'Course ID'], ['Grade']],
    ['City, State -> Zip', ['City, State'], ['Zip']],
    ['Zip, City, State -> Grade', ['Zip', 'City, State'], ['Grade']],
    ['"City, State" -> Zip', ['City, State'], ['Zip']],
    ['R&D -> Zip', ['R&D'], ['Zip']],
    ['Student ID & Course ID -> Grade', ['Student ID', 'Course ID'], ['Grade']],
    ['a -> b -> Zip', ['a -> b'], ['Zip']],
    ['Zip -> "a -> b"', ['Zip'], ['a -> b']],
    ['Size 12" -> Zip', ['Size 12"'], ['Zip']],
    [' -> Zip', [], ['Zip']],
    ['∅ -> Zip', [], ['Zip']],
  ])('reads `%s`', (text, left, right) => {
    expect(parseDependency(text, STUDENT)).toEqual({ left, right });
  });

  it('takes a comma for a separator where both readings are known; quotes say otherwise', () => {
    const attributes = ['City', 'State', 'City, State', 'Zip'];
    expect(parseDependency('City, State -> Zip', attributes).left).toEqual(['City', 'State']);
    expect(parseDependency('"City, State" -> Zip', attributes).left).toEqual(['City, State']);
  });

  it('takes any name where no attributes are known', () => {
    expect(parseDependency('A & B, "C, D" -> E')).toEqual({ left: ['A & B', 'C, D'], right: ['E'] });
  });

  it.each([
    ['Student ID, Corse ID -> Grade', /no attribute `Corse ID`.*Did you mean `Course ID`/],
    ['Student ID Grade', /no arrow/],
    ['Student ID ->', /behind the arrow/],
    ['Student ID, , Zip -> Grade', /empty name/],
    ['Zip, Zip -> Grade', /`Zip` occurs twice/],
    ['Zip -> Grade -> Course ID', /more than one arrow/],
  ])('refuses `%s` and says why', (text, message) => {
    expect(() => parseDependency(text, STUDENT)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
    expect(() => parseDependency(text, STUDENT)).toThrow(message);
  });

  it('refuses a chain of arrows also without attributes', () => {
    expect(() => parseDependency('A -> B -> C')).toThrow(/more than one arrow/);
  });

  it('stays fast on hostile text', () => {
    const parse = createDependencyParser(STUDENT);
    for (const text of [',', '"', '->', '& ', '"",'].map((piece) => piece.repeat(50_000)))
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
  });

  it('reads back what dependencyText writes, whatever the names', () => {
    const name = fc
      .oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[AB,"& →>-]{1,8}$/))
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), fc.nat(), (names, cut) => {
        const dependency = { left: names.slice(0, cut % names.length), right: names.slice(cut % names.length) };
        expect(parseDependency(dependencyText(dependency))).toEqual(dependency);
        expect(parseDependency(dependencyText(dependency), names)).toEqual(dependency);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
