import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../compare/compare-runs.ts';
import { pairOfRuns, result, storedRun } from '../compare/fixtures/stored-run.ts';
import { readRun } from '../compare/read-run.ts';
import { fullRun, HOSTILE, hostileRun } from './fixtures/runs.ts';
import { formatComparison, renderReport, writeReport } from './render-report.ts';

const root = mkdtempSync(path.join(tmpdir(), 'askema-report-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const FEW = { resamples: 200 };

describe('formatComparison', () => {
  it('says who is ahead, whether that is more than chance, and what changed sides', () => {
    const [a, b] = pairOfRuns('wwwwwwwwrr', 'rrrrrrrrrr');
    const text = formatComparison(compareRuns(a, b, FEW));
    expect(text).toContain('new is right on 8 more questions than old: 20.0 % to 100.0 % of 10 that both were asked.');
    expect(text).toMatch(
      /8 gained and 0 lost: \+80\.0 points, 95 % interval \S+ to \S+, exact McNemar p = 0\.008\. That is more/,
    );
    expect(text).toContain('- q0 (wrong → right, easy): What of q0? [wrong for a reason]');
  });

  it('does not call chance a finding, nor nothing a difference', () => {
    const [a, b] = pairOfRuns('rrrw', 'rwrr');
    expect(formatComparison(compareRuns(a, b, FEW))).toContain('That may be chance');
    expect(formatComparison(compareRuns(a, b, FEW))).toContain('right on the same number of questions');
    const [c, d] = pairOfRuns('rrw', 'rrw');
    const same = formatComparison(compareRuns(c, d, FEW));
    expect(same).toContain('No question changed sides.');
    expect(same).toMatch(/^easy .* no change /m);
    const [e, f] = pairOfRuns('g', 'r');
    expect(formatComparison(compareRuns(e, f, FEW))).toContain('no question in common that counts');
  });

  it('is a table of GitHub in Markdown, whatever the names are', () => {
    const markdown = formatComparison(compareRuns(hostileRun(), hostileRun('right'), FEW), 'markdown');
    const cells = (line: string): number => line.match(/(?<!\\)\|/g)?.length ?? 0;
    const tables = markdown
      .trimEnd()
      .split('\n\n')
      .filter((part) => part.startsWith('|'));
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables) expect(new Set(table.split('\n').map(cells)).size).toBe(1);
    expect(markdown).not.toMatch(/<script|<img|[^\\]\[link\]\(/);
    expect(markdown.split('\n').filter((line) => /^# /.test(line))).toHaveLength(1);
  });
});

describe('renderReport', () => {
  it('counts questions whose gold failed nowhere but by themselves, says where a metric failed, and no tokens without calls', () => {
    const run = storedRun('metrics', [
      result('a', 'right', { calls: 0, scores: { mine: 1 } }),
      result('b', 'goldFailed', { calls: 0, scores: { mine: 0 } }),
      result('c', 'wrong', { calls: 0, metricErrors: { mine: 'no such column', other: 'no grammar' } }),
    ]);
    const text = renderReport(run, { ...FEW, format: 'text' });
    expect(text).toMatch(/^mine \(failed on 1\) +1 +100\.0 % /m);
    expect(text).toMatch(/^other \(failed on 1\) +0 +- +-$/m);
    expect(text).toMatch(/ gold failed +1 +-$/m);
    expect(text).toMatch(/ wrong +1 +100\.0 %$/m);
    expect(text).not.toContain('tokens in');
  });

  it('writes one run as text: figures, reasons, cost, confidence, misses, and how it was measured', () => {
    const text = renderReport(fullRun('old', 1), { ...FEW, format: 'text' });
    expect(text).toContain('animals: model-old, plain\n=========================\n');
    expect(text).toContain('9 of 21 questions are right: 42.9 %, 95 % interval 24.5 to 63.5 %.');
    for (const part of [
      '3 questions not counted',
      'By difficulty:',
      'Why questions were not right:',
      '0.0240 USD',
      'SQL that ran',
      'bird-soft-f1',
      'expected calibration error',
      "SELECT 'q-1'",
      'fingerprint of the questions',
      'Line 9 of results.jsonl',
    ])
      expect(text).toContain(part);
  });

  it('keeps statements of Markdown inside their fence', () => {
    const run = storedRun('x', [result('q', 'wrong', { sql: 'SELECT `a`\n````\n# out', reason: '1. | **x** <b>' })]);
    const markdown = renderReport(run, { ...FEW, format: 'markdown' });
    expect(markdown).toContain('`````sql\nSELECT `a`\n````\n# out\n`````');
    expect(markdown).toContain('Reason: 1. \\| \\*\\*x\\*\\* &lt;b&gt;');
  });

  it('steers no terminal', () => {
    for (const format of ['text', 'markdown'] as const) {
      const text = renderReport([hostileRun(), hostileRun('right')], { ...FEW, format });
      expect(text.match(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)).toBeNull();
      expect(text).toContain('⟨U+001B⟩');
      expect(renderReport(hostileRun(), { ...FEW, format })).toContain(HOSTILE[5]);
    }
  });

  it('counts the same cause as one, whatever it quotes', () => {
    const reasons = [
      "Nothing matches 'cat'.",
      "Nothing matches 'dog', 'cow'.",
      '2 rows where there should be 3',
      '12 rows where there should be 1',
      'Too unsure: a',
      'Too unsure: b',
    ];
    const run = storedRun(
      'x',
      reasons.map((reason, index) => result(`q${index}`, 'wrong', { reason })),
    );
    const text = renderReport(run, { ...FEW, format: 'text' });
    for (const kind of ['Nothing matches ‘…’.', 'n rows where there should be n', 'Too unsure: …'])
      expect(text).toMatch(new RegExp(`^${kind.replaceAll('.', '\\.')} +wrong +2 +33\\.3 %$`, 'm'));
  });

  it('takes one run or two', () => {
    const run = fullRun('old', 1);
    expect(renderReport([run], FEW)).toBe(renderReport(run, FEW));
    expect(() => renderReport([run, run, run] as never)).toThrow('there are 3');
    expect(() => renderReport(run, { level: 2 })).toThrow('`level` is 2');
  });
});

describe('writeReport', () => {
  it('chooses the form by the ending, makes folders, and leaves no draft', async () => {
    const folder = path.join(root, 'deep', 'er');
    const run = fullRun('old', 1);
    await writeReport(run, path.join(folder, 'report.md'), FEW);
    await writeReport(run, path.join(folder, 'report.txt'), FEW);
    expect(await writeReport(run, path.join(folder, 'report.html'), FEW)).toBe(path.join(folder, 'report.html'));
    expect(readdirSync(folder).sort()).toEqual(['report.html', 'report.md', 'report.txt']);
    const start = (name: string): string => readFileSync(path.join(folder, name), 'utf8').slice(0, 15);
    expect([start('report.html'), start('report.md'), start('report.txt')]).toEqual([
      '<!DOCTYPE html>',
      '# animals: mode',
      'animals: model-',
    ]);
  });

  it('says where it cannot write', async () => {
    await expect(writeReport(fullRun('old', 1), root, FEW)).rejects.toThrow(`cannot be written to ${root}`);
    expect(readdirSync(path.dirname(root)).filter((name) => name.startsWith(`${path.basename(root)}.`))).toEqual([]);
  });

  it('reports a run that is read while another one writes it', async () => {
    await expect(readRun(path.join(root, 'none'))).rejects.toThrow('no folder of a run');
    expect(renderReport(storedRun('begun', []), { ...FEW, format: 'text' })).toContain('There is no result yet.');
  });
});
