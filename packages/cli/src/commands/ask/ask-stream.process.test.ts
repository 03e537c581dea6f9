import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupEnds } from '../../testing/process-group.ts';
import { startAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const numbers = (most: string): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n ${most}) SELECT i FROM n`;
const MANY = numbers('WHERE i < 60000');

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('many.ts', scriptedConfig([MANY]));
  project.write('exact.ts', scriptedConfig(['SELECT id, total AS "id", x\'00ff\' AS file FROM "order" WHERE id > 1']));
  project.write('endless.ts', scriptedConfig([numbers('')]));
});
afterAll(() => project.remove());

const ask = (config: string, ...flags: readonly string[]) =>
  runInProcess(['ask', 'shop.sqlite', 'All numbers', '--config', `${config}.ts`, ...flags], { cwd: project.folder });

/** What the statements of a run gave, as its trace has it. */
const queriesOf = (trace: string): unknown[] =>
  readFileSync(project.path(trace), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type, call }) => type === 'call' && call === 'query')
    .map(({ data }) => data.rows);

describe('rows that are written as they come', () => {
  it.each(['csv', 'jsonl'])('%s has all of them, and the statement runs once', async (format) => {
    const { code, stdout, stderr } = await ask('many', '--format', format, '--trace', `${format}.jsonl`);
    const lines = stdout.trimEnd().split(/\r?\n/);
    const expected = Array.from({ length: 60_000 }, (_, index) =>
      format === 'csv' ? `${index + 1}` : `{"i":${index + 1}}`,
    );
    expect(lines).toEqual(format === 'csv' ? ['i', ...expected] : expected);
    expect(code).toBe(0);
    expect(stderr).not.toContain('cut');
    // A look-up of words in the cells comes before it.
    expect(queriesOf(`${format}.jsonl`).filter((rows) => rows !== 0)).toEqual([60_000]);
  });

  it('end at --max-rows, which may lie beyond the piece that the flow looks at', async () => {
    for (const most of [20_000, 3]) {
      const { stdout, stderr } = await ask('many', '--format', 'jsonl', '--max-rows', String(most));
      expect(stdout.trimEnd().split('\n')).toHaveLength(most);
      expect(stderr).toContain(`only its first ${most.toLocaleString('en')} rows were read. Raise --max-rows`);
    }
  });

  it('are exact in jsonl, and no column is lost', async () => {
    const { code, stdout } = await ask('exact', '--format', 'jsonl', '--flow', 'plain');
    expect(stdout).toBe(
      '{"id":2,"id_2":20,"file":{"$bytes":"AP8="}}\n{"id":3,"id_2":"9007199254740993","file":{"$bytes":"AP8="}}\n',
    );
    expect(code).toBe(0);
  });

  it('end when the reader leaves: an endless statement is stopped, which is no error', async () => {
    const flags = ['ask', 'shop.sqlite', 'All numbers', '--config', 'endless.ts', '--format', 'csv'];
    const run = startAskema(flags, { cwd: project.folder });
    run.child.stdout?.once('data', () => run.child.stdout?.destroy());
    const { code, stderr, elapsedMs } = await run.finished;
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|error:|cut|not whole/);
    expect(elapsedMs).toBeLessThan(20_000);
    expect(await groupEnds(run.pid)).toBe(true);
  }, 40_000);

  it('end at the deadline with an error that says how much there is', async () => {
    const { code, stdout, stderr } = await ask('endless', '--format', 'csv', '--timeout', '2s');
    expect(code).toBe(1);
    expect(stdout.length).toBeGreaterThan(10_000);
    expect(stderr).toMatch(/The result is not whole: [\d,]+ rows of it were written\.[\s\S]*\[QUERY_TIMEOUT/);
  });
});
