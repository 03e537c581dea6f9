import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A stand-in that runs. */
export interface StartedServer {
  /** The first line that the program printed: what a client needs to connect. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly pid: number;
  /** Ends it and waits until it has ended. */
  stop(): Promise<void>;
}

export interface StartServerOptions {
  /** What a person is told who lacks it: `a PostgreSQL server (Debian: apt-get install postgresql)`. */
  readonly needs: string;
  /** Default: 120,000. */
  readonly timeoutMs?: number | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** `newest` runs it on the Node of `servers/node_modules`. Default: the Node that runs the tests. */
  readonly node?: 'same' | 'newest' | undefined;
}

/**
 * Starts `servers/<program>`, a Node program that prints one line of JSON when it is ready, and ends when its stdin
 * does: so nothing is left behind by a test run that was killed.
 *
 * Rejects with what the program wrote to stderr, and what it needs.
 */
export async function startServer(
  program: string,
  parameters: readonly string[],
  options: StartServerOptions,
): Promise<StartedServer> {
  const newest = join(import.meta.dirname, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(join(import.meta.dirname, 'node_modules')))
    throw new Error(`${program} needs ${options.needs}: run \`npm ci --prefix servers\` first.`);
  const child = spawn(
    options.node === 'newest' ? newest : process.execPath,
    [join(import.meta.dirname, program), ...parameters],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...options.environment } },
  );
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + String(chunk)).slice(-8_000);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.stdin.destroy();
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(killer);
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    const line = await new Promise<string>((resolve, reject) => {
      const fail = (why: string): void =>
        reject(new Error(`servers/${program} ${why}. It needs ${options.needs}.\n${errors}`));
      const limit = options.timeoutMs ?? 120_000;
      timer = setTimeout(() => fail(`was not ready within ${limit} ms`), limit);
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += String(chunk);
        const end = text.indexOf('\n');
        if (end >= 0) resolve(text.slice(0, end));
      });
      child.once('error', (error) => fail(`could not be started: ${error.message}`));
      child.once('close', (code) => fail(`ended with ${code} before it was ready`));
    });
    return { ready: JSON.parse(line) as Record<string, unknown>, pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
