import type { Value } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createRowDecoder } from '../client/decode-rows.ts';
import { resultColumns } from '../client/result-columns.ts';
import type { RestCellValue, RestField, RestRow } from '../rest-types.ts';
import { hasRecorded, recordedStatements } from './read-recorded.ts';

/** A recorded value as it had gone over the wire; undefined for what the recording does not hold exactly (an INTERVAL is Python's own text). */
function wireOf(field: RestField, value: unknown): RestCellValue | undefined {
  if (value === null) return null;
  if (field.mode === 'REPEATED') {
    const cells = (value as unknown[]).map((one) => ({ v: wireOf({ ...field, mode: 'NULLABLE' }, one) }));
    return cells.some(({ v }) => v === undefined) ? undefined : (cells as readonly { v: RestCellValue }[]);
  }
  switch (field.type) {
    case 'RECORD':
      return {
        f: (field.fields ?? []).map((inner) => ({
          v: wireOf(inner, (value as Record<string, unknown>)[inner.name]) ?? null,
        })),
      };
    case 'TIMESTAMP':
      return microseconds(String(value));
    case 'RANGE': {
      const { start, end } = value as { start: string | null; end: string | null };
      return `[${[start, end].map((at) => (at === null ? 'UNBOUNDED' : at.includes('+') ? microseconds(at) : at)).join(', ')})`;
    }
    case 'INTERVAL':
      return undefined;
    default:
      return String(value);
  }
}

function microseconds(iso: string): string {
  const [, second = '', fraction = ''] = /^(.{19})(?:\.(\d+))?\+00:00$/.exec(iso) ?? [];
  return String(BigInt(Date.parse(`${second}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0')));
}

/** The value that the adapter must give, from what was recorded. */
function expectedOf(field: RestField, value: unknown, nested: boolean): unknown {
  if (value === null) return null;
  if (field.mode === 'REPEATED')
    return (value as unknown[]).map((one) => expectedOf({ ...field, mode: 'NULLABLE' }, one, true));
  switch (field.type) {
    case 'RECORD':
      return Object.fromEntries(
        (field.fields ?? []).map((inner) => [
          inner.name,
          expectedOf(inner, (value as Record<string, unknown>)[inner.name], true),
        ]),
      );
    case 'INTEGER':
      return Number.isSafeInteger(Number(value)) ? Number(value) : BigInt(String(value));
    case 'FLOAT':
      return typeof value === 'string' ? Number(value) : value;
    case 'TIMESTAMP':
      return String(value).replace('+00:00', 'Z');
    case 'JSON':
      return JSON.parse(String(value));
    case 'BYTES':
      return nested ? value : new Uint8Array(Buffer.from(String(value), 'base64'));
    case 'RANGE': {
      const { start, end } = value as { start: string | null; end: string | null };
      return `[${[start, end].map((at) => at?.replace('+00:00', 'Z') ?? 'UNBOUNDED').join(', ')})`;
    }
    default:
      return value;
  }
}

/** The recording does not say the type within RANGE; its bounds do. */
function withRangeType(field: RestField, rows: readonly Readonly<Record<string, unknown>>[]): RestField {
  if (field.type !== 'RANGE') return field;
  const isTimestamp = JSON.stringify(rows.map((row) => row[field.name])).includes('+00:00');
  return { ...field, rangeElementType: { type: isTimestamp ? 'TIMESTAMP' : 'DATE' } };
}

describe.skipIf(!hasRecorded)('recorded rows', () => {
  it('every value of every result is what BigQuery answered', () => {
    const wrong: unknown[] = [];
    const left: string[] = [];
    let statements = 0;
    let values = 0;
    for (const { name, 'expected.json': expected } of recordedStatements()) {
      if (expected.schema === undefined || expected.rows === undefined) continue;
      statements += 1;
      const { rows } = expected;
      const fields = expected.schema.map((field) => withRangeType(field, rows));
      expect(resultColumns({ fields })).toHaveLength(fields.length);
      const decode = createRowDecoder({ fields });
      for (const row of rows) {
        const cells = fields.map((field) => ({ v: wireOf(field, row[field.name]) }));
        const decoded = decode({ f: cells } as RestRow);
        for (const [index, field] of fields.entries()) {
          if (cells[index]?.v === undefined) {
            left.push(name);
            continue;
          }
          values += 1;
          const want = expectedOf(field, row[field.name], false) as Value;
          if (!same(decoded[index], want)) wrong.push({ name, field, want, got: decoded[index] });
        }
      }
    }
    expect(wrong).toEqual([]);
    expect({ statements, values, left: new Set(left).size }).toMatchInlineSnapshot(`
      {
        "left": 7,
        "statements": 1165,
        "values": 4615,
      }
    `);
  });
});

function same(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
