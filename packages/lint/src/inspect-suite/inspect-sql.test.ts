import { AskemaError, type PlanVerdict } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { type InspectSqlOptions, inspectSql } from '../inspect/inspect-sql.ts';
import { defineRule, type InspectionRule } from '../rules/rule.ts';
import { suiteParser } from './resolve-statement.ts';
import { shopCatalog } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const catalog = shopCatalog();

function inspect(sql: string, options: Partial<InspectSqlOptions> = {}) {
  return inspectSql(sql, {
    catalog,
    dialect: sqliteDialect,
    parser: suiteParser,
    rules: [],
    timeoutMs: 30_000,
    ...options,
  });
}

/** A planner that says the same to every statement, and how often it was asked. */
function plannerSaying(verdict: PlanVerdict) {
  return { check: vi.fn(async () => verdict) };
}

const asksForTotal: InspectionRule = defineRule({
  code: 'custom/total',
  severity: 'warning',
  title: 'Says where a total is.',
  *check({ shape }) {
    for (const { columns } of shape.blocks)
      for (const { name, span } of columns)
        if (name.text === 'total') yield { message: 'A total.', advice: 'None.', span };
  },
});
const SQL = 'SELECT total FROM orders WHERE total > 3';

describe('inspectSql', () => {
  test('checks the built-in rules when it is given none', async () => {
    const { findings, parsed, query } = await inspect('SELECT nmae FROM customers', { rules: undefined });
    expect(findings).toMatchObject([{ code: 'unknown-column', severity: 'error', nearestNames: ['name'] }]);
    expect(parsed).toBe(true);
    expect(query?.blocks).toHaveLength(1);
  });

  test('reports a value in double quotes once, by what mends it', async () => {
    const sql = 'SELECT name FROM customers WHERE city = "Rome"';
    const { findings } = await inspect(sql, { rules: undefined });
    expect(findings).toMatchObject([{ code: 'dialect-syntax', fix: { edits: [{ text: "'Rome'" }] } }]);
    const off = await inspect(sql, { rules: undefined, severities: { 'dialect-syntax': 'off' } });
    expect(off.findings).toMatchObject([{ code: 'unknown-column' }]);
  });

  test('gives findings in the order of the source, with the severities that were asked for', async () => {
    const { findings } = await inspect(SQL, { rules: [asksForTotal], severities: { 'custom/total': 'note' } });
    expect(findings).toEqual([
      { code: 'custom/total', severity: 'note', message: 'A total.', advice: 'None.', span: { start: 7, end: 12 } },
      { code: 'custom/total', severity: 'note', message: 'A total.', advice: 'None.', span: { start: 31, end: 36 } },
    ]);
  });

  test('leaves out what is off', async () => {
    expect((await inspect(SQL, { rules: [asksForTotal], severities: { 'custom/total': 'off' } })).findings).toEqual([]);
  });

  test('refuses the severity of a code that there is not', async () => {
    await expect(inspect(SQL, { severities: { 'unknown-colum': 'off' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('`unknown-column`'),
    });
  });

  test('goes on when a rule breaks, and says so', async () => {
    const broken = defineRule({
      code: 'custom/broken',
      severity: 'error',
      title: 'Breaks.',
      check() {
        throw new Error('no such thing');
      },
    });
    const { findings } = await inspect(SQL, { rules: [broken, asksForTotal] });
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      'custom/broken note',
      'custom/total warning',
      'custom/total warning',
    ]);
    expect(findings[0]?.message).toContain('no such thing');
  });

  test('leaves out rules that need a question where there is none', async () => {
    const rules = [{ ...asksForTotal, needsQuestion: true }];
    expect((await inspect(SQL, { rules })).findings).toEqual([]);
    expect((await inspect(SQL, { rules, question: 'How much?' })).findings).toHaveLength(2);
  });

  test('finds where the syntax is wrong', async () => {
    const { findings, parsed, query } = await inspect('SELECT name FORM customers c WHERE');
    expect({ parsed, query }).toEqual({ parsed: false, query: undefined });
    expect(findings).toMatchObject([{ code: 'syntax', severity: 'error' }]);
  });

  test('believes the engine when it takes what the parser refuses', async () => {
    const planner = plannerSaying({ verdict: 'ok' });
    const { findings } = await inspect('SELECT name FORM customers c WHERE', { planner });
    expect(findings).toMatchObject([{ code: 'not-parsed', severity: 'note' }]);
  });

  test('does not say that the database refuses what it has not seen', async () => {
    const error = { message: 'The statement is not run: `hide`.', details: { code: 'QUERY_REFUSED' } };
    const { findings } = await inspect(SQL, { planner: plannerSaying({ verdict: 'invalid', error }) });
    expect(findings).toMatchObject([{ code: 'engine-error', message: 'The statement is not run: `hide`.' }]);
  });

  test('tells in the words of the engine what it refuses', async () => {
    const error = {
      message: 'no such function: medain',
      details: { position: { offset: 7, line: 1, column: 8 }, nearestNames: ['median'] },
    };
    const { findings } = await inspect('SELECT medain(total) FROM orders', {
      planner: plannerSaying({ verdict: 'invalid', error }),
    });
    expect(findings).toEqual([
      {
        code: 'engine-error',
        severity: 'error',
        message: 'The database refuses the statement: no such function: medain',
        advice: 'Change the statement so that the database accepts it; names that exist: median.',
        span: { start: 7, end: 13 },
        nearestNames: ['median'],
      },
    ]);
  });

  test('asks the engine last, and not at all when an error stands', async () => {
    const planner = plannerSaying({ verdict: 'ok' });
    await inspect('SELECT nmae FROM customers', { rules: undefined, planner });
    expect(planner.check).not.toHaveBeenCalled();
    await inspect(SQL, { rules: [asksForTotal], planner });
    expect(planner.check).toHaveBeenCalledOnce();
  });

  test('an engine that cannot be asked is a note; a stopped call is not', async () => {
    const failing = (code: 'QUERY_TIMEOUT' | 'ABORTED') => ({
      check: async () => {
        throw new AskemaError(code, 'It took too long.');
      },
    });
    expect((await inspect(SQL, { planner: failing('QUERY_TIMEOUT') })).findings).toMatchObject([
      { code: 'engine-error', severity: 'note' },
    ]);
    await expect(inspect(SQL, { planner: failing('ABORTED') })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('stops when its caller says so', async () => {
    await expect(inspect(SQL, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('what is no query is a note', async () => {
    expect((await inspect('DELETE FROM orders')).findings).toMatchObject([{ code: 'not-parsed', severity: 'note' }]);
  });
});
