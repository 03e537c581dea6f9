import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAskema } from '../testing/run-askema.ts';
import { type TemporaryProject, temporaryProject } from '../testing/temporary-project.ts';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
});
afterAll(() => project.remove());

const TITLE = 'Ask a database a question in plain language.';

it('keeps what is left of the sources without types, and takes it only while a source is the same', async () => {
  const help = async () =>
    (await runAskema(['--help'], { cwd: project.folder, env: { XDG_CACHE_HOME: project.folder } })).stdout;
  expect(await help()).toContain(TITLE);
  const folder = project.path('askema/stripped');
  const entries = readdirSync(folder);
  expect(entries.length).toBeGreaterThan(10);
  const name = entries.find((entry) => entry.endsWith('run-cli.ts'));
  const entry = `${folder}/${name}`;
  const kept = readFileSync(entry, 'utf8');
  // The source stands in front of what was made of it: a change behind it shows that the entry is read.
  const changed = kept.slice(kept.length / 2).replace(TITLE, TITLE.toUpperCase());
  writeFileSync(entry, kept.slice(0, kept.length / 2) + changed);
  expect(await help()).toContain(TITLE.toUpperCase());
  // What was made of another source, or is cut off, is made anew.
  for (const other of [`// ${kept.slice(3, kept.length / 2)}${changed}`, kept.slice(0, -9), '']) {
    writeFileSync(entry, other);
    expect(await help()).toContain(TITLE);
    expect(readFileSync(entry, 'utf8')).toBe(kept);
  }
});

it('keeps nothing with NODE_DISABLE_COMPILE_CACHE', async () => {
  const XDG_CACHE_HOME = project.path('none');
  await runAskema(['--help'], { cwd: project.folder, env: { XDG_CACHE_HOME, NODE_DISABLE_COMPILE_CACHE: '1' } });
  expect(existsSync(XDG_CACHE_HOME)).toBe(false);
});
