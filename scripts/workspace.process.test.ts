import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { floorBreach, floorOf } from './structure/floors.ts';
import { publishedPackages, REPOSITORY, ROOT } from './workspace.ts';

const packages = publishedPackages();
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));

describe.each(packages)('$manifest.name', ({ folder, path, manifest }) => {
  it('depends on packages of lower floors only', () => {
    const named = { ...manifest.dependencies, ...manifest.peerDependencies };
    const own = packages.filter((other) => named[other.manifest.name] !== undefined);
    expect(floorOf(path)).toBeDefined();
    expect(own.map((other) => floorBreach(path, other.path)).filter((reason) => reason !== undefined)).toEqual([]);
  });

  it('publishes the same entry points that the sources offer, without the source condition', () => {
    const withoutSource = Object.fromEntries(
      Object.entries(manifest.exports ?? {}).map(([key, target]) => {
        if (typeof target === 'string') return [key, target];
        const { '@askema/source': source, ...rest } = target as Record<string, string>;
        expect(existsSync(join(folder, source ?? ''))).toBe(true);
        return [key, rest];
      }),
    );
    expect(manifest.publishConfig?.exports).toEqual(withoutSource);
  });

  it('declares the oldest Node, a licence and a README', () => {
    expect(manifest.engines?.node).toBe('>=22.12');
    expect(manifest.license).toBe('MIT');
    expect(existsSync(join(folder, 'README.md'))).toBe(true);
    expect(existsSync(join(folder, 'LICENSE'))).toBe(true);
  });

  it('says where its sources, its page and its issues are', () => {
    const { repository, homepage, bugs } = manifest;
    expect({ repository, homepage, bugs }).toEqual({
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: path },
      homepage: `${REPOSITORY}/tree/main/${path}#readme`,
      bugs: `${REPOSITORY}/issues`,
    });
  });

  it('declares vendor SDKs and drivers as optional peers unless it is the command', () => {
    const vendors = [
      'openai',
      '@anthropic-ai/sdk',
      'better-sqlite3',
      'snowflake-sdk',
      '@google-cloud/bigquery',
      'pg',
      '@duckdb/node-api',
    ];
    const hard =
      manifest.name === 'askema' ? [] : vendors.filter((name) => manifest.dependencies?.[name] !== undefined);
    expect(hard).toEqual([]);
    for (const name of vendors.filter((vendor) => manifest.peerDependencies?.[vendor] !== undefined)) {
      expect(manifest.peerDependenciesMeta?.[name]?.optional).toBe(true);
    }
  });

  it('has peers that npm can install: no range matches the pre-releases of another version', () => {
    for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
      const file = join(folder, 'node_modules', name, 'package.json');
      if (!existsSync(file)) continue;
      const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
      if (version.includes('-')) expect([name, range]).toEqual([name, '*']);
    }
  });
});

describe('source files', () => {
  it('are there to be checked', () => {
    expect(tracked.length).toBeGreaterThan(50);
  });

  it('stay below 350 lines', () => {
    const long = tracked
      .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 350);
    expect(long).toEqual([]);
  });

  it('name no machine, no home and no registry', () => {
    const forbidden = /(\/home\/[a-z]|\/root\/|\/Users\/[a-z]|registry\.npmjs\.org)/;
    const naming = tracked.filter(
      (file) => file !== 'scripts/workspace.process.test.ts' && forbidden.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(naming).toEqual([]);
  });
});
