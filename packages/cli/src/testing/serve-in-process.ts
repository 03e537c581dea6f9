import { setTimeout as delay } from 'node:timers/promises';
import { runCli } from '../run-cli.ts';
import { memoryHost } from './memory-host.ts';

/** `askema serve` in this process, at a port that was free. */
export interface ServedInProcess {
  readonly origin: string;
  /** The JSON of a reply, with its status. A body is sent with POST. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  ask(path: string, more?: { readonly key?: string; readonly body?: unknown; readonly headers?: object }): Promise<any>;
  /** Sends SIGTERM; resolves with the exit code and what was written. */
  stop(): Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Starts it; rejects with what it wrote where it ends at once. */
export async function serveInProcess(
  parameters: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ServedInProcess> {
  const host = memoryHost({ cwd, env: { OLLAMA_HOST: '127.0.0.1:1', ...env } });
  let ended: number | undefined;
  const running = runCli(['serve', '--port', '0', ...parameters], host).then((code) => {
    ended = code;
    return code;
  });
  const origin = (): string | undefined => /^Listening at +(http:\S+)$/m.exec(host.written.stderr)?.[1];
  while (origin() === undefined) {
    if (ended !== undefined) throw new Error(`exit code ${ended}: ${host.written.stderr}`);
    await delay(10);
  }
  return {
    origin: origin() ?? '',
    async ask(path, { key, body, headers } = {}) {
      const response = await fetch(`${origin()}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, ...((await response.json()) as object) };
    },
    async stop() {
      host.interrupt('SIGTERM');
      return { code: await running, stderr: host.written.stderr };
    },
  };
}
