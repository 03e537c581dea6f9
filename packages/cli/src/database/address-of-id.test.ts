import { describe, expect, it } from 'vitest';
import { addressOfId } from './address.ts';

/** Ids that some engine could take for more than a name. */
const HOSTILE = [
  'shop?host=127.0.0.2&port=57998',
  'shop#x',
  'shop&dbname=other',
  'a@evil.example',
  '%2e%2e',
  '%2F%2Fevil.example%2Fx',
  '%252e',
  '%00',
  "$&$`$'$$",
  '{id}',
  'x;options=-c',
  '／／evil．example',
];

describe('addresses of several databases', () => {
  it.each(['postgres', 'postgresql', 'snowflake'])(
    '%s: an id names the database alone, whatever is in it',
    (scheme) => {
      const plain = new URL(`${scheme}://me@host.example:5433/plain?x=1`);
      for (const id of [...HOSTILE, 'two words', 'Größe', 'a.b-c', '#1', '50%']) {
        const url = new URL(addressOfId(`${scheme}://me@host.example:5433/{id}?x=1`, id));
        for (const part of ['protocol', 'username', 'password', 'host', 'port', 'search', 'hash'] as const)
          expect(url[part]).toBe(plain[part]);
        expect(decodeURIComponent(url.pathname.slice(1))).toBe(id);
      }
    },
  );

  it('a name behind a scheme and a path are plain text', () => {
    expect(addressOfId('postgres:{id}', 'a b?#%2e')).toBe('postgres:a b?#%2e');
    expect(addressOfId('sets/{id}/{id}.sqlite', "a b$&$'")).toBe("sets/a b$&$'/a b$&$'.sqlite");
    expect(addressOfId('mysql://host/{id}', 'a#b')).toBe('mysql://host/a%23b');
    expect(addressOfId('trino://host/{id}', 'a#b')).toBe('trino://host/a%23b');
    expect(addressOfId('duckdb:sets/{id}.duckdb', 'Größe #1')).toBe('duckdb:sets/Größe #1.duckdb');
    expect(addressOfId('file:///sets/{id}.sqlite', 'Größe #1')).toBe('file:///sets/Gr%C3%B6%C3%9Fe%20%231.sqlite');
    expect(addressOfId('postgres://host/shop', '../x')).toBe('postgres://host/shop');
  });

  it.each([
    '../x',
    '..',
    '.',
    '. .',
    '/etc/x',
    'a/b',
    'a\\b',
    'C:',
    'C:x',
    ':memory:',
    'file:x',
    '',
    ' ',
    'a\0b',
    'a\nb',
    '\ud800',
  ])('the id %j is no name anywhere', (id) => {
    for (const address of [
      'postgres://h/{id}',
      'postgres:{id}',
      'snowflake://a/{id}',
      'bigquery://p/{id}',
      'mariadb://h/{id}',
      'x/{id}',
      'duckdb:{id}',
      'sqlite:{id}',
      'file:///{id}',
    ])
      expect(() => addressOfId(address, id)).toThrow(expect.objectContaining({ code: 'DATASET_INVALID' }));
  });

  it.each(['a.b', 'a,b', 'a b', 'a-b', 'ä'])('the id %j chooses no further project or dataset of BigQuery', (id) => {
    expect(() => addressOfId('bigquery://p/{id}', id)).toThrow(/BigQuery/);
    expect(addressOfId('bigquery://p/data.{id}', 'Shop_1')).toBe('bigquery://p/data.Shop_1');
  });

  it.each([
    'postgres://{id}/shop',
    'postgres://{id}@host/shop',
    'postgres://host:{id}/shop',
    'postgres://host/shop?host={id}',
    'postgres://host/shop?{id}=1',
    'postgres://host/{id}#{id}',
    'snowflake://{id}/db',
    'snowflake:?connection={id}',
    'snowflake://account/{id}?role={id}',
    'bigquery://{id}/shop',
    'bigquery:{id}',
    'file://{id}/x',
    '{id}:shop',
  ])('%s leaves more than the database to the dataset', (address) => {
    expect(() => addressOfId(address, 'postgres')).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
  });
});
