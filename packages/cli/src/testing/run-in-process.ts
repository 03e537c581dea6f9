import { runCli } from '../run-cli.ts';
import { type MemoryHostOptions, memoryHost } from './memory-host.ts';
import type { Finished } from './run-askema.ts';

/**
 * Runs the command in this process, with everything around it in memory, and without keys and without a local Ollama.
 */
export async function runInProcess(
  parameters: readonly string[],
  options: MemoryHostOptions = {},
): Promise<Omit<Finished, 'elapsedMs'>> {
  const host = memoryHost({ ...options, env: { OLLAMA_HOST: '127.0.0.1:1', ...options.env } });
  const code = await runCli(parameters, host);
  return { code, ...host.written };
}
