import type { LexerTraits } from '@askema/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FuzzedEngine } from './engines/fuzzed-engine.ts';
import { type FuzzReport, fuzzLexer } from './fuzz-lexer.ts';

/**
 * Expects no difference in so many texts, of which the engine takes at least one in twenty, and one at least for each
 * wrong lexer.
 */
export function describeLexer(
  name: string,
  start: () => Promise<FuzzedEngine>,
  texts: number,
  wrong: Readonly<Record<string, Partial<LexerTraits>>>,
): void {
  describe(`${name} and our lexer`, () => {
    let engine: FuzzedEngine;
    beforeAll(async () => {
      engine = await start();
    }, 120_000);
    afterAll(() => engine?.stop());

    const compare = (lexer: LexerTraits, most: number): Promise<FuzzReport> =>
      fuzzLexer({ ...engine, lexer }, { seed: 7, isDone: (report) => report.texts >= most || report.differing > 0 });

    test('take the same for data and the same for code', { timeout: 120_000 }, async () => {
      const report = await compare(engine.lexer, texts);
      expect(report.differences).toEqual([]);
      expect(report.compared).toBeGreaterThan(texts / 20);
    });

    test.each(Object.entries(wrong))('%s would be found', { timeout: 120_000 }, async (_, traits) => {
      const report = await compare({ ...engine.lexer, ...traits }, 20 * texts);
      expect(report.differing).toBeGreaterThan(0);
    });
  });
}
