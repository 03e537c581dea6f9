import type { JsonValue } from '@askema/core';
import type { Replies } from './pottery-design.ts';

/** What each role of the preset `tested` answers to the requirement of `pottery-design.ts`. */

const attribute = (name: string, type: string) => ({ name, type });
const relation = (name: string, attributes: JsonValue, key: readonly string[], references: JsonValue = []) => ({
  name,
  attributes,
  key: [...key],
  references,
  unique: [],
  required: [],
  dependencies: [],
});

/** A whole schema whose firings have this key. */
export function potteryDraft(key: readonly string[], more: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  return {
    thinking: '',
    refusal: '',
    relations: [
      relation('Potter', [attribute('Potter Number', 'TEXT'), attribute('Name', 'TEXT')], ['Potter Number']),
      relation('Kiln', [attribute('Kiln Code', 'TEXT'), attribute('Size', 'NUMERIC')], ['Kiln Code']),
      relation(
        'Firing',
        [attribute('Potter Number', 'TEXT'), attribute('Kiln Code', 'TEXT'), attribute('Day', 'DATETIME')],
        key,
        [
          { attributes: ['Potter Number'], target: 'Potter' },
          { attributes: ['Kiln Code'], target: 'Kiln' },
        ],
      ),
    ],
    assumptions: ['A potter may fire in the same kiln again.'],
    places: [],
    disputes: [],
    reportErrors: [],
    ...more,
  };
}

const row = (thing: string, label: string, ...facts: readonly string[]) => ({ thing, label, facts: [...facts] });
const firing = (label: string, day: string, potter = '@ada') =>
  row('Firing', label, `potter = ${potter}`, 'kiln = @k1', `day = ${day}`);

/** A key that is too small: one test fails; a counter-example passes; the second draft passes all. Four calls. */
export const TESTED_REPLIES: Replies = {
  draft: [potteryDraft(['Potter Number', 'Kiln Code']), potteryDraft(['Potter Number', 'Kiln Code', 'Day'])],
  'requirement-tests': [
    {
      thinking: '',
      necessary: [],
      samples: [
        row('Potter', 'ada', 'potter number = P1', 'name = Ada'),
        row('Kiln', 'k1', 'kiln code = K1', 'size = 2'),
      ],
      tests: [
        { kind: 'fact', says: 'A firing has its day.', rows: [firing('f1', '2026-03-01')] },
        {
          kind: 'event',
          says: 'Ada fires in the kiln again.',
          rows: [firing('f1', '2026-03-01'), firing('f2', '2026-03-08')],
        },
        { kind: 'refusal', says: 'Nobody fires.', rows: [firing('f1', '2026-03-01', '@nobody')] },
      ],
      verdicts: [],
    },
  ],
  'counter-examples': [
    {
      thinking: '',
      places: [],
      tests: [
        {
          kind: 'event',
          says: 'Two potters share a kiln on one day.',
          rows: [
            row('Potter', 'bo', 'potter number = P2', 'name = Bo'),
            firing('f1', '2026-03-01'),
            firing('f2', '2026-03-01', '@bo'),
          ],
        },
      ],
    },
  ],
};
