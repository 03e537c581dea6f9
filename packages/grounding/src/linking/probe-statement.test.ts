import type { Dialect } from '@askema/core';
import { fixtureDialect } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { probeStatement } from './probe-statement.ts';

const dialect = (parameterPrefixes: readonly string[], backslashEscapes = false): Dialect => ({
  ...fixtureDialect,
  lexer: { ...fixtureDialect.lexer, parameterPrefixes, backslashEscapes },
});

describe('probeStatement', () => {
  it('quotes every name and binds every word', () => {
    const hostile = 'x" OR 1=1 --';
    const { sql, parameters } = probeStatement(
      dialect(['?']),
      [{ relation: { schema: 's', relation: 'a"b' }, attributes: ['c"d'] }],
      [hostile],
    );
    expect(sql).toContain('FROM "s"."a""b"');
    expect(sql).toContain('"c""d"');
    expect(sql).not.toContain(hostile);
    expect(parameters).toEqual([hostile]);
  });

  it('numbers placeholders where the dialect has no question mark', () => {
    const { sql, parameters } = probeStatement(
      dialect(['$']),
      [{ relation: { relation: 'r' }, attributes: ['a', 'b'] }],
      ['x', 'y'],
    );
    expect(sql).toContain('IN ($1, $2)');
    expect(sql).toContain('IN ($3, $4)');
    expect(parameters).toEqual(['x', 'y', 'x', 'y']);
  });

  it('escapes the apostrophe as the dialect does', () => {
    expect(
      probeStatement(dialect(['?'], true), [{ relation: { relation: 'r' }, attributes: ['a'] }], ['x']).sql,
    ).toContain("'\\''");
    expect(probeStatement(dialect(['?']), [{ relation: { relation: 'r' }, attributes: ['a'] }], ['x']).sql).toContain(
      "''''",
    );
  });

  it('asks each attribute by its position, in one statement', () => {
    const { sql } = probeStatement(
      dialect(['?']),
      [{ relation: { relation: 'r' }, attributes: ['a', 'b', 'c'] }],
      ['x'],
    );
    expect(sql.match(/SELECT/gu)).toHaveLength(3);
    expect(sql.match(/UNION ALL/gu)).toHaveLength(2);
    expect(sql).toContain('SELECT DISTINCT 2 AS place, CAST("c" AS TEXT) AS cell');
  });

  it('casts to the name that CAST knows', () => {
    const types = { ...fixtureDialect.types, cast: { TEXT: 'CHAR' } };
    const { sql } = probeStatement(
      { ...dialect(['?']), types },
      [{ relation: { relation: 'r' }, attributes: ['a'] }],
      ['x'],
    );
    expect(sql).toContain('CAST("a" AS CHAR) AS cell');
    expect(sql).not.toContain('AS TEXT');
  });

  it('bounds the number of parameters', () => {
    const attributes = Array.from({ length: 200 }, (_, place) => `a${place}`);
    const words = Array.from({ length: 300 }, (_, place) => `w${place}`);
    expect(
      probeStatement(dialect(['?']), [{ relation: { relation: 'r' }, attributes: attributes }], words).parameters
        .length,
    ).toBeLessThanOrEqual(8_000);
  });
});
