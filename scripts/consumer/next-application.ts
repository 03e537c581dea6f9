import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { checkMounted } from '../mounted/check-mounted.ts';
import { originOf } from '../mounted/origin-of.ts';
import { mustRun } from '../run-command.ts';

/** Builds `examples/servers/next` in the consumer's project, starts it as in production, and asks it. */
export async function checkNext(project: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const cwd = join(project, 'examples', 'servers', 'next');
  const audit = join(project, 'next-audit.jsonl');
  const files = { STORE: join(project, 'examples', 'store.sqlite'), AUDIT: audit };
  const env = { ...environment, ...files, NEXT_TELEMETRY_DISABLED: '1' };
  mustRun('next', ['build'], { cwd, env });
  const next = join(project, 'node_modules', 'next', 'dist', 'bin', 'next');
  const parameters = [next, 'start', '--hostname', '127.0.0.1', '--port', '0'];
  const child = spawn(process.execPath, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    await checkMounted(await originOf(child), audit);
  } finally {
    child.kill();
    await ended;
  }
}
