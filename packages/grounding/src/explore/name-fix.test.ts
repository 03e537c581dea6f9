import { AskemaError, indexSchema } from '@askema/core';
import { catalogFixture, fixtureDialect, schemaFixture } from '@askema/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProbe } from './check-probe.ts';
import { findNameFix, mentionsName, replaceName } from './name-fix.ts';
import { probeFailure } from './probe-run.ts';
import { memoryDialect } from './test-support/memory-database.ts';

/** Folds to upper case and compares exactly, as Snowflake does. */
const upper = {
  ...fixtureDialect,
  lexer: { ...fixtureDialect.lexer, nameFolding: { unquoted: 'upper', comparison: 'sensitive' } as const },
};
const schema = schemaFixture({
  devices: {
    attributes: [
      'device_id TEXT',
      'os_version TEXT',
      'osVersion TEXT',
      'ad_tracking_enabled BOOL',
      'created_at DATETIME',
      'created_by TEXT',
      'total_amount_usd NUMERIC',
    ],
  },
  'events log': { attributes: ['device_id TEXT', 'kind TEXT'] },
});
const index = indexSchema(catalogFixture(schema));
const fixOf = (sql: string, name: string, nearestNames?: readonly string[]) =>
  findNameFix(sql, { message: 'invalid identifier', errorClass: 'identifier', name, nearestNames }, upper, index);

describe('findNameFix', () => {
  it.each([
    ['AD_TRACKING_ENABLED', 'ad_tracking_enabled'],
    ['adTrackingEnabled', 'ad_tracking_enabled'],
    ['TOTAL_AMOUNTS_USD', 'total_amount_usd'],
    ['device id', 'device_id'],
  ])('knows what %s means', (name, to) => {
    expect(fixOf('SELECT 1 FROM devices AS d', name)).toMatchObject({ to, relation: 'devices' });
  });

  it.each([
    ['that exists and only stands elsewhere', 'device_id'],
    ['of which several are as near', 'CREATED_AY'],
    ['that two share but for case', 'OSVERSION'],
    ['that is like none', 'CARRIER'],
    ['too short for a guess', 'kinds'],
    ['with a word more', 'TOTAL_AMOUNT_NET_USD'],
  ])('does not guess at a name %s', (_why, name) => {
    expect(fixOf('SELECT 1 FROM devices JOIN "events log"', name)).toBeUndefined();
  });

  it('does not guess against the engine, or for other errors', () => {
    expect(fixOf('SELECT 1 FROM devices', 'TOTAL_AMOUNTS_USD', ['total_other'])).toBeUndefined();
    expect(fixOf('SELECT 1 FROM devices', 'TOTAL_AMOUNTS_USD', ['total_amount_usd'])?.to).toBe('total_amount_usd');
    const failure = { message: '', errorClass: 'function', name: 'AD_TRACKING_ENABLED' } as const;
    expect(findNameFix('SELECT 1 FROM devices', failure, upper, index)).toBeUndefined();
  });

  it('finds relations where one stands, and nowhere else', () => {
    const fix = { from: 'EVENTS_LOG', to: 'events log' };
    expect(fixOf('SELECT 1 FROM events_log', 'EVENTS_LOG')).toEqual(fix);
    expect(fixOf('SELECT 1 FROM devices JOIN db."s".events_log AS e', 'EVENTS_LOG')).toEqual(fix);
    expect(fixOf('SELECT events_log FROM devices', 'EVENTS_LOG')).toBeUndefined();
  });
});

describe('replaceName', () => {
  it('quotes what folding would change, and leaves strings, comments and other names alone', () => {
    const fix = { from: 'KIND_OF', to: 'kind' };
    expect(replaceName("SELECT e.kind_of, 'kind_of', kind_of_x -- kind_of\nFROM e", fix, upper)).toBe(
      'SELECT e."kind", \'kind_of\', kind_of_x -- kind_of\nFROM e',
    );
    expect(replaceName('SELECT "kind_of" FROM e', fix, upper)).toBeUndefined();
    expect(replaceName('SELECT kind_of FROM e', { ...fix, relation: 'events' }, upper)).toBeUndefined();
  });

  it('changes nothing else, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const replaced = replaceName(text, { from: 'x', to: 'y' }, memoryDialect);
        if (replaced === undefined) return;
        expect(mentionsName(text, 'x', memoryDialect)).toBe(true);
        expect(mentionsName(replaced, 'x', memoryDialect)).toBe(false);
      }),
    );
  });
});

