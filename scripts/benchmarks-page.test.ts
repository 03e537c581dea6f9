import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Headline, renderHeadline, THROUGHPUT, TIME } from '../bench/harness/headline.ts';
import { renderPage } from '../bench/harness/render-page.ts';
import type { BenchResult } from '../bench/harness/result.ts';
import { ROOT } from './workspace.ts';

const folder = join(ROOT, 'bench', 'results');
const results = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as BenchResult);

describe('docs/benchmarks.md', () => {
  it('is what the generator makes of the results: run `npm run -s page --prefix bench`', () => {
    expect(readFileSync(join(ROOT, 'docs', 'benchmarks.md'), 'utf8')).toBe(renderPage(results));
  });
});

describe('renderHeadline', () => {
  const table = (ours: number | string, peer: number | string): BenchResult[] => [
    {
      ...(results[0] as BenchResult),
      id: 'b',
      parts: [
        {
          kind: 'table',
          id: 'p',
          title: '',
          columns: ['', 'figure'],
          rows: [
            ['us', ours],
            ['them', peer],
          ],
        },
      ],
    },
  ];
  const headline = (measure: Headline['measure']): Headline => ({
    what: 'Work',
    bench: 'b',
    part: 'p',
    measure,
    ours: { where: { '': 'us' }, column: 'figure' },
    peer: { where: { '': 'them' }, column: 'figure' },
  });

  it.each([
    [TIME, 2, 10, '5 times faster'],
    [TIME, 10, 2, '**5 times slower**'],
    [TIME, 10, 9.8, 'the same'],
    [TIME, '500 µs', '1,804 ms', '3,600 times faster'],
    [THROUGHPUT, 2, 10, '**5 times slower**'],
    [THROUGHPUT, 10, 2, '5 times faster'],
    [TIME, 2, 'alive after 2 s', ''],
  ])('%#: %o %s beside %s is %s', (measure, ours, peer, verdict) => {
    expect(renderHeadline(headline(measure), table(ours, peer))).toEqual(
      expect.arrayContaining(['Work', 'them', verdict]),
    );
  });

  it('fails when the results have no such row', () => {
    const missing = { ...headline(TIME), ours: { where: { '': 'nobody' }, column: 'figure' } };
    expect(() => renderHeadline(missing, table(1, 2))).toThrow(/Work: no .*nobody/);
  });
});
