import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AddressRequest, type AskemaError, resolveAdapter } from '@askema/core';
import { afterAll, describe, expect, it } from 'vitest';
import { startWireStub } from '../wire-stub/wire-stub.ts';
import { openAddress } from './open-address.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'askema-bigquery-'));
afterAll(() => rmSync(folder, { recursive: true }));

const request = (environment: AddressRequest['environment'] = {}): AddressRequest => ({
  access: 'read',
  environment,
  folder,
});
const errorOf = (address: string, environment?: AddressRequest['environment']): Promise<AskemaError> =>
  openAddress(address, request(environment)).then(
    () => Promise.reject(new Error(`${address} was taken.`)),
    (error: AskemaError) => error,
  );

const ONE = { schema: { fields: [{ name: 'x', type: 'INTEGER' }] }, rows: [['1']] };

describe('addresses', () => {
  it('project, dataset, place and ceiling of an address go over the wire', async () => {
    await using stub = await startWireStub(ONE);
    const address = `bigquery://payer/data-project.Shop?location=europe-west4&maxBytesBilled=2GB&endpoint=${encodeURIComponent(stub.url)}`;
    await using adapter = resolveAdapter(await openAddress(address, request()));
    expect(adapter.name).toBe('data-project.Shop');
    expect((await adapter.query('SELECT x FROM t')).rows).toEqual([[1]]);
    const [job] = stub.jobs.values();
    expect(stub.requests[0]?.path).toBe('/projects/payer/jobs');
    expect(job?.body).toMatchObject({
      jobReference: { location: 'europe-west4' },
      configuration: {
        query: {
          maximumBytesBilled: '2000000000',
          defaultDataset: { projectId: 'data-project', datasetId: 'Shop' },
        },
      },
    });
  });

  it('an access token comes from the environment, and another project may pay', async () => {
    await using stub = await startWireStub(ONE);
    const address = `bigquery://data/shop?billingProject=payer&maxBytesBilled=none&endpoint=${encodeURIComponent(stub.url)}`;
    await using adapter = resolveAdapter(
      await openAddress(address, request({ GOOGLE_OAUTH_ACCESS_TOKEN: 'ya29.abc' })),
    );
    await adapter.query('SELECT 1');
    expect(stub.requests.every(({ authorization }) => authorization === 'Bearer ya29.abc')).toBe(true);
    const configuration = [...stub.jobs.values()][0]?.body.configuration;
    expect(stub.requests[0]?.path).toBe('/projects/payer/jobs');
    expect(configuration?.query?.defaultDataset).toEqual({ projectId: 'data', datasetId: 'shop' });
    expect(configuration?.query).not.toHaveProperty('maximumBytesBilled');
  });

  it.each([
    ['bigquery://user:secret@p/d', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ['bigquery://p/a/b', 'more parts'],
    ['bigquery://p/a?maxBytesBilled=lots', 'maxBytesBilled'],
    ['bigquery://p/a?token=secret', 'not known'],
    ['bigquery://p/a%ZZ', 'percent'],
    // An encoded comma, question mark or slash belongs to the name, which no dataset has.
    ['bigquery://p/shop%2Cother', 'project.dataset'],
    ['bigquery://p/shop%3FbillingProject%3Dother', 'project.dataset'],
    ['bigquery://p/%252e%252e', 'project.dataset'],
    ['bigquery://p/a%20b%2Fc', 'project.dataset'],
    ['postgres://p/a', 'no address of BigQuery'],
  ])('%s is refused', async (address, about) => {
    const error = await errorOf(address);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(about);
    expect(error.message).not.toContain('secret');
  });

  it('a file of credentials that is not there, or is none, is told at the first call, without what is in it', async () => {
    writeFileSync(path.join(folder, 'broken.json'), '{"private_key": "secret-key"');
    writeFileSync(path.join(folder, 'half.json'), '{"type": "service_account", "private_key_id": "secret-id"}');
    for (const [file, about] of [
      ['missing.json', 'cannot be read (ENOENT)'],
      ['broken.json', 'is no JSON object'],
      ['half.json', '`client_email` and `private_key`'],
    ] as const) {
      await using adapter = resolveAdapter(
        await openAddress('bigquery://p/d', request({ GOOGLE_APPLICATION_CREDENTIALS: file })),
      );
      const error = await adapter.query('SELECT 1').then(
        () => undefined,
        (thrown: AskemaError) => thrown,
      );
      expect(error?.code).toBe('CONFIG_INVALID');
      expect(error?.message).toContain(about);
      expect(JSON.stringify(error)).not.toContain('secret');
    }
  });
});
