import { readFileSync } from 'node:fs';
import { type AdapterSpec, resolveAdapter } from '@askema/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAskema } from './run-askema.ts';
import { runInProcess } from './run-in-process.ts';
import { scriptedConfig, type TemporaryProject, temporaryProject } from './temporary-project.ts';

const MANY = 300_000;
const TIMEOUT_MS = 60_000;

/** An engine that `askema ask` writes large results of. */
export interface StreamedEngine {
  readonly address: string;
  /** Where the password of the address is. */
  readonly env: Readonly<Record<string, string>>;
  /** Grants writing: a table is made with it, so that there is something to ask about. */
  readonly writer: AdapterSpec;
}

/** Statements that give the whole numbers from 1 on, as `x`. */
export interface StreamedStatements {
  readonly rows: (count: number) => string;
  readonly endless: string;
  /** Gives so many rows, and fails then. */
  readonly failing: (count: number) => string;
}

/** What `askema ask --format csv` and `jsonl` promise of large results, on one engine. */
export function describeAskStream(
  name: string,
  statements: StreamedStatements,
  open: (project: TemporaryProject) => Promise<StreamedEngine>,
): void {
  describe(`rows that are written as they come: ${name}`, () => {
    let project: TemporaryProject;
    let engine: StreamedEngine;
    beforeAll(async () => {
      project = temporaryProject();
      engine = await open(project);
      const writer = resolveAdapter(engine.writer);
      await writer.query('CREATE TABLE numbers (x INTEGER)', { access: 'write' });
      await writer.close();
      project.write('many.ts', scriptedConfig([statements.rows(MANY)]));
      const wide = `SELECT x, '${'y'.repeat(300)}' AS y FROM (${statements.failing(100_000)}) AS failing`;
      project.write('failing.ts', scriptedConfig([wide]));
      project.write('endless.ts', scriptedConfig([statements.endless]));
      project.write('change.ts', scriptedConfig(Array(9).fill('DELETE FROM numbers')));
    }, TIMEOUT_MS);
    afterAll(() => project?.remove());

    const flags = (config: string, format: string): string[] => {
      const question = ['ask', engine.address, 'All numbers', '--config', `${config}.ts`, '--flow', 'plain'];
      return [...question, '--format', format];
    };
    const ask = (config: string, format: string, ...more: readonly string[]) =>
      runInProcess([...flags(config, format), ...more], { cwd: project.folder, env: engine.env });

    it.each(['csv', 'jsonl'])(
      '%s has all of them, and the statement runs once',
      async (format) => {
        const { code, stdout, stderr } = await ask('many', format, '--trace', `${format}.jsonl`);
        const lines = stdout.trimEnd().split(/\r?\n/);
        const line = (x: number): string => (format === 'csv' ? `${x}` : `{"x":${x}}`);
        expect([code, stderr.includes('not whole')]).toEqual([0, false]);
        expect(lines.slice(format === 'csv' ? 1 : 0).sort()).toEqual(
          Array.from({ length: MANY }, (_, index) => line(index + 1)).sort(),
        );
        const trace = readFileSync(project.path(`${format}.jsonl`), 'utf8')
          .trimEnd()
          .split('\n');
        const queries = trace.map((entry) => JSON.parse(entry)).filter(({ call }) => call === 'query');
        expect(queries.map(({ data }) => data.rows)).toEqual([MANY]);
      },
      TIMEOUT_MS,
    );

    it(
      'end at --max-rows',
      async () => {
        const { stdout, stderr } = await ask('many', 'jsonl', '--max-rows', '20000');
        expect(stdout.trimEnd().split('\n')).toHaveLength(20_000);
        expect(stderr).toContain('only its first 20,000 rows were read');
      },
      TIMEOUT_MS,
    );

    it(
      'end with an error in the middle, which says how many were written',
      async () => {
        const { code, stdout, stderr } = await ask('failing', 'csv');
        const written = stdout.trimEnd().split(/\r?\n/).length - 1;
        expect(code).toBe(1);
        expect(written).toBeGreaterThan(10_000);
        expect(stderr).toContain(`The result is not whole: ${written.toLocaleString('en')} rows of it were written.`);
        expect(stderr).toContain('[QUERY_FAILED');
      },
      TIMEOUT_MS,
    );

    it(
      'end when the reader leaves: an endless statement is stopped, which is no error',
      async () => {
        const run = startAskema(flags('endless', 'csv'), { cwd: project.folder, env: engine.env });
        run.child.stdout?.once('data', () => run.child.stdout?.destroy());
        const { code, stderr } = await run.finished;
        expect(code).toBe(0);
        expect(stderr).not.toMatch(/EPIPE|error:|cut|not whole/);
      },
      TIMEOUT_MS,
    );

    it(
      'are those of a read: a change is refused, and nothing is written',
      async () => {
        const { code, stdout } = await ask('change', 'csv');
        expect([code === 0, stdout]).toEqual([false, '']);
      },
      TIMEOUT_MS,
    );
  });
}
