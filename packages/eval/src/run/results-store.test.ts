import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ownVersions } from './results-store.ts';

it('knows the versions of Node and of this package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(ownVersions()).toEqual({ node: process.versions.node, '@askema/eval': manifest.version });
});
