import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../run-cli.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('askema.config.ts', scriptedConfig(["DELETE FROM customer WHERE name = ''"]));
});
afterEach(() => project.remove());

/** Asks on a terminal where somebody types this. */
async function askOnTerminal(typed: string) {
  const before = readFileSync(project.path('shop.sqlite'));
  const host = memoryHost({
    cwd: project.folder,
    columns: 80,
    stdin: typed,
    env: { NO_COLOR: '1', OLLAMA_HOST: '127.0.0.1:1' },
  });
  const code = await runCli(['ask', 'shop.sqlite', 'Remove the customer without a name', '--write'], host);
  const isChanged = !before.equals(readFileSync(project.path('shop.sqlite')));
  return { code, isChanged, ...host.written };
}

describe('askema ask --write', () => {
  it('shows the statement, asks, and changes the database when the answer is yes', async () => {
    const { code, isChanged, stdout, stderr } = await askOnTerminal('y\n');
    expect(stderr).toMatch(
      /This statement changes the database:\nDELETE FROM customer WHERE name = ''\nRun it\? \[y\/N\] /,
    );
    expect({ code, stdout, isChanged }).toEqual({ code: 0, stdout: '1 row changed.\n', isChanged: true });
  });

  it.each([['n\n'], ['\n'], [''], ['yesterday\n']])('changes nothing when the answer is %j', async (typed) => {
    const { code, isChanged, stdout, stderr } = await askOnTerminal(typed);
    expect({ code, stdout, isChanged }).toEqual({ code: 1, stdout: '', isChanged: false });
    expect(stderr).toMatch(/Refused:/);
  });

  it('asks again for the statement that replaces one that failed', async () => {
    project.write(
      'askema.config.ts',
      scriptedConfig(['DELETE FROM customer WHERE nam = 1', "DELETE FROM customer WHERE name = ''"]),
    );
    const { code, stderr, isChanged } = await askOnTerminal('y\ny\n');
    expect({ code, isChanged }).toEqual({ code: 0, isChanged: true });
    expect(stderr).toMatch(/WHERE name = ''\nRun it\? \[y\/N\] /);
  });

  it('shows what a hostile statement really is', async () => {
    project.write('askema.config.ts', scriptedConfig(['DELETE FROM customer -- \u001b[2K\u202eharmless']));
    const { stderr } = await askOnTerminal('n\n');
    expect(stderr).toContain('DELETE FROM customer -- \\u{1b}[2K\\u{202e}harmless');
  });
});
