import { expect, it } from 'vitest';
import { startDatabase } from '../test-support/test-database.ts';
import { dbosRunner } from './dbos-runner.ts';

it('a database that goes away ends nothing by itself, and closing does not wait for it', async () => {
  const database = await startDatabase();
  const begun = Promise.withResolvers<void>();
  const runner = await dbosRunner({
    connection: database.connection,
    name: 'outage',
    pollMs: 20,
    heartbeatMs: 50,
    closeTimeoutMs: 2_000,
    jobs: {
      hold: (_input: string, { signal }) => {
        begun.resolve();
        return new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  });
  const held = await runner.enqueue('hold', 'a', { id: 'a' });
  await begun.promise;
  await database.stop();
  await expect(runner.run('p', 'k', async () => 1)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  const waiting = runner.enqueue('hold', 'b', { id: 'b' });
  waiting.catch(() => {});
  await runner.close();
  await expect(held.result).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(waiting).rejects.toMatchObject({ code: expect.stringMatching(/ABORTED|DATABASE_UNAVAILABLE/) });
});
