import { createCallContext } from '@askema/core';
import { expect } from 'vitest';
import { type AdapterCase, errorOf } from './adapter-bench.ts';

const checkOptions = () => ({ timeoutMs: 10_000, context: createCallContext() });

/** What people are told of a connection, and that looking changes nothing. */
export const DIAGNOSIS_CASES = {
  diagnose: {
    title: 'The server, what keeps statements from writing, and findings that say something.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const { server, readOnly, findings } = await adapter.diagnose();
      expect(server).toMatch(/\w/);
      expect(['grants', 'engine', 'text']).toContain(readOnly.by);
      expect(readOnly.explanation).toMatch(/\w.*\.$/s);
      for (const { code, message, severity } of findings) {
        expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
        expect(message).toMatch(/\w/);
        expect(['error', 'warning', 'info']).toContain(severity);
      }
    },
  },

  'diagnose-writing': {
    title: 'An adapter that was opened for writing does not claim that nothing can be written.',
    needs: 'writing',
    async run(bench) {
      const { adapter, rows } = await bench.openOwn('shop', 'write');
      const { readOnly } = await adapter.diagnose();
      expect(readOnly.by).not.toBe('text');
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'diagnose-harmless': {
    title: 'Looking changes nothing, an abort stops it, and after closing nobody looks.',
    async run(bench) {
      const { adapter, loaded } = await bench.openOwn('shop');
      const before = await loaded.state();
      await adapter.diagnose();
      expect(await loaded.state()).toBe(before);
      const context = createCallContext({ signal: AbortSignal.abort() });
      expect((await errorOf(adapter.diagnose({ context }))).code).toBe('ABORTED');
      await adapter.close();
      expect((await errorOf(adapter.diagnose())).code).toBe('DATABASE_CLOSED');
    },
  },

  'secrets-hidden': {
    title: 'No secret in names, errors, diagnosis or catalog.',
    async run(bench) {
      const { adapter, spec, loaded } = await bench.open('shop');
      const error = await errorOf(adapter.query('SELECT * FROM custommer'));
      const { name } = await adapter.introspect();
      const diagnosis = await adapter.diagnose();
      const shown = JSON.stringify({
        names: [adapter.name, spec.name, name],
        error,
        text: String(error.stack),
        diagnosis,
      });
      expect((loaded.secrets ?? []).filter((secret) => shown.includes(secret))).toEqual([]);
    },
  },

  'planner-harmless': {
    title: 'A planner never runs what it checks.',
    async run(bench) {
      const { adapter, table, loaded } = await bench.open('shop');
      const before = await loaded.state();
      const statements = [
        `DELETE FROM ${table('shipment')}`,
        `SELECT 1; DELETE FROM ${table('shipment')}`,
        `DROP TABLE ${table('coupon')}`,
        'CREATE TABLE hacked (id INTEGER)',
        `EXPLAIN ANALYZE DELETE FROM ${table('shipment')}`,
        'COMMIT',
      ];
      for (const sql of statements) {
        const { verdict, statement } = await adapter.planner.check(sql, checkOptions());
        expect({ sql, read: verdict === 'ok' && statement === 'read' }).toEqual({ sql, read: false });
      }
      expect(await loaded.state()).toBe(before);
    },
  },

  'planner-abort': {
    title: 'Nor does it wait for ever.',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      if ((await adapter.planner.check('SELECT 1', checkOptions())).verdict !== 'unknown') {
        const context = createCallContext({ signal: AbortSignal.abort() });
        expect((await errorOf(adapter.planner.check('SELECT 1', { timeoutMs: 10_000, context }))).code).toBe('ABORTED');
      }
      const endless = await adapter.planner.check(bench.statements.endless, checkOptions());
      expect(endless.verdict).not.toBe('invalid');
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },
} satisfies Record<string, AdapterCase>;
