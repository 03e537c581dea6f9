import { readFileSync } from 'node:fs';
import type { Outcome, Value } from '@askema/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import { decodeOutcome, encodeOutcome, withJson } from './outcome-json.ts';

const schema = JSON.parse(readFileSync(new URL('../../outcome.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
const validate = ajv.compile(schema);
/** The same, but a field that the schema does not name is an error: so the schema names every field. */
const validateClosed = ajv.compile({ ...schema, $id: 'closed', unevaluatedProperties: false });

const text = fc.string({ unit: anyCharacter, maxLength: 12 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Every kind of cell, and what JSON would lose or take for something else. */
const cell: fc.Arbitrary<Value> = fc.letrec<{ cell: Value }>((tie) => ({
  cell: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, Number.NaN, Number.POSITIVE_INFINITY, -0, 9_007_199_254_740_993n, '0.10', '2024-02-29'),
    fc.bigInt(),
    fc.double(),
    text,
    fc.uint8Array({ maxLength: 8 }),
    fc.array(tie('cell'), { maxLength: 3 }) as fc.Arbitrary<Value>,
    fc.dictionary(
      fc.constantFrom('$bigint', '$number', '$bytes', '$object', '$undefined', '$', 'a', '__proto__'),
      tie('cell'),
      {
        maxKeys: 2,
      },
    ) as fc.Arbitrary<Value>,
  ),
})).cell;

const error = fc.record({
  askemaError: fc.constant(1 as const),
  code: fc.constantFrom('QUERY_FAILED' as const, 'ABORTED' as const),
  message: text,
  retryable: fc.boolean(),
  details: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 })),
  cause: maybe(text),
});
const figure = fc.nat();
const result = fc.record({
  columns: fc.array(fc.record({ name: text, nativeType: text, type: fc.constant('NUMERIC' as const) }), {
    maxLength: 3,
  }),
  rows: fc.array(fc.array(cell, { maxLength: 3 }), { maxLength: 3 }),
  truncated: maybe(fc.constantFrom('rows' as const, 'bytes' as const)),
  affectedRows: maybe(figure),
  bytesProcessed: maybe(figure),
  queryId: maybe(text),
  elapsedMs: figure,
});
const base = {
  question: text,
  runId: text,
  sql: maybe(text),
  explanation: maybe(text),
  candidates: fc.array(
    fc.record({
      sql: text,
      status: fc.constantFrom('chosen' as const, 'failed' as const),
      reason: maybe(text),
      error: maybe(error),
    }),
    { maxLength: 2 },
  ),
  usage: fc.record({ inputTokens: figure }, { requiredKeys: [] }),
  calls: figure,
  executions: figure,
  elapsedMs: figure,
  solvedBy: maybe(text),
  warnings: fc.array(text, { maxLength: 2 }),
};
const of = <Type extends Outcome['type']>(type: Type) => ({ ...base, type: fc.constant(type) });
const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({
    ...of('answered'),
    sql: text,
    result,
    assumptions: fc.array(fc.record({ text, concerns: maybe(text) }), { maxLength: 2 }),
    basedOn: fc.array(fc.record({ kind: fc.constant('relation' as const), name: text }), { maxLength: 2 }),
    confidence: maybe(
      fc.record({
        value: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
        from: fc.constantFrom('votes' as const, 'table' as const),
      }),
    ),
    sure: fc.boolean(),
  }),
  fc.record({
    ...of('needsClarification'),
    ask: text,
    choices: fc.array(
      fc.record({
        id: text,
        meaning: text,
        resolution: fc.oneof(
          fc.record({ kind: fc.constant('sql' as const), sql: text }),
          fc.record({ kind: fc.constant('evidence' as const), text }),
        ),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ ...of('unanswerable'), reason: text, notUnderstood: fc.array(text, { maxLength: 2 }) }),
  fc.record({ ...of('refused'), reason: text, error: maybe(error) }),
  fc.record({ ...of('budgetExceeded'), result: maybe(result), error }),
  fc.record({ ...of('cancelled'), error }),
  fc.record({ ...of('failed'), error }),
);

describe('the JSON form of an outcome', () => {
  it('brings every value back, and fits its schema', () => {
    fc.assert(
      fc.property(outcomes, (outcome) => {
        const written = JSON.stringify(withJson(outcome));
        const json = JSON.parse(written);
        expect(decodeOutcome(json)).toEqual(outcome);
        expect(json).toEqual(encodeOutcome(outcome));
        expect([validate(json), validate.errors]).toEqual([true, null]);
        expect([validateClosed(json), validateClosed.errors]).toEqual([true, null]);
        expect(JSON.stringify(decodeOutcome(json))).toBe(written);
      }),
      { numRuns: 400 },
    );
  });

  it('is what JSON.stringify makes of an answer with whole numbers beyond 2^53, of a copy too', async () => {
    const row = [
      2n ** 63n,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      new Uint8Array([1, 255]),
      null,
      '0.10',
      { $bytes: 'x' },
    ];
    const text2sql = createText2Sql({ adapter: scriptedAdapter(() => [row]), model: scriptedSolver(['SELECT 1']) });
    const outcome = await text2sql.ask('How many?');
    const rows = [
      [
        { $bigint: '9223372036854775808' },
        { $number: 'NaN' },
        { $number: '-Infinity' },
        { $bytes: 'Af8=' },
        null,
        '0.10',
        { $object: { $bytes: 'x' } },
      ],
    ];
    expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ schemaVersion: 1, type: 'answered', result: { rows } });
    expect(JSON.parse(JSON.stringify({ ...outcome }))).toMatchObject({ type: 'answered', result: { rows } });
    expect(Object.keys(outcome)).not.toContain('toJSON');
    expect(structuredClone(outcome)).toEqual(outcome);
  });

  it('can be written whatever a third party puts into it', () => {
    const circle: Record<string, unknown> = { at: new Date(0), call: () => 1, map: new Map(), list: [undefined] };
    circle.self = circle;
    const outcome = { type: 'unanswerable', reason: '', notUnderstood: [], inspection: circle } as unknown as Outcome;
    const written = JSON.stringify(withJson(outcome));
    expect(JSON.parse(written).inspection).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      map: '[object Map]',
      list: [null],
    });
    expect(written).toContain('[too deep]');
  });

  const good = (): Record<string, unknown> => ({
    ...{ schemaVersion: 1, type: 'refused', reason: 'no', question: 'q', runId: 'r', candidates: [], usage: {} },
    ...{ calls: 0, executions: 0, elapsedMs: 1, warnings: [] },
  });

  it.each([
    [null, /no object/],
    [[], /no object/],
    [{}, /schemaVersion undefined/],
    [{ ...good(), schemaVersion: 2 }, /schemaVersion 2, not 1/],
    [{ ...good(), type: 'toString' }, /type "toString"/],
    [{ ...good(), reason: undefined, question: undefined, type: 'failed' }, /lacks error/],
    [{ ...good(), type: 'budgetExceeded', error: {}, result: { columns: [] } }, /columns and rows/],
  ])('refuses %j', (json, message) => {
    expect(() => decodeOutcome(json)).toThrow(message);
    expect(validate(json)).toBe(false);
  });

  it('lets what the command line adds pass', () => {
    const json = { ...good(), origin: { database: 'shop', flow: 'plain', model: 'm' } };
    expect([validateClosed(json), validateClosed.errors]).toEqual([true, null]);
    expect(decodeOutcome(json)).not.toHaveProperty('origin');
  });
});
