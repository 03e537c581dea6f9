import { spawnSync } from 'node:child_process';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly timeoutMs?: number | undefined;
  /** User and group that it runs as. */
  readonly uid?: number | undefined;
}

/** Runs a command to its end and returns what it printed; never throws for its exit code. */
export function runCommand(
  command: string,
  parameters: readonly string[],
  options: CommandOptions = {},
): CommandResult {
  const result = spawnSync(command, [...parameters], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    encoding: 'utf8',
    timeout: options.timeoutMs ?? 600_000,
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
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
