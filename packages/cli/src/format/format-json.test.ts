import type { Outcome, Row } from '@askema/core';
import { decodeOutcome } from '@askema/text2sql/ask';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { unsafeCharacters } from '../testing/unsafe-characters.ts';
import { formatJson } from './format-json.ts';

const origin = { database: 'shop', flow: 'plain', model: 'openai:m' };
const base = {
  question: 'How many?',
  runId: 'run-1',
  candidates: [],
  usage: { inputTokens: 10 },
  calls: 1,
  executions: 1,
  elapsedMs: 5,
  warnings: [],
};

function answered(rows: readonly Row[], more: object = {}): Outcome {
  const columns = [{ name: 'a', nativeType: 'INTEGER', type: 'NUMERIC' as const }];
  const known = { assumptions: [], basedOn: [], sure: false };
  return { ...base, ...known, type: 'answered', sql: 'SELECT 1', result: { columns, rows, elapsedMs: 1, ...more } };
}

describe('formatJson', () => {
  it('holds the whole answer, one row a line', () => {
    const text = formatJson(answered([[1], [2]], { truncated: 'rows' }), origin);
    expect(text).toContain('"rows": [\n      [1],\n      [2]\n    ]');
    expect(JSON.parse(text)).toMatchObject({
      schemaVersion: 1,
      type: 'answered',
      question: 'How many?',
      origin: { database: 'shop', flow: 'plain', model: 'openai:m' },
      sql: 'SELECT 1',
      sure: false,
      result: { columns: [{ name: 'a', type: 'NUMERIC' }], rows: [[1], [2]], truncated: 'rows' },
      usage: { inputTokens: 10 },
      calls: 1,
    });
  });

  it('prints what JSON.stringify makes of an outcome: every value can be read back', () => {
    const row: Row = [
      9_007_199_254_740_993n,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      new Uint8Array([1, 255]),
      null,
      { $bigint: '1' },
    ];
    for (const outcome of [answered([row]), answered([])])
      expect(decodeOutcome(JSON.parse(formatJson(outcome, origin)))).toEqual(outcome);
  });

  it('cannot move a cursor, and parses to the same text', () => {
    const cell = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(cell, (value) => {
        const text = formatJson(answered([[value]]), origin);
        expect(unsafeCharacters(text, '\n')).toEqual([]);
        expect(JSON.parse(text).result.rows).toEqual([[value]]);
      }),
    );
    const tag = formatJson(answered([['\u{e0041}']]), origin);
    expect(tag).toContain('\\udb40\\udc41');
    expect(JSON.parse(tag).result.rows).toEqual([['\u{e0041}']]);
  });

  it('carries what each other outcome knows', () => {
    const error = { askemaError: 1, code: 'QUERY_TIMEOUT', message: 'slow', retryable: false, details: {} } as const;
    const parse = (outcome: Outcome) => JSON.parse(formatJson(outcome, origin));
    expect(parse({ ...base, type: 'failed', error })).toMatchObject({
      type: 'failed',
      error: { code: 'QUERY_TIMEOUT' },
    });
    expect(parse({ ...base, type: 'needsClarification', ask: 'which?', choices: [] })).toMatchObject({ ask: 'which?' });
    expect(parse({ ...base, type: 'unanswerable', reason: 'no', notUnderstood: ['x'] })).toMatchObject({
      reason: 'no',
      notUnderstood: ['x'],
    });
    expect(parse({ ...base, type: 'failed', error })).not.toHaveProperty('result');
  });
});
