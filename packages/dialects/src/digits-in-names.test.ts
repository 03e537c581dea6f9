import { significantTokens } from '@askema/sql';
import { expect, test } from 'vitest';
import { bigqueryLexer, mysqlLexer } from './index.ts';

test.each([
  [mysqlLexer, 's.1e5x `t`.2e2 u.0x1F v . 1e5', 's . 1e5x `t` . 2e2 u . 0x1F v . number:1e5'],
  [
    bigqueryLexer,
    's.2024_t `t`.1e5x 1.5 .5 0x1F p-2.s p-2nd.s [.5]',
    's . 2024_t `t` . 1e5x number:1.5 number:.5 number:0x1F p - number:2. s p - number:2 nd . s [ number:.5 ]',
  ],
  [bigqueryLexer, '1e5x v. 1e5x v .1e5x', 'unknown:1e5x v . unknown:1e5x v unknown:.1e5x'],
])('behind a dot, what begins like a number is a name: %#', (traits, sql, tokens) => {
  const shown = significantTokens(sql, traits).map(({ kind, text }) =>
    kind === 'number' || kind === 'unknown' ? `${kind}:${text}` : text,
  );
  expect(shown.join(' ')).toBe(tokens);
});
