import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCallContext, resolveAdapter } from '@askema/core';
import { fixtureSpec, largeCatalog } from '@askema/testkit';
import { afterEach, expect, it } from 'vitest';
import { createCatalogCache } from './catalog-cache.ts';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Keeps catalogs of two sizes in turn, and reads what is there; says how often it found which. */
const WRITER = `
  import { createCallContext, resolveAdapter } from '@askema/core';
  import { createCatalogCache } from '@askema/grounding';
  import { fixtureSpec, largeCatalog } from '@askema/testkit';
  const stamp = async () => 'same';
  const adapter = resolveAdapter({ ...fixtureSpec(() => []), name: 'shop', stamps: { identity: stamp, structure: stamp, data: stamp } });
  const catalogs = [largeCatalog(20), largeCatalog(200)];
  const found = {};
  for (let round = 0; round < 25; round += 1) {
    const cache = createCatalogCache(adapter, { folder: process.argv[1] });
    const { catalog, keep } = await cache.find({ context: createCallContext() });
    const size = String(catalog?.schema.relations.length);
    found[size] = (found[size] ?? 0) + 1;
    keep(catalogs[round % 2], {});
    await cache.close();
  }
  process.stdout.write(JSON.stringify(found));
`;

function write(): Promise<Record<string, number>> {
  const flags = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const writer = spawn(process.execPath, [...flags, '-e', WRITER, folder], { cwd: import.meta.dirname });
  return new Promise((resolve, reject) => {
    let [out, err] = ['', ''];
    writer.stdout.on('data', (text) => (out += text));
    writer.stderr.on('data', (text) => (err += text));
    writer.on('close', (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(err))));
  });
}

it('three processes that write and read at once find whole files alone, and leave one', async () => {
  folder = mkdtempSync(join(tmpdir(), 'askema-writers-'));
  const counts = await Promise.all([write(), write(), write()]);
  for (const found of counts) {
    expect(Object.keys(found).every((size) => ['20', '200', 'undefined'].includes(size))).toBe(true);
    // Only the first round of each may find nothing.
    expect(found.undefined ?? 0).toBeLessThanOrEqual(1);
  }
  expect(readdirSync(folder)).toHaveLength(1);
  const stamp = async (): Promise<string> => 'same';
  const stamps = { identity: stamp, structure: stamp, data: stamp };
  const adapter = resolveAdapter({ ...fixtureSpec(() => []), name: 'shop', stamps });
  const { catalog } = await createCatalogCache(adapter, { folder }).find({ context: createCallContext() });
  expect([largeCatalog(20).fingerprint, largeCatalog(200).fingerprint]).toContain(catalog?.fingerprint);
}, 60_000);
