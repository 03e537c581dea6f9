import { describe, expect, it } from 'vitest';
import { message } from '../fixtures/scripted-design.ts';
import { designResult, scoreOf, storedDesignRun } from '../fixtures/stored-design-run.ts';
import type { DesignJudgement } from '../judge-design.ts';
import { compareDesigns } from './compare-designs.ts';
import { formatDesignComparison } from './format-design-comparison.ts';

const FEW = { resamples: 500 };
const judged = (total: number): { readonly judgement: DesignJudgement } => ({
  judgement: {
    total,
    scores: { functionalCoverage: total, normalization: total, integrity: total },
    samples: [],
    usage: {},
    calls: 1,
    solvedBy: 'judge',
  },
});
const call = { tool: 'decompose', thought: '', input: {}, observation: '', failed: false };
const chat = [
  message(1, 'user', 'all'),
  message(2, 'conceptual-designer', ['conceptual-reviewer']),
  message(3, 'conceptual-reviewer', ['conceptual-designer'], 'feedback'),
  { ...message(4, 'logical-designer', ['qa-engineer']), toolCalls: [call, call] },
  { ...message(5, 'conceptual-designer', 'all'), leaves: { chat: 'inner', how: 'approved' as const, repeats: 2 } },
];

describe('compareDesigns', () => {
  it('pairs the requirements and gives each figure with the interval of its difference', () => {
    const a = storedDesignRun('one-shot', [designResult('r1', 0.5), designResult('r2', 0.5), designResult('r3', 1)]);
    const b = storedDesignRun('agent', [designResult('r3', 1), designResult('r1', 0.7), designResult('r2', 0.9)]);
    const { scorers, requirements, remarks } = compareDesigns(a, b, FEW);
    expect({ requirements, remarks }).toEqual({ requirements: 3, remarks: [] });
    expect(scorers).toMatchObject([{ scorer: 'strict', requirements: 3, same: 1 }]);
    const f1 = scorers[0]?.metrics.find(({ id }) => id === 'tableF1');
    expect(f1?.meanA).toBeCloseTo(2 / 3);
    expect(f1?.meanB).toBeCloseTo(2.6 / 3);
    expect(f1?.difference.value).toBeCloseTo(0.2);
    // Drawn in pairs: no sample of the differences 0, 0.2 and 0.4 leaves their range.
    expect(f1?.difference.low).toBeGreaterThanOrEqual(0);
    expect(f1?.difference.high).toBeLessThanOrEqual(0.4 + 1e-9);
  });

  it('counts a design that failed as its scorer did, and compares only scorers that both have', () => {
    const both = { strict: scoreOf(0.4), paper: scoreOf(0.2) };
    const a = storedDesignRun('a', [designResult('r1', undefined), designResult('r2', 0.4, { scores: both })]);
    const b = storedDesignRun('b', [designResult('r1', 1), designResult('r2', 0.4)]);
    const { scorers } = compareDesigns(a, b, FEW);
    expect(scorers.map(({ scorer }) => scorer)).toEqual(['strict']);
    expect(scorers[0]?.metrics[0]).toMatchObject({ id: 'tableF1', questions: 2, meanA: 0.2, meanB: 0.7 });
  });

  it('leaves out what cannot be paired, and says so', () => {
    const a = storedDesignRun('a', [designResult('same', 1), designResult('other', 1), designResult('gone', 1)]);
    const other = designResult('otherwise', 0);
    const b = storedDesignRun('b', [designResult('same', 1), { ...other, id: 'other' }, designResult('new', 1)]);
    const comparison = compareDesigns(a, b, FEW);
    expect(comparison).toMatchObject({ requirements: 1, rewritten: ['other'], onlyA: ['gone'], onlyB: ['new'] });
    expect(comparison.remarks.join(' ')).toContain('1 requirement with another text');
  });

  it('groups by the size of gold, with what roles sent back', () => {
    const a = storedDesignRun('a', [
      designResult('r1', 1, { goldTables: 10 }),
      designResult('r2', 0.5, { goldTables: 3 }),
      designResult('r3', 0.5, { goldTables: 3 }),
    ]);
    const b = storedDesignRun('b', [
      designResult('r1', 1, { goldTables: 10 }),
      designResult('r2', 1, { goldTables: 3, transcript: chat }),
      designResult('r3', 0.5, { goldTables: 3, transcript: chat }),
    ]);
    const { bySize } = compareDesigns(a, b, FEW);
    expect(bySize.map(({ tables, requirements }) => [tables, requirements])).toEqual([
      [3, 2],
      [10, 1],
    ]);
    expect(bySize[0]?.metrics.find(({ id }) => id === 'tableAccuracy')).toMatchObject({ meanA: 0, meanB: 0.5 });
    expect(bySize[0]?.feedbackA.conceptualErrors).toBe(0);
    expect(bySize[0]?.feedbackB).toMatchObject({ chats: 2, conceptualErrors: 2, otherErrors: 0 });
  });

  it('counts turns and tool calls of roles, and no word twice that a nested chat hands on', () => {
    const a = storedDesignRun('a', [designResult('r1', 1), designResult('r2', 1)]);
    const b = storedDesignRun('b', [designResult('r1', 1, { transcript: chat }), designResult('r2', 1)]);
    const { roles } = compareDesigns(a, b, FEW);
    expect(roles.map(({ role, turnsA, turnsB, toolCallsB }) => [role, turnsA, turnsB, toolCallsB])).toEqual([
      ['conceptual-designer', 0, 0.5, 0],
      ['conceptual-reviewer', 0, 0.5, 0],
      ['logical-designer', 0, 0.5, 1],
    ]);
  });

  it('tells how scores and judgements lie', () => {
    const totals = [1, 8.4, 9, 10];
    const run = (name: string, scores: readonly number[]) =>
      storedDesignRun(
        name,
        scores.map((score, at) => designResult(`r${at}`, score, judged(totals[at] ?? 1))),
      );
    const { distributions, judge } = compareDesigns(run('a', [0, 0.1, 0.95, 1]), run('b', [1, 1, 1, 1]), FEW);
    const of = (what: string) => distributions.find((each) => each.what === what);
    expect(of('tableF1')?.a).toMatchObject({ least: 0, median: 0.525, most: 1, parts: [1, 1, 0, 0, 0, 0, 0, 0, 0, 2] });
    expect(of('judge')?.b.parts).toEqual([1, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    expect(judge[0]).toMatchObject({ id: 'judge', questions: 4, meanA: 7.1, difference: { value: 0 } });
  });

  it('says when nothing is in common', () => {
    const a = storedDesignRun('a', [designResult('r1', 1)]);
    const b = storedDesignRun('b', [designResult('r1', 1, { scores: { paper: scoreOf(1) } })]);
    expect(compareDesigns(a, b, FEW).remarks.join()).toContain('no scorer in common');
    expect(compareDesigns(a, storedDesignRun('b', [designResult('r2', 1)]), FEW).remarks.join()).toContain(
      'no requirement in common',
    );
  });
});

describe('formatDesignComparison', () => {
  const a = storedDesignRun('one-shot', [designResult('r1', 0.5, judged(7)), designResult('r2', 0.5, judged(8))]);
  const b = storedDesignRun('agent', [
    designResult('r1', 1, { ...judged(9), transcript: chat }),
    designResult('r2', 0.75, { ...judged(8), transcript: chat }),
  ]);

  it('says who is ahead and by how much, and shows every table', () => {
    const text = formatDesignComparison(compareDesigns(a, b, FEW));
    expect(text).toMatch(/^agent against one-shot\n=+\n/);
    expect(text).toContain(
      'table F1 (strict) is 50.0 % in one-shot and 87.5 % in agent, over 2 requirements of both: +37.5 points',
    );
    expect(text).toContain('So few requirements cannot tell');
    expect(text).toMatch(/^attribute F1 +2 +50\.0 % +87\.5 % +\+37\.5 +\+25\.0 to \+50\.0$/m);
    expect(text).toMatch(/^judge, integrity +2 +7\.50 +8\.50 +\+1\.00/m);
    expect(text).toMatch(/^2 +table acc\. +2 +0\.0 % +50\.0 %/m);
    expect(text).toMatch(/^2 +agent +2 +2 +2 +0$/m);
    expect(text).toMatch(/^table F1 +agent +75\.0 % .*\.{7}█\.█$/m);
    expect(text).toMatch(/^logical-designer +0\.00 +1\.00 +0\.00 +2\.00$/m);
    expect(text).toMatch(/Per requirement/);
    expect(text).not.toMatch(/question/);
  });

  it('takes an interval for a lead only where 0 is not in it', () => {
    const run = (name: string, scores: readonly number[]) =>
      storedDesignRun(
        name,
        Array.from({ length: 12 }, (_, at) => designResult(`r${at}`, scores[at % scores.length])),
      );
    const low = run('low', [0.5]);
    const verdictOn = (scores: readonly number[]): string =>
      formatDesignComparison(compareDesigns(low, run('high', scores), FEW));
    expect(verdictOn([0.6, 0.7])).toContain('That is more than chance explains.');
    expect(verdictOn([0.9, 0.2])).toContain('That may be chance');
  });

  it('writes Markdown', () => {
    expect(formatDesignComparison(compareDesigns(a, b, FEW), 'markdown')).toMatch(
      /^# agent against one-shot\n[\s\S]*\| ---/,
    );
  });
});
