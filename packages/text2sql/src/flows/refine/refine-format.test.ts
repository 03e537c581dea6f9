import { describe, expect, it } from 'vitest';
import { type Answer, askRefine, callsOf, FORMAT, keeps, threadModel, writes } from './refine-fixture.ts';

const names: Answer = () => [['Ann'], ['Bob']];
const rules = { review: 'doubted' } as const;
const format = (more: object) => () => ({ json: { ...FORMAT, ...more } });

describe('a format that was fixed before the data were seen', () => {
  it('doubts a result that departs from it, unless the writer says what in the data speaks for that', async () => {
    const doubted = threadModel({ format: format({ rows: 1 }) });
    await askRefine(names, doubted, { rules });
    expect(callsOf(doubted)).toMatchObject({ 'review-result 0': 1, 'review-result 1': 1 });

    const format_departs = 'Two share the greatest age.';
    const reasoned = threadModel({
      format: format({ rows: 1 }),
      write: () => writes('SELECT name FROM customer', { format_departs }),
    });
    const { outcome } = await askRefine(names, reasoned, { rules });
    expect(callsOf(reasoned)).not.toHaveProperty('review-result 0');
    expect(outcome).toMatchObject({
      type: 'answered',
      confidence: { value: 2 / 3 },
      assumptions: [
        { text: 'Read as: who there is' },
        { text: 'The answer departs from the format that was expected: Two share the greatest age.' },
      ],
    });
  });

  it('is departed from once: the first reason of a thread stands', async () => {
    const seen: string[] = [];
    const model = threadModel({
      format: format({ rows: 1 }),
      write: ({ visit }) => writes(visit === 1 ? 'SELECT none' : 'SELECT some', { format_departs: `Reason ${visit}.` }),
      review: ({ prompt }) => {
        seen.push(prompt);
        return keeps;
      },
    });
    await askRefine((sql) => (sql === 'SELECT none' ? [] : [['Ann'], ['Bob']]), model, { limits: { threads: 1 } });
    expect(seen.length).toBeGreaterThan(1);
    for (const prompt of seen) expect(prompt).toContain('Reason 1.');
    expect(seen.join()).not.toContain('The expected format has 1 row');
  });

  it('lets a column that it leaves open be there or not', async () => {
    const columns = [...FORMAT.columns, { ...FORMAT.columns[0], name: 'city', open: true }];
    const missing = threadModel({ format: format({ columns }) });
    await askRefine(names, missing, { rules });
    expect(callsOf(missing)).not.toHaveProperty('review-result 0');
    const more = threadModel({ format: format({ columns }) });
    await askRefine(() => [['Ann', 'Bern', 'x']], more, { rules });
    expect(callsOf(more)).toHaveProperty('review-result 0');
  });
});
