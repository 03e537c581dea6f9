import { expect, it } from 'vitest';
import { foldName } from './fold-name.ts';

it.each([
  ['cöunt', 'count'],
  ['co\u0308unt', 'count'],
  ['CURDATÉ', 'curdate'],
  ['ſum', 'sum'],
  ['ßum', 'sum'],
  ['mın', 'min'],
  ['α\u0345', 'αι'],
  ['μισθοσ', foldName('ΜΙΣΘΟΣ')],
  ['count', 'count'],
  ['cøunt', 'cøunt'],
])('%s compares as %s', (name, folded) => expect(foldName(name)).toBe(folded));
