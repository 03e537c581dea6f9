import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedPackages, ROOT } from '../workspace.ts';
import { installedVersions } from './installed-versions.ts';

const FOLDER = 'docs/guide';
const page = readFileSync(join(ROOT, FOLDER, 'integrations.md'), 'utf8');
const lines = page.split('\n').filter((line) => /^\| (?!what \||---)/.test(line));
const rows = lines.map((line) => {
  const [, name = '', version = '', link = ''] =
    /^\| [^|]+ \| `([^`]+)` \| (\S+) \| \[[^\]]+\]\(([^)]+)\)[^|]* \| [^|]*\|$/.exec(line) ?? [];
  return { line, name, version, file: posix.join(FOLDER, link) };
});

describe('docs/guide/integrations.md', () => {
  it.each(rows)('$name $version', ({ line, name, version, file }) => {
    expect(name, `a row is: | what | \`package\` | version | [run by](file) | against |. Not so: ${line}`).not.toBe('');
    expect(existsSync(join(ROOT, file)), `${file} does not exist`).toBe(true);
    expect(installedVersions(name, file), `versions of ${name} for ${file}`).toContain(version);
  });

  it('has a row for each package of others that ours ask for', () => {
    const peers = publishedPackages().flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
    const others = new Set(peers.filter((name) => !name.startsWith('@askema/')));
    expect(others.size).toBeGreaterThan(8);
    expect([...others].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
  });
});

describe('installedVersions', () => {
  it('has both where a folder has a package under two names', () => {
    expect(installedVersions('@ai-sdk/openai-compatible', 'packages/ai-sdk/src/x.test.ts')).toHaveLength(2);
  });

  it('has what the folder of the file installs, not what another one does', () => {
    expect(installedVersions('express', 'packages/ai-sdk/src/x.test.ts')).toEqual([]);
    expect(installedVersions('express', 'packages/server/src/x.test.ts')).toEqual([expect.stringMatching(/^\d/)]);
    expect(installedVersions('node', 'servers/x.mjs')).not.toEqual(installedVersions('node', 'x.ts'));
  });

  it('has what a project outside of the workspace pins, and what Go is told', () => {
    expect(installedVersions('next', 'scripts/consumer/x.ts')).toEqual([expect.stringMatching(/^\d/)]);
    expect(installedVersions('@mastra/core', 'scripts/consumer/fixtures/mastra-agent/src/x.ts')).toHaveLength(1);
    expect(installedVersions('go.opentelemetry.io/collector/otelcol', 'packages/otel/src/x.test.ts')).toHaveLength(1);
  });
});
