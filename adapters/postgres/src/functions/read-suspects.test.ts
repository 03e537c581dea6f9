import { expect, test } from 'vitest';
import type { AnswerRow, AskServer } from './ask-server.ts';
import { readSuspects } from './read-suspects.ts';

const FUNCTIONS = 2_000;

/** Functions of a user, each of which calls the next one; the last one is refused. */
function chain(): readonly AnswerRow[] {
  return Array.from({ length: FUNCTIONS }, (_, at): AnswerRow => {
    const language = at === FUNCTIONS - 1 ? 'plpgsql' : 'sql';
    const body = language === 'sql' ? `SELECT f${at + 1}($1) WHERE $1 > 0` : null;
    const first = [String(20_000 + at), 'public', `f${at}`, 'f', language, 'f', null, 't', 't', body];
    return [...first, 'f', `public.f${at}(integer)`, 'owner', 't', null];
  });
}

test('what leads to a function is found in many functions, and others work meanwhile', async () => {
  const functions = chain();
  const session: AskServer = {
    simple: async () => [],
    batch: async (statements) =>
      Object.fromEntries(Object.keys(statements).map((name) => [name, name === 'functions' ? functions : []])) as never,
  };
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const suspects = await readSuspects(session, new Set());
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
  expect(suspects.functions.size).toBe(FUNCTIONS);
  expect(suspects.functions.get('f0')?.[0]?.reason).toBe(
    `In function public.f0(): In function public.f${FUNCTIONS - 2}(): What public.f${FUNCTIONS - 1} does cannot be seen, because it is written in plpgsql. If it only reads, allow it: \`allowFunctions: ['public.f${FUNCTIONS - 1}']\`, or --allow-function public.f${FUNCTIONS - 1}.`,
  );
});
