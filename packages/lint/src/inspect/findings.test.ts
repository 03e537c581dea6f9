import type { Edit, InspectionFinding, Severity } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFixes, spliceEdits } from './findings.ts';

function finding(edits: readonly Edit[], severity: Severity = 'error'): InspectionFinding {
  return {
    code: 'syntax',
    severity,
    message: '',
    advice: '',
    span: { start: 0, end: 0 },
    fix: { description: '', edits },
  };
}

const edit = (start: number, end: number, text: string): Edit => ({ span: { start, end }, text });

/** Cuts a text at random places; every second piece is replaced. */
const spliced = fc
  .array(fc.record({ kept: fc.string(), old: fc.string({ minLength: 1 }), text: fc.string() }), { maxLength: 8 })
  .map((pieces) => {
    const edits: Edit[] = [];
    let sql = '';
    let expected = '';
    for (const { kept, old, text } of pieces) {
      sql += kept;
      edits.push(edit(sql.length, sql.length + old.length, text));
      sql += old;
      expected += kept + text;
    }
    return { sql, expected, edits };
  });

describe('applyFixes', () => {
  test('makes every edit of findings that do not overlap, in any order', () => {
    fc.assert(
      fc.property(spliced, fc.infiniteStream(fc.nat()), ({ sql, expected, edits }, random) => {
        const order = [...edits].sort(() => (random.next().value % 3) - 1);
        const { sql: fixed, applied } = applyFixes(
          sql,
          order.map((one) => finding([one])),
        );
        expect(fixed).toBe(expected);
        expect(applied).toHaveLength(edits.length);
        expect(spliceEdits(sql, order)).toBe(expected);
      }),
    );
  });

  test('never makes two edits of one place, whatever the spans', () => {
    const anySpan = fc.tuple(fc.nat(12), fc.nat(12)).map(([a, b]) => edit(Math.min(a, b), Math.max(a, b), 'x'));
    fc.assert(
      fc.property(fc.array(fc.array(anySpan, { maxLength: 3 }), { maxLength: 6 }), (fixes) => {
        const sql = 'abcdefghij';
        const { sql: fixed, applied } = applyFixes(
          sql,
          fixes.map((edits) => finding(edits)),
        );
        const made = new Map(
          applied.flatMap(({ fix }) => (fix?.edits ?? []).map((one) => [`${one.span.start} ${one.span.end}`, one])),
        );
        const removed = [...made.values()].reduce((sum, { span }) => sum + span.end - span.start, 0);
        expect(fixed).toHaveLength(sql.length - removed + made.size);
      }),
    );
  });

  test('leaves out a fix that overlaps one before it as a whole', () => {
    const findings = [finding([edit(2, 4, 'X'), edit(8, 9, 'Y')]), finding([edit(0, 3, 'Z')])];
    expect(applyFixes('abcdefghij', findings)).toEqual({ sql: 'Zdefghij', applied: [findings[1]] });
  });

  test('prefers the more serious finding at one place', () => {
    const findings = [finding([edit(1, 2, 'note')], 'note'), finding([edit(1, 2, 'error')])];
    expect(applyFixes('abc', findings)).toEqual({ sql: 'aerrorc', applied: [findings[1]] });
  });

  test('counts the same edit of two findings once', () => {
    const findings = [finding([edit(1, 1, '+')]), finding([edit(1, 1, '+')])];
    expect(applyFixes('abc', findings)).toEqual({ sql: 'a+bc', applied: findings });
  });

  test('takes fixes of a hundred thousand edits', () => {
    const places = Array.from({ length: 200_000 }, (_, at) => edit(4 * at, 4 * at + 1, 'x'));
    const findings = [0, 1].map((half) => finding(places.filter((_, at) => at % 2 === half)));
    const { sql, applied } = applyFixes('a.b '.repeat(200_000), findings);
    expect(applied).toHaveLength(2);
    expect(sql).toBe('x.b '.repeat(200_000));
  });
});
