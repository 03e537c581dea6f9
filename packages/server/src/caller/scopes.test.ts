import { expect, test } from 'vitest';
import { hasScope, hasScopeForAll, knowsDatabase } from './scopes.ts';

const caller = (...scopes: readonly string[]) => ({ subject: 'ada', scopes });

test.each([
  [['sql'], 'shop', true],
  [['sql@shop'], 'shop', true],
  [['*'], 'shop', true],
  [['*@shop'], 'shop', true],
  [['sql@other'], 'shop', false],
  [['sql@sho'], 'shop', false],
  [['sql@Shop'], 'shop', false],
  [['sql@'], 'shop', false],
  [['ask'], 'shop', false],
  [['sqlx', 'xsql', 'SQL', ''], 'shop', false],
  [['*@other', 'ask@shop'], 'shop', false],
  [['sql@__proto__'], '__proto__', true],
  [[], 'shop', false],
])('%j for sql at %s: %s', (scopes, database, allowed) => {
  expect(hasScope(caller(...scopes), 'sql', database)).toBe(allowed);
});

test('a scope for one database is enough for a route that names none', () => {
  expect(hasScope(caller('sql@shop'), 'sql')).toBe(true);
  expect(hasScope(caller('ask@shop'), 'sql')).toBe(false);
});

test('what is of the whole server needs more than a scope for one database', () => {
  for (const scopes of [['admin'], ['*']]) expect(hasScopeForAll(caller(...scopes), 'admin')).toBe(true);
  for (const scopes of [['admin@shop'], ['*@shop'], ['sql'], []])
    expect(hasScopeForAll(caller(...scopes), 'admin')).toBe(false);
});

test('a caller knows the databases of any of its scopes', () => {
  expect(knowsDatabase(caller('ask@shop'), 'shop')).toBe(true);
  expect(knowsDatabase(caller('ask@shop'), 'hr')).toBe(false);
  expect(knowsDatabase(caller('ask'), 'hr')).toBe(true);
  expect(knowsDatabase(caller('openid', 'profile@hr', '', '@hr', 'ask@shop'), 'hr')).toBe(false);
});
