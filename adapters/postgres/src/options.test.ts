import { type AskemaError, isAskemaError } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { type PostgresOptions, resolveOptions } from './options.ts';

function errorOf(options: PostgresOptions): AskemaError {
  try {
    resolveOptions(options);
  } catch (error) {
    if (isAskemaError(error)) return error;
    throw error;
  }
  throw new Error('They are taken.');
}

describe('options', () => {
  it('come from the address, and parts beside it win', () => {
    const connectionString =
      'postgresql://me%40work:p%40ss@db.example:5433/my%20shop?sslmode=verify-full&application_name=x';
    expect(resolveOptions({ connectionString, database: 'other' })).toMatchObject({
      host: 'db.example',
      port: 5433,
      user: 'me@work',
      password: 'p@ss',
      database: 'other',
      ssl: {},
      applicationName: 'x',
      name: 'db.example/other',
      access: 'read',
      poolSize: 8,
    });
    expect(resolveOptions({ connectionString: 'postgres://[::1]/shop?host=/run/postgresql' }).host).toBe(
      '/run/postgresql',
    );
    expect(resolveOptions({})).toMatchObject({ host: 'localhost', port: 5432, ssl: false });
  });

  it.each<[string, PostgresOptions, RegExp]>([
    ['another scheme', { connectionString: 'mysql://x:secret@y/z' }, /postgres:\/\//],
    ['an address that is none', { connectionString: 'postgres://x:se cret@[y/z' }, /cannot be read/],
    ['a bad escape', { connectionString: 'postgres://x:secret%zz@y/z' }, /percent/],
    ['an unknown parameter', { connectionString: 'postgres://x:secret@y/z?options=-c' }, /`options`/],
    ['an unknown sslmode', { connectionString: 'postgres://x:secret@y/z?sslmode=maybe' }, /sslmode/],
    ['a port out of range', { port: 70_000 }, /`port` is 70000/],
    ['an empty host', { host: ' ' }, /`host`/],
    ['no connections', { poolSize: 0 }, /`poolSize` is 0/],
    ['a fraction of a millisecond', { connectTimeoutMs: 0.5 }, /`connectTimeoutMs`/],
    ['another access', { access: 'all' as 'read' }, /'read' or 'write'/],
    ['an empty search path', { searchPath: [] }, /`searchPath`/],
    ['schemas that are no texts', { schemas: [1 as unknown as string] }, /`schemas`/],
    ['a password that is a number', { password: 5 as unknown as string }, /`password`/],
    ['ssl as a text', { ssl: 'require' as unknown as boolean }, /`ssl`/],
  ])('%s is CONFIG_INVALID, without what is secret', (_, options, message) => {
    const error = errorOf(options);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(message);
    expect(JSON.stringify(error)).not.toMatch(/se ?cret/);
  });
});
