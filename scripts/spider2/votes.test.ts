import { resultsAgree } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { fitLogistic } from './fit-logistic.ts';
import { readCsv } from './read-csv.ts';
import { DATA, hasVotes, type RecordedTask, readScores, readVotes } from './read-votes.ts';
import {
  candidatesOf,
  decideAll,
  earned,
  endEarly,
  hasRight,
  rankTasks,
  sureWithoutOwn,
  THREADS,
} from './score-votes.ts';

describe('readCsv', () => {
  it('infers types column by column, as pandas does, and keeps decimals exact', () => {
    const { columns, rows } = readCsv('id,amount,flag,note\r\n007,1.10,True,"a, ""b""\nc"\r\n8,,False,NULL\r\n');
    expect(columns.map(({ type }) => type)).toEqual(['NUMERIC', 'NUMERIC', 'BOOL', 'TEXT']);
    expect(rows).toEqual([
      ['007', '1.10', true, 'a, "b"\nc'],
      ['8', null, false, null],
    ]);
  });

  it.each([
    ['a number with separators', '1,234', '"1,234"'],
    ['a percentage', '10%', '10%'],
    ['a date', '2024-01-01', '2024-01-01'],
  ])('keeps %s as text', (_name, value, cell) => {
    expect(readCsv(`a\n${cell}\n`)).toEqual({ columns: [{ name: 'a', type: 'TEXT' }], rows: [[value]] });
  });

  it('reads what is empty, cut short or without a line end', () => {
    expect(readCsv('')).toEqual({ columns: [], rows: [] });
    expect(readCsv('a,b\n').rows).toEqual([]);
    expect(readCsv('a,b\n1,\n2,x\n3').rows).toEqual([
      ['1', null],
      ['2', 'x'],
    ]);
    expect(readCsv('a\n"open').rows).toEqual([['open']]);
  });

  it('agrees with itself where only the form of a number differs', () => {
    expect(resultsAgree(readCsv('a\n1.10\n1e3\n'), readCsv('b\n1.1\n1000.00\n'))).toBe(true);
    expect(resultsAgree(readCsv('a\n007\n'), readCsv('a\n7\n'))).toBe(true);
  });
});

function task(answers: readonly (string | undefined)[]): RecordedTask {
  const votes = answers.flatMap((csv, slot) =>
    csv === undefined ? [] : [{ id: `m/t/${slot}`, slot, sql: 'SELECT 1', result: readCsv(csv) }],
  );
  return { instance: 't', model: 'm', question: 'Which ones?', votes };
}

describe('scoring', () => {
  const scores = new Map([
    ['m/t/0', true],
    ['m/t/1', false],
  ]);

  it('counts a thread without an answer as a thread', () => {
    const candidates = candidatesOf(task(['a\nx\n', undefined, 'a\nx\n']));
    expect(candidates).toHaveLength(THREADS);
    expect(candidates.filter(({ result }) => result === undefined)).toHaveLength(6);
  });

  it('splits a tie evenly', () => {
    const [one] = decideAll([task(['a\nx\n', 'a\ny\n'])], { preset: 'v5' });
    expect(one?.decision.decision).toBe('tie');
    expect(one && earned(one, scores)).toBe(0.5);
    expect(one && hasRight(one, scores)).toBe(true);
    expect(one && hasRight(one, new Map())).toBe(false);
  });

  it('ends a vote as soon as it is decided', () => {
    const decided = decideAll([task(new Array(THREADS).fill('a\nx\n'))], { preset: 'v5' });
    expect(endEarly(decided, { preset: 'v5' })).toEqual({ calls: 8, used: 5, changed: 0 });
  });

  it('takes the threshold of a task from the others', () => {
    const ranked = [0.9, 0.8, 0.2, 0.1].map((confidence, at) => ({
      confidence,
      fitted: 1 - confidence,
      isRight: at < 2,
    }));
    expect(sureWithoutOwn(ranked, 'confidence', 0.5)).toEqual({ sure: 2, right: 2 });
    expect(sureWithoutOwn(ranked, 'fitted', 0.5)).toEqual({ sure: 2, right: 0 });
  });

  it('fits what tells right from wrong, and leaves the task itself out', () => {
    const observations = Array.from({ length: 40 }, (_, at) => ({ features: [at / 40, 0.5], isRight: at >= 20 }));
    const predict = fitLogistic(observations);
    expect(predict([0.95, 0.5])).toBeGreaterThan(0.7);
    expect(predict([0.05, 0.5])).toBeLessThan(0.3);
    const decided = decideAll([task(['a\nx\n', 'a\nx\n']), task(['a\nx\n', 'a\ny\n'])], { preset: 'v5' });
    expect(rankTasks(decided, scores).map(({ isRight }) => isRight)).toEqual([true, false]);
  });
});

describe('the recorded votes', () => {
  it('come out under the rule of the authors as they were measured', () => {
    if (!hasVotes()) {
      console.warn(`NOT REPLAYED: ${DATA}/spider2 is not there. Set ASKEMA_DATA to the folder that holds it.`);
      return;
    }
    const tasks = readVotes();
    const scores = readScores();
    const figures = ['gpt-4o', 'o3'].map((model) => {
      const all = decideAll(
        tasks.filter((one) => one.model === model),
        { preset: 'v5' },
      );
      const unique = all.filter(({ decision }) => decision.decision === 'decided').length;
      const right = all.reduce((total, one) => total + earned(one, scores), 0);
      return {
        unique,
        ties: all.length - unique,
        right: right.toFixed(1),
        any: all.filter((one) => hasRight(one, scores)).length,
      };
    });
    expect(figures).toEqual([
      { unique: 47, ties: 32, right: '17.8', any: 33 },
      { unique: 75, ties: 5, right: '44.5', any: 53 },
    ]);
  }, 60_000);
});
