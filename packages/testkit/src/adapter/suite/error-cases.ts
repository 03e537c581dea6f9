import { type AskemaError, createCallContext } from '@askema/core';
import { expect } from 'vitest';
import { type AdapterCase, errorOf } from './adapter-bench.ts';

const checkOptions = () => ({ timeoutMs: 10_000, context: createCallContext() });

/** What a caller, and a model that repairs its SQL, is told. */
export const ERROR_CASES = {
  'error-table': {
    title: 'An unknown table is named, with the statement.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const error = await errorOf(adapter.query('SELECT * FROM custommer'));
      expect(error).toMatchObject({ code: 'QUERY_FAILED', details: { errorClass: 'identifier' } });
      // Some engines read names without quotes in upper case.
      expect(error.message.toLowerCase()).toContain('custommer');
      expect(error.details.sql).toBe('SELECT * FROM custommer');
      expect(error.retryable).toBe(false);
    },
  },

  'error-column': {
    title: 'An unknown column is named.',
    async run(bench) {
      const { adapter, table } = await bench.open('shop');
      const error = await errorOf(adapter.query(`SELECT emial FROM ${table('customer')}`));
      expect(error).toMatchObject({ code: 'QUERY_FAILED', details: { errorClass: 'identifier' } });
      expect(error.message.toLowerCase()).toContain('emial');
    },
  },

  'error-nearest-names': {
    title: 'The nearest names that exist.',
    async run(bench) {
      const { adapter, table } = await bench.open('shop');
      const wrongTable = await errorOf(adapter.query('SELECT * FROM custommer'));
      expect(wrongTable.details.nearestNames).toContain('customer');
      const wrongColumn = await errorOf(adapter.query(`SELECT emial FROM ${table('customer')}`));
      expect(wrongColumn.details.nearestNames).toContain('email');
    },
  },

  'error-syntax': {
    title: 'A mistake in the syntax is one, and an empty text is an error.',
    async run(bench) {
      const { adapter, table } = await bench.open('shop');
      const error = await errorOf(adapter.query(`SELECT * FORM ${table('customer')}`));
      expect(error).toMatchObject({ code: 'QUERY_FAILED', details: { errorClass: 'syntax' } });
      expect((await errorOf(adapter.query(''))).code).toBe('QUERY_FAILED');
    },
  },

  'error-position': {
    title: 'Where in the statement, on the right line.',
    async run(bench) {
      const { adapter, table } = await bench.open('shop');
      const sql = `SELECT *\nFROM ${table('customer')}\nWHERE WHERE 1 = 1`;
      const error = await errorOf(adapter.query(sql));
      expect(error.details.position).toEqual({ offset: sql.lastIndexOf('WHERE'), line: 3, column: 7 });
    },
  },

  'error-function': {
    title: 'An unknown function is told from an unknown column.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const error = await errorOf(adapter.query('SELECT no_such_function_anywhere(1)'));
      expect(error).toMatchObject({ code: 'QUERY_FAILED', details: { errorClass: 'function' } });
    },
  },

  'functions-lacking': {
    title: 'The functions that the dialect says the engine lacks are unknown to it, with up to four arguments.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const wrong: unknown[] = [];
      for (const name of Object.keys(adapter.dialect.foreignFunctions ?? {})) {
        for (let count = 0; count <= 4; count += 1) {
          const sql = `SELECT ${name}(${Array.from({ length: count }, () => 'NULL').join(', ')})`;
          const outcome = await adapter.query(sql).then(
            () => 'ran',
            ({ code, details }: AskemaError) => details.errorClass ?? code,
          );
          // What is a keyword to the engine is no function either.
          if (outcome === 'function' || outcome === 'syntax') continue;
          wrong.push({ sql, outcome });
          break;
        }
      }
      expect(wrong, 'Take these names off `foreignFunctions`: lint calls SQL that uses them an error.').toEqual([]);
    },
  },

  'error-type': {
    title: 'A text where a number must stand.',
    needs: 'strict types',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const error = await errorOf(adapter.query(bench.statements.badNumber));
      expect(error).toMatchObject({ code: 'QUERY_FAILED', details: { errorClass: 'type' } });
      expect(error.retryable).toBe(false);
    },
  },

  'error-division': {
    title: 'A failure of the data, not of the text.',
    needs: 'division errors',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      const error = await errorOf(adapter.query(bench.statements.divisionByZero));
      expect(error).toMatchObject({ code: 'QUERY_FAILED' });
      expect(['type', 'other']).toContain(error.details.errorClass);
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'error-while-streaming': {
    title: 'One that comes after the first rows is the same error.',
    needs: 'division errors',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      const sql = `SELECT 10 / (900 - x) FROM (${bench.statements.rows(1_000)}) AS numbered`;
      expect(await errorOf(adapter.query(sql))).toMatchObject({ code: 'QUERY_FAILED' });
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'error-position-unicode': {
    title: 'The position counts as a string of JavaScript does, whatever stands before it.',
    async run(bench) {
      const { adapter, table } = await bench.open('shop');
      const sql = `SELECT '🦊 größe 表' AS t\r\nFROM ${table('customer')} WHERE WHERE 1 = 1`;
      const { position } = (await errorOf(adapter.query(sql))).details;
      expect(position).toMatchObject({ offset: sql.lastIndexOf('WHERE'), line: 2 });
    },
  },

  'error-then-query': {
    title: 'An adapter goes on after an error.',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      for (let round = 0; round < 20; round += 1) await errorOf(adapter.query('SELECT * FROM nothing_here'));
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'planner-check': {
    title: 'A planner knows a read from a write, and what cannot work; one that does not know says `unknown`.',
    async run(bench) {
      const { adapter, table } = await bench.open('shop');
      const read = await adapter.planner.check(`SELECT * FROM ${table('customer')}`, checkOptions());
      if (read.verdict === 'unknown') return;
      expect(read).toMatchObject({ verdict: 'ok', statement: 'read' });
      if (read.relations !== undefined) expect(read.relations).toEqual([expect.stringContaining('customer')]);
      const write = await adapter.planner.check(`DELETE FROM ${table('coupon')}`, checkOptions());
      expect(write.statement).toBe('write');
      const invalid = await adapter.planner.check('SELECT * FROM custommer', checkOptions());
      expect(invalid).toMatchObject({ verdict: 'invalid', error: { message: expect.stringMatching(/custommer/i) } });
    },
  },
} satisfies Record<string, AdapterCase>;
