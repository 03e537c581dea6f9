import { expect, test } from 'vitest';
import { offsetOfPlace, placeIn, withoutPlace } from './statement-position.ts';

test('the place is the last one that the message names', () => {
  expect(placeIn('Unrecognized name: x at [2:8]')).toEqual({ line: 2, column: 8 });
  expect(placeIn('Unrecognized name: x [at 2:8]')).toEqual({ line: 2, column: 8 });
  expect(placeIn("Bad value 'at [9:9]' at [1:3]")).toEqual({ line: 1, column: 3 });
  expect(placeIn('division by zero: 1 / 0')).toBeUndefined();
  expect(withoutPlace("Bad value 'at [9:9]' at [1:3]")).toBe("Bad value 'at [9:9]'");
});

test.each([
  ['SELECT x', 1, 8, 'x'],
  ['SELECT\r\n  x', 2, 3, 'x'],
  ['SELECT\rx', 2, 1, 'x'],
  // A tab goes on to the next multiple of 8.
  ['\tSELECT x', 1, 16, 'x'],
  ['ab\tx', 1, 9, 'x'],
  // Characters beyond the first plane count as one.
  ["SELECT '\u{1F600}', x", 1, 13, 'x'],
])('%j at %d:%d', (sql, line, column, text) => {
  expect(sql.slice(offsetOfPlace(sql, { line, column }))).toBe(text);
});

test('a line that is not there has no offset; a column beyond its line is the end of it', () => {
  expect(offsetOfPlace('SELECT 1', { line: 2, column: 1 })).toBeUndefined();
  expect(offsetOfPlace('SELECT 1\nx', { line: 1, column: 99 })).toBe(8);
});
