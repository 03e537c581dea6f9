import { describe, expect, it } from 'vitest';
import { addressOfVariable } from './address-of-variable.ts';

describe('an address in a variable', () => {
  it('gives the password to the adapter by its variable, and keeps it out of the address', () => {
    const env = { DATABASE_URL: 'postgres://ada:p%40ss@db.example:5433/shop?sslmode=require', PGPASSWORD: 'other' };
    expect(addressOfVariable('env:DATABASE_URL', env)).toEqual({
      address: 'postgres://ada@db.example:5433/shop?sslmode=require',
      environment: { ...env, PGPASSWORD: 'p@ss' },
    });
    const plain = { URL: 'postgres://ada:p@ss:w@db/shop' };
    expect(addressOfVariable('env:URL', plain)).toEqual({
      address: 'postgres://ada@db/shop',
      environment: { ...plain, PGPASSWORD: 'p@ss:w' },
    });
    const mysql = { URL: 'mysql://:secret@db/shop' };
    expect(addressOfVariable('env:URL', mysql)).toEqual({
      address: 'mysql://@db/shop',
      environment: { ...mysql, MYSQL_PWD: 'secret' },
    });
  });

  it.each(['postgres://ada@db/shop', './shop.sqlite', 'sqlite:env.sqlite', 'bigquery://p/d'])(
    'takes %s as it is',
    (address) => {
      const env = { URL: address };
      expect(addressOfVariable('env:URL', env)).toEqual({ address, environment: env });
      expect(addressOfVariable(address, {})).toEqual({ address, environment: {} });
    },
  );

  it('names the variable that is not set, and the nearest one, without its value', () => {
    const env = { DATABASE_URL: 'postgres://ada:secret@db/shop', EMPTY: '' };
    const thrown = (written: string): unknown => {
      try {
        return addressOfVariable(written, env);
      } catch (error) {
        return error;
      }
    };
    expect(thrown('env:DATABASE_URI')).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/DATABASE_URI is not set.*`DATABASE_URL`/),
    });
    expect(thrown('env:EMPTY')).toMatchObject({ message: expect.stringContaining('EMPTY is not set') });
    expect(String(thrown('env:DATABASE_URI'))).not.toContain('secret');
  });
});
