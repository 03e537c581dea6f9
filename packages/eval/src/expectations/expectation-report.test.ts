import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Certainty, ExpectationKind, ExpectationVerdict, VerdictsLine } from './expectation.ts';
import { reportExpectations } from './expectation-report.ts';
import { formatExpectationReport } from './format-expectation-report.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'askema-expectation-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const VERDICTS: Readonly<Record<string, ExpectationVerdict>> = { h: 'holds', s: 'stated', f: 'fails' };
type Row = readonly [ExpectationKind, Certainty, Readonly<Record<string, string>>];

function line(id: string, rows: readonly Row[]): VerdictsLine {
  return {
    schemaVersion: 1,
    id,
    requirement: 'Plots.',
    model: 'judge',
    calls: 1,
    seed: 1,
    shownHash: '',
    order: [],
    expectations: rows.map(([kind, certainty, designs], at) => ({
      number: at + 1,
      kind,
      certainty,
      says: 'Plots.',
      designs: Object.fromEntries(
        Object.entries(designs).map(([name, letter]) => [name, { verdict: VERDICTS[letter] ?? 'fails' }]),
      ),
    })),
  };
}

function write(name: string, lines: readonly VerdictsLine[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return file;
}

describe('reportExpectations', () => {
  it('counts what holds and what is stated, by kind and certainty', async () => {
    const file = write('verdicts.jsonl', [
      line('r1', [
        ['fact', 'said', { new: 'h', old: 'h' }],
        ['fact', 'implied', { new: 's', old: 'f' }],
        ['event', 'said', { new: 'f', old: 'f' }],
      ]),
      line('r2', [['refusal', 'implied', { new: 'h', old: 'f' }]]),
    ]);
    const { designs, requirements } = await reportExpectations([file]);
    expect(requirements).toBe(2);
    const [first] = designs;
    const share = (kind: string, certainty: string) =>
      first?.shares.find((each) => each.kind === kind && each.certainty === certainty);
    expect(first).toMatchObject({ name: 'new', requirements: 2 });
    expect(share('all', 'all')).toMatchObject({ expectations: 4, holds: 2, stated: 1 });
    expect(share('fact', 'all')).toMatchObject({ expectations: 2, holds: 1, stated: 1 });
    expect(share('all', 'implied')).toMatchObject({ expectations: 2, holds: 1, stated: 1 });
    expect(share('event', 'implied')).toMatchObject({ expectations: 0 });
  });

  it('resamples whole requirements: a lead in one of them alone is no proof', async () => {
    const many = (letter: string, count: number): Row[] =>
      Array.from({ length: count }, () => ['fact', 'said', { new: letter, old: 'f' }] as const);
    const everywhere = Array.from({ length: 20 }, (_, at) => line(`r${at}`, [...many('h', 3), ...many('f', 17)]));
    const once = everywhere.map(({ id }, at) => line(id, many(at < 3 ? 'h' : 'f', 20)));
    const against = async (name: string, lines: readonly VerdictsLine[]) =>
      (await reportExpectations([write(name, lines)], { baseline: 'old' })).differences[0];
    const [sure, unsure] = [await against('everywhere', everywhere), await against('once', once)];
    expect(sure).toMatchObject({ name: 'new', kind: 'all', certainty: 'all', requirements: 20, expectations: 400 });
    expect(sure?.met.value).toBeCloseTo(unsure?.met.value ?? 0);
    expect(sure?.met.pValue).toBeLessThan(0.001);
    expect(unsure?.met.low).toBe(0);
    expect(unsure?.met.pValue).toBeGreaterThan(0.05);
  });

  it('tells stated from held in the difference, and compares only requirements of both', async () => {
    const file = write('verdicts.jsonl', [
      line('r1', [['fact', 'said', { new: 's', old: 'f' }]]),
      line('r2', [['fact', 'said', { new: 'h', old: 'h' }]]),
      line('r3', [['fact', 'said', { new: 'f' }]]),
    ]);
    const { differences } = await reportExpectations([file], { baseline: 'old' });
    expect(differences[0]).toMatchObject({ requirements: 2, met: { value: 0.5 }, holds: { value: 0, pValue: 1 } });
  });

  it('takes the last line of a requirement in one file, and each of several files', async () => {
    const first = write('first', [
      line('r1', [['fact', 'said', { new: 'f' }]]),
      line('r1', [['fact', 'said', { new: 'h' }]]),
    ]);
    const second = write('second', [line('r1', [['fact', 'said', { new: 'f' }]])]);
    const { designs, requirements } = await reportExpectations([first, second]);
    expect(requirements).toBe(1);
    expect(designs[0]?.shares[0]).toMatchObject({ expectations: 2, holds: 1 });
    await expect(reportExpectations([first, first])).rejects.toThrow(/named twice/);
  });

  it('names the nearest design for a baseline that there is not', async () => {
    const file = write('verdicts.jsonl', [line('r1', [['fact', 'said', { agent: 'h', plain: 'f' }]])]);
    await expect(reportExpectations([file], { baseline: 'agnet' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/agnet.*agent/),
    });
  });
});

it('prints shares and differences, and that few requirements prove nothing', async () => {
  const file = write('verdicts.jsonl', [
    line('r1', [
      ['fact', 'said', { new: 'h', old: 'f' }],
      ['event', 'implied', { new: 's', old: 'f' }],
    ]),
  ]);
  const report = await reportExpectations([file], { baseline: 'old' });
  expect(formatExpectationReport(report)).toMatchSnapshot();
  expect(formatExpectationReport(report, 'markdown')).toContain('| new | said or implied | 1 | 100\\.0 % of 2 |');
});
