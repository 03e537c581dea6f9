import { type Adapter, type AskemaError, createCallContext } from '@askema/core';
import { restrict } from '@askema/lint';
import { createSqlParser } from '@askema/sql-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Telemetry, telemetry } from './telemetry.ts';

export interface CommentedEngine {
  /** Has a table `people(id, name, secret)` with two rows. */
  readonly adapter: Adapter;
  /** One parameter of a statement. */
  readonly parameter: string;
}

/** The statements that make the table. */
export const PEOPLE = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(20), secret VARCHAR(20))',
  "INSERT INTO people VALUES (1, 'Ada', 'x'), (2, 'Bob', 'y')",
];

/** Describes that statements with a comment behind them do on an engine what they do without. */
export function describeComments(engine: string, open: () => Promise<CommentedEngine>): void {
  describe(`10: comments on ${engine}`, () => {
    let opened: CommentedEngine;
    let sdk: Telemetry;
    let told: Adapter;
    beforeAll(async () => {
      opened = await open();
      sdk = telemetry();
      told = sdk.tracing.adapter(opened.adapter, { comments: true, tags: true });
    }, 120_000);
    afterAll(async () => {
      sdk?.[Symbol.dispose]();
      await told?.close();
    });
    const both = async <T>(run: (adapter: Adapter) => Promise<T>): Promise<[told: T, plain: T]> => [
      await run(told),
      await run(opened.adapter),
    ];

    it('answers are the same, whatever a statement ends in', async () => {
      const statements = [
        'SELECT id, name FROM people ORDER BY id',
        'SELECT id FROM people ORDER BY id ; ',
        'SELECT id FROM people ORDER BY id -- why',
        'SELECT id FROM people ORDER BY id -- why\n;',
        'SELECT id FROM people /* of all */ ORDER BY id',
        "SELECT '/* none' AS a, '-- none' AS b, 'it''s */' AS c",
        'WITH few AS (SELECT id FROM people) SELECT COUNT(*) AS n FROM few',
      ];
      for (const sql of statements) {
        const [commented, plain] = await both((adapter) => adapter.query(sql));
        expect(commented.rows).toEqual(plain.rows);
        expect(commented.rows.length).toBeGreaterThan(0);
      }
      const parameters = ['Ada'];
      const named = `SELECT id FROM people WHERE name = ${opened.parameter}`;
      const [commented, plain] = await both((adapter) => adapter.query(named, { parameters }));
      expect([commented.rows, commented.rows.length]).toEqual([plain.rows, 1]);
    });

    it('a result that is read bit by bit ends where it is cut, and where its reader leaves', async () => {
      const rows = await told.stream('SELECT id FROM people ORDER BY id', { maxRows: 1 });
      const batches: unknown[] = [];
      for await (const batch of rows) batches.push(...batch);
      expect([batches.length, rows.end?.truncated]).toEqual([1, 'rows']);
      for await (const _ of await told.stream('SELECT id FROM people')) break;
      expect((await told.query('SELECT COUNT(*) AS n FROM people')).rows).toHaveLength(1);
    });

    it('plans and refusals are the same', async () => {
      const verdictOf = (sql: string) => async (adapter: Adapter) =>
        (await adapter.planner.check(sql, { timeoutMs: 10_000, context: createCallContext() })).verdict;
      for (const sql of ['SELECT id FROM people', 'SELECT nothing FROM people', 'SELECT id FROM people -- x']) {
        const [commented, plain] = await both(verdictOf(sql));
        expect(commented).toBe(plain);
      }
      for (const sql of [
        "INSERT INTO people VALUES (3, 'Eve', 'z')",
        'DROP TABLE people',
        'SELECT nothing FROM people',
      ]) {
        const codeOf = (adapter: Adapter): Promise<string> =>
          adapter.query(sql).then(
            () => 'it ran',
            ({ code }: AskemaError) => code,
          );
        const [commented, plain] = await both(codeOf);
        expect(commented).toBe(plain);
        expect(commented).toMatch(/NOT_READ_ONLY|COLUMN_NOT_FOUND|QUERY_/);
      }
    });

    it('what is kept back stays so', async () => {
      const part = restrict(told, { hide: ['people.secret'], parser: createSqlParser() });
      expect((await part.query('SELECT id, name FROM people')).rows).toHaveLength(2);
      await expect(part.query('SELECT secret FROM people')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
      // By it a change of a view is noticed.
      const { definitions } = told.dialect.probes;
      if (definitions === undefined) return;
      const [commented, plain] = await both((adapter) => adapter.query(definitions));
      expect(commented.rows).toEqual(plain.rows);
    });
  });
}
