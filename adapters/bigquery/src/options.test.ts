import type { AskemaError } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { type BigQueryOptions, resolveOptions } from './options.ts';

const messageOf = (options: unknown): string => {
  try {
    resolveOptions(options as BigQueryOptions, {});
  } catch (error) {
    expect((error as AskemaError).code).toBe('CONFIG_INVALID');
    return (error as AskemaError).message;
  }
  return 'taken';
};

describe('options', () => {
  it('defaults: a ceiling of 10 GiB, reading, the project of the environment, the only dataset', () => {
    const resolved = resolveOptions(
      { datasets: ['bigquery-public-data.samples'] },
      { GOOGLE_CLOUD_PROJECT: 'payer-1' },
    );
    expect(resolved).toMatchObject({
      projectId: 'payer-1',
      datasets: [{ project: 'bigquery-public-data', dataset: 'samples' }],
      defaultDataset: { project: 'bigquery-public-data', dataset: 'samples' },
      name: 'bigquery-public-data.samples',
      maximumBytesBilled: 10_737_418_240,
      pricePerTib: 6.25,
      access: 'read',
    });
  });

  it('several datasets have no default; names may be quoted, projects may have a domain', () => {
    const resolved = resolveOptions({ projectId: 'p', datasets: ['`example.com:old`.a', '`q.b`', 'c'] }, {});
    expect(resolved.defaultDataset).toBeUndefined();
    expect(resolved.datasets).toEqual([
      { project: 'example.com:old', dataset: 'a' },
      { project: 'q', dataset: 'b' },
      { dataset: 'c' },
    ]);
  });

  it.each<[unknown, string]>([
    [undefined, 'options'],
    [{ projectId: 'My Project' }, 'projectId'],
    [{ datasets: 'a.b' }, 'list'],
    [{ datasets: ['a/../b'] }, 'project.dataset'],
    [{ defaultDataset: '' }, 'defaultDataset'],
    [{ location: 'US; DROP' }, 'location'],
    [{ maximumBytesBilled: 0 }, 'maximumBytesBilled'],
    [{ maximumBytesBilled: 1.5 }, 'maximumBytesBilled'],
    [{ pricePerTib: -1 }, 'pricePerTib'],
    [{ access: 'admin' }, 'access'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ metadata: 'guess' }, 'metadata'],
    [{ keyFilename: ' ' }, 'keyFilename'],
    [{ accessToken: 'a b' }, 'accessToken'],
    [{ authClient: {} }, 'authClient'],
    [{ keyFilename: 'a.json', accessToken: 'x' }, 'one of them'],
    [{ apiEndpoint: 'http://127.0.0.1:1' }, 'projectId'],
    [{ apiEndpoint: 'ftp://x', projectId: 'p' }, 'apiEndpoint'],
    [{ apiEndpoint: 'http://u:secret@x', projectId: 'p' }, 'apiEndpoint'],
  ])('%j is refused with a sentence about it', (options, about) => {
    expect(messageOf(options)).toContain(about);
    expect(messageOf(options)).not.toContain('secret');
  });

  it('no message shows a credential', () => {
    expect(messageOf({ accessToken: 'secret token' })).not.toContain('secret');
    expect(messageOf({ keyFilename: 'a', credentials: { private_key: 'secret' } })).not.toContain('secret');
  });
});
