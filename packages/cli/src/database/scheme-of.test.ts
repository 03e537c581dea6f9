import { describe, expect, it } from 'vitest';
import { withoutUserInfo } from '../terminal/printable.ts';
import { schemeOf } from './scheme-of.ts';

describe('schemeOf', () => {
  it.each([
    ['postgres://host/shop', 'postgres'],
    ['DUCKDB:shop.duckdb', 'duckdb'],
    ['C:\\data\\shop.sqlite', undefined],
    ['./notes:2024.sqlite', undefined],
    ['shop', undefined],
  ])('of %s is %s', (address, scheme) => expect(schemeOf(address)).toBe(scheme));
});

describe('withoutUserInfo', () => {
  it.each([
    ['postgres://ada:pw@db:5432/shop', 'postgres://[redacted]@db:5432/shop'],
    // What is wrong in an address is often the password: blanks aside, any character may stand in it.
    ['postgresql://ada:p@ss/w?rd#1@db/shop', 'postgresql://[redacted]@db/shop'],
    ['open snowflake://t0ken@account/db, please', 'open snowflake://[redacted]@account/db, please'],
    ['write snowflake://user@account/…', 'write snowflake://user@account/…'],
    ['mysql://:pw@h', 'mysql://[redacted]@h'],
    [
      'postgres://db/shop?user=ada&password=pw&sslmode=require',
      'postgres://db/shop?user=ada&password=[redacted]&sslmode=require',
    ],
    ['bigquery://project/dataset', 'bigquery://project/dataset'],
    [
      'see https://example.org/@scope and file:///data/ada@work/shop.db',
      'see https://example.org/@scope and file:///data/ada@work/shop.db',
    ],
  ])('%s', (text, shown) => expect(withoutUserInfo(text)).toBe(shown));

  it('takes linear time on hostile texts', () => {
    const startedAt = performance.now();
    withoutUserInfo('a://'.repeat(50_000));
    withoutUserInfo(`x://${'y'.repeat(200_000)}`);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
