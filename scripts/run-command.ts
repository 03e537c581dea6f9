import { spawnSync } from 'node:child_process';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end and returns what it printed; never throws for its exit code. */
export function runCommand(
  command: string,
  parameters: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly timeoutMs?: number } = {},
): CommandResult {
  const result = spawnSync(command, [...parameters], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    encoding: 'utf8',
    timeout: options.timeoutMs ?? 600_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.error) throw new Error(`${command} could not be run: ${result.error.message}`);
  return { status: result.status ?? 1, stdout: result.stdout, stderr: result.stderr };
}

/** Runs a command and throws with all that it printed unless it exits with 0. Returns its standard output. */
export function mustRun(...call: Parameters<typeof runCommand>): string {
  const result = runCommand(...call);
  if (result.status !== 0) {
    throw new Error(`${call[0]} ${call[1].join(' ')} exited with ${result.status}\n${result.stdout}\n${result.stderr}`);
  }
  return result.stdout;
}
