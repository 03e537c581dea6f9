import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../run-cli.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
});
afterEach(() => project.remove());

async function ask(sql: string, ...flags: readonly string[]) {
  project.write('askema.config.ts', scriptedConfig([sql]));
  const host = memoryHost({ cwd: project.folder, env: { NO_COLOR: '1', OLLAMA_HOST: '127.0.0.1:1' } });
  const code = await runCli(['ask', 'shop.sqlite', 'How much of each?', '--flow', 'plain', ...flags], host);
  return { code, ...host.written };
}

const BARS = "SELECT 'a' AS kind, count(*) AS n FROM customer UNION ALL SELECT 'b', 2 * count(*) FROM customer";

it('draws on stderr, so that stdout holds the rows alone', async () => {
  const { code, stdout, stderr } = await ask(BARS, '--format', 'csv', '--chart');
  expect({ code, stdout: stdout.split('\r\n')[0] }).toEqual({ code: 0, stdout: 'kind,n' });
  expect(stderr).toMatch(/How much of each\?\nkind n\n +a │█+.? \d+\n +b │█+.? \d+\n/);
});

it('writes an SVG', async () => {
  expect((await ask(BARS, '--chart', 'out.svg')).code).toBe(0);
  expect(readFileSync(project.path('out.svg'), 'utf8')).toMatch(
    /^<svg [^>]*role="img".*<title>How much of each\?<\/title>.*<\/svg>\n$/s,
  );
});

it('says why the table says more', async () => {
  const { code, stderr } = await ask('SELECT name FROM customer', '--chart', 'out.svg');
  expect({ code, isWritten: existsSync(project.path('out.svg')) }).toEqual({ code: 0, isWritten: false });
  expect(stderr).toContain('chart: No column measures anything.');
});

describe('keys of the catalog are no measures', () => {
  beforeEach(() =>
    project.database(
      'shop.sqlite',
      `CREATE TABLE depot(place INTEGER PRIMARY KEY);
       CREATE TABLE wagon(no INTEGER PRIMARY KEY, weight INTEGER, home INTEGER REFERENCES depot(place));
       INSERT INTO depot VALUES (70), (80);
       INSERT INTO wagon VALUES (501, 12, 70), (502, 31, 80), (503, 7, NULL);`,
    ),
  );

  it('a key whose name says nothing', async () => {
    const { stderr } = await ask('SELECT no, weight FROM wagon ORDER BY weight DESC', '--chart');
    expect(stderr).toMatch(/ +weight\n502 │█+ 31\n501 │█+.? 12\n503 │█+.? 7\n/);
  });

  it('a foreign key', async () => {
    const { stderr } = await ask('SELECT home FROM wagon WHERE home > 0', '--chart');
    expect(stderr).toContain('chart: No column measures anything: "home" is a key.');
  });
});

it('takes no other file', async () => {
  const { code, stderr } = await ask(BARS, '--chart', 'out.png');
  expect(code).not.toBe(0);
  expect(stderr).toContain('--chart "out.png": the name of a chart ends in .svg');
});
