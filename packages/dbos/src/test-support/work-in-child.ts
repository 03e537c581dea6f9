import type { JobContext } from '@askema/core';
import { dbosRunner } from '../index.ts';

/**
 * A process that works on a runner, for tests that stop, freeze or kill it. Says `open`, `begun <input>` and
 * `stopped <input>`; ends jobs with `child <input>` when it is told `finish`, and closes when it is told `close`.
 */
const [connection = '', name = '', version = '1', deadAfterMs = '60000'] = process.argv.slice(2);

const told = new Map<string, PromiseWithResolvers<void>>();
const word = (text: string): PromiseWithResolvers<void> => {
  const waiting = told.get(text) ?? Promise.withResolvers<void>();
  told.set(text, waiting);
  return waiting;
};
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

process.stdin.on('data', (chunk) => {
  for (const line of String(chunk).trim().split('\n')) word(line).resolve();
});

const runner = await dbosRunner({
  connection,
  name,
  version,
  jobs: {
    hold: async (input: string, { signal, receive }: JobContext) => {
      say(`begun ${input}`);
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          say(`stopped ${input}`);
          reject(signal.reason);
        });
      });
      stopped.catch(() => {});
      if (input === 'receive') return `child ${String(await receive())}`;
      await Promise.race([word('finish').promise, stopped]);
      return `child ${input}`;
    },
  },
  pollMs: 20,
  heartbeatMs: 100,
  deadAfterMs: Number(deadAfterMs),
});
say('open');
await word('close').promise;
await runner.close();
say('closed');
process.exit(0);
