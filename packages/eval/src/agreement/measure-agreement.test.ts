import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadVerdicts, type VerdictValue } from './load-verdicts.ts';
import { formatAgreement, measureAgreement } from './measure-agreement.ts';

const verdicts = (name: string, values: Readonly<Record<string, VerdictValue>>, of = 'verdict') => ({
  name,
  byName: new Map([[of, new Map(Object.entries(values))]]),
  problems: [],
});
/** `20 yes/yes, 5 yes/no, …` as verdicts of both. */
function table(yesYes: number, yesNo: number, noYes: number, noNo: number) {
  const cells = [
    ...Array.from({ length: yesYes }, () => ['yes', 'yes']),
    ...Array.from({ length: yesNo }, () => ['yes', 'no']),
    ...Array.from({ length: noYes }, () => ['no', 'yes']),
    ...Array.from({ length: noNo }, () => ['no', 'no']),
  ];
  const side = (at: number) => Object.fromEntries(cells.map((cell, row) => [`r${row}`, cell[at] ?? '']));
  return measureAgreement(verdicts('person', side(0)), verdicts('judge', side(1)));
}

describe('measureAgreement', () => {
  it.each([
    // Both say yes to half of 50; agreement 0.7, by chance 0.5.
    [20, 5, 10, 15, 0.7, 0.4],
    // The same agreement, told apart by kappa: more of it is chance.
    [45, 15, 25, 15, 0.6, 0.13],
    [25, 35, 5, 35, 0.6, 0.26],
    [10, 0, 0, 10, 1, 1],
    [0, 10, 10, 0, 0, -1],
  ])('of %i, %i, %i, %i it is %f, kappa %f', (a, b, c, d, agreement, kappa) => {
    const [found] = table(a, b, c, d).verdicts;
    expect(found?.agreement).toBeCloseTo(agreement);
    expect(found?.kappa).toBeCloseTo(kappa, 2);
  });

  it('gives no kappa where chance alone explains everything', () => {
    expect(table(10, 0, 0, 0).verdicts[0]).toMatchObject({ agreement: 1, kappa: undefined });
  });

  it('gives the error rate of figures, and takes rounded ones for the same', () => {
    const person = verdicts('person', { r1: 0.5, r2: 0.667, r3: 0.8 }, 'tableF1');
    const judge = verdicts('judge', { r1: 0.5, r2: 2 / 3, r3: 0.7, r4: 1 }, 'tableF1');
    const report = measureAgreement(person, judge);
    expect(report.verdicts[0]).toMatchObject({ name: 'tableF1', judged: 3, same: 2 });
    expect(report.verdicts[0]?.figures?.errorRate).toBeCloseTo(0.1 / 1.967, 3);
    expect(report.differing).toEqual([{ name: 'tableF1', id: 'r3', person: 0.8, judge: 0.7 }]);
    expect(report.onlyJudge).toEqual(['r4']);
    const text = formatAgreement(report);
    expect(text).toMatch(/^tableF1 +3 +2 +66\.7 % .* 0\.656 +0\.622 +5\.1 %$/m);
    expect(text).toContain('r3, tableF1: person 0.8, judge 0.7');
  });

  it('refuses verdicts about different things', () => {
    const judge = verdicts('judge', { r1: 1 }, 'tableF1');
    expect(() => measureAgreement(verdicts('person', { r1: 'yes' }), judge)).toThrow(/no verdict of one name/);
    expect(() => measureAgreement(verdicts('person', { r9: 1 }, 'tableF1'), judge)).toThrow(/no verdict of one name/);
  });
});

describe('loadVerdicts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'askema-verdicts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string, lines: readonly object[]): string => {
    const file = path.join(folder, name);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  };

  it('reads words, truth values and figures, and leaves lines without a verdict out', async () => {
    const file = write('person.jsonl', [
      { id: 'r1', verdict: true, remarks: 'so' },
      { id: 'r2', verdict: '' },
      { id: 'r3', verdicts: { tableF1: 0.5, __proto__: 1 } },
      { verdict: 'yes' },
    ]);
    const { byName, problems } = await loadVerdicts(file);
    expect([...(byName.get('verdict') ?? [])]).toEqual([['r1', 'true']]);
    expect(byName.get('tableF1')?.get('r3')).toBe(0.5);
    expect(problems).toMatchObject([{ line: 4 }]);
  });

  it('reads the scores of a run of designs', async () => {
    const dataset = { name: 'd', fingerprint: 'f' };
    write('run.json', [{ schemaVersion: 1, runId: 'r', dataset, configuration: {}, startedAt: '' }]);
    write('results.jsonl', [
      { schemaVersion: 1, id: 'r1', ending: 'designed', goldTables: 2, scores: { strict: { tableF1: 0.25 } } },
    ]);
    expect((await loadVerdicts(folder)).byName.get('tableF1')?.get('r1')).toBe(0.25);
  });

  it('says what is missing', async () => {
    await expect(loadVerdicts(write('none.jsonl', [{ id: 'r1' }]))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
    await expect(loadVerdicts(path.join(folder, 'nowhere.jsonl'))).rejects.toThrow(/There is no/);
  });
});