describe('checkProbe', () => {
  it.each([
    'SELECT DISTINCT "a" FROM t WHERE "a" LIKE \'%with (x; into%\' LIMIT 5;',
    '(SELECT a FROM t) UNION (SELECT b FROM t)',
    'SELECT a, position FROM t, UNNEST(b) AS c WITH OFFSET AS position',
    '-- Description: x\nSELECT "into", "sqlite_masters" FROM t /* ; DROP */',
  ])('takes %s', (sql) => {
    expect(checkProbe(sql, memoryDialect)).toBeUndefined();
  });

  it.each([
    ['', /no statement/],
    ['-- nothing', /no statement/],
    ['WITH a AS (SELECT 1) SELECT * FROM a', /CTE/],
    ['SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a)', /CTE/],
    ['SELECT 1; DROP TABLE x', /more than one/],
    ['DROP TABLE x', /"DROP"/],
    ['SELECT * INTO y FROM x', /write/],
    ['SELECT * FROM db.INFORMATION_SCHEMA.COLUMNS', /INFORMATION_SCHEMA/],
    ['SELECT * FROM "sqlite_master"', /sqlite_master/],
    ["SELECT * FROM pragma_table_info('x')", /pragma/],
  ])('refuses %s', (sql, why) => {
    expect(checkProbe(sql, memoryDialect)).toMatch(why);
  });

  it('lets CTEs that read run where it is told to', () => {
    const run = (sql: string) => checkProbe(sql, memoryDialect, { ctes: 'run' });
    expect(run('WITH a AS (SELECT 1) SELECT * FROM a')).toBeUndefined();
    expect(run('WITH a AS (SELECT 1) DELETE FROM t')).toMatch(/DELETE/);
    expect(run('WITH a AS (SELECT * FROM sqlite_master) SELECT * FROM a')).toMatch(/sqlite_master/);
    expect(run('DELETE FROM t')).toMatch(/"DELETE"/);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void checkProbe(text, memoryDialect)));
    expect(checkProbe(`SELECT ${'('.repeat(100_000)}`, memoryDialect)).toBeUndefined();
  });
});

describe('probeFailure', () => {
  it('takes the class of the adapter, of the code, or of the message', () => {
    const of = (code: 'QUERY_FAILED' | 'QUERY_TIMEOUT' | 'QUERY_REFUSED', message: string, details = {}) =>
      probeFailure('SELECT t.nmae, "a b" FROM t', new AskemaError(code, message, { details }), memoryDialect);
    expect(of('QUERY_FAILED', 'It says: no such column: t.nmae')).toMatchObject({
      errorClass: 'identifier',
      name: 'nmae',
    });
    expect(of('QUERY_FAILED', 'what?', { errorClass: 'type', nearestNames: ['a'] })).toMatchObject({
      errorClass: 'type',
      nearestNames: ['a'],
    });
    const position = { offset: 15, line: 1, column: 16 };
    expect(of('QUERY_FAILED', 'no such column: a b. Did you mean "c"?', { position }).name).toBe('a b');
    expect(of('QUERY_FAILED', 'no such column: t.nmae. Did you mean "c"?').name).toBe('nmae');
    // What a message quotes is folded already.
    const quoted = new AskemaError('QUERY_FAILED', 'no such column: "nmae"');
    expect(probeFailure('SELECT "nmae"', quoted, { ...upper, errors: memoryDialect.errors }).name).toBe('nmae');
    expect(of('QUERY_TIMEOUT', 'too long').errorClass).toBe('timeout');
    expect(of('QUERY_REFUSED', 'no').errorClass).toBe('permission');
  });
});
