/**
 * Compares our lexers with those of the engines on random texts:
 *
 *   pnpm fuzz:lexers --engine sqlite|duckdb|postgres|mariadb|zetasql [--minutes 10] [--seed 1]
 *
 * Prints each difference in its smallest form, then how many texts there were. Ends with 1 where there was one.
 */
import { parseArgs } from 'node:util';
import { ENGINES } from './engines/engines.ts';
import { fuzzLexer } from './fuzz-lexer.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const start = ENGINES[values.engine];
if (start === undefined) throw new Error(`--engine ${values.engine} is none of ${Object.keys(ENGINES).join(', ')}.`);
const engine = await start();
const until = performance.now() + Number(values.minutes) * 60_000;
const report = await fuzzLexer(engine, {
  seed: Number(values.seed),
  isDone: ({ differences }) => performance.now() > until || differences.length >= 40,
  onDifference: ({ sql, check, detail }) =>
    console.log(`${check}: ${readable(JSON.stringify(sql))}\n  ${readable(detail)}`),
});
await engine.stop();
const { texts, compared, known, differing, differences } = report;
console.log(
  `${values.engine}, seed ${values.seed}: ${texts} texts, ${compared} compared, known ${JSON.stringify(known)}, ${differing} differ, ${differences.length} in their smallest form`,
);

/** What nobody sees is an escape. */
function readable(text: string): string {
  return text.replace(/[^\x20-\x7E]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

process.exitCode = differing === 0 ? 0 : 1;
