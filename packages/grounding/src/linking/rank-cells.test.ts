import { describe, expect, it } from 'vitest';
import { rankCells } from './rank-cells.ts';

describe('rankCells', () => {
  const cells = ['Todd Casey', 'Casey, Todd', 'todd  casey', 'Tod Casey', 'Michael Chang', 'Todd Casey'];

  it('lists the most alike cells first, each once, exactly as stored', () => {
    expect(rankCells('todd casey', cells, { limit: 5 }).map(({ value }) => value)).toEqual([
      'Todd Casey',
      'todd  casey',
      'Casey, Todd',
      'Tod Casey',
    ]);
  });

  it('does not depend on the order of the cells', () => {
    const forwards = rankCells('usa', ['US', 'America', 'American', 'UK'], { limit: 3 });
    expect(rankCells('usa', ['UK', 'American', 'America', 'US'], { limit: 3 })).toEqual(forwards);
  });

  it('keeps the limit and the least score, and gives a long cell whole', () => {
    const long = `Todd ${'x'.repeat(400)}`;
    expect(rankCells('todd casey', cells, { limit: 1 })).toHaveLength(1);
    expect(rankCells('todd casey', cells, { limit: 9, minScore: 0.99 })).toEqual([]);
    expect(rankCells(long.toUpperCase(), [long], { limit: 1 })[0]?.value).toBe(long);
  });
});
