import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/testing/free-port.ts';
import { layOut } from '../deploy/lay-out.ts';
import { mustRun } from '../run-command.ts';
import { ROOT } from '../workspace.ts';

/** That of the container, where this process may choose. */
const USER = 1000;
const KEY = 'smoke';
const KEY_SHA256 = createHash('sha256').update(KEY).digest('hex');

/**
 * The server as `deploy/Dockerfile` lays it out: production packages alone, files that nobody can change, a user without
 * rights, one folder for what it keeps. The smoke test asks it, and stops it.
 */
export async function checkDeployed(
  folder: string,
  packed: ReadonlyMap<string, string>,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const project = join(folder, 'project');
  const app = join(folder, 'deployed');
  const state = join(folder, 'state');
  layOut(join(app, 'packages'), packed);
  renameSync(join(app, 'packages', 'package.json'), join(app, 'package.json'));
  const npm = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  mustRun('npm', npm, { cwd: app, env: environment });
  cpSync(join(ROOT, 'deploy', 'config'), join(app, 'config'), { recursive: true });
  mkdirSync(join(app, 'data'));
  cpSync(join(ROOT, 'examples', 'store.sqlite'), join(app, 'data', 'store.sqlite'));
  cpSync(join(ROOT, 'scripts', 'smoke-server.mjs'), join(app, 'smoke-server.mjs'));
  mkdirSync(state);
  chmodSync(folder, 0o755);
  const uid = process.getuid?.() === 0 ? USER : undefined;
  if (uid !== undefined) chownSync(state, uid, uid);
  mustRun('chmod', ['-R', 'a-w', app]);
  try {
    const port = String(await freePort());
    const audit = join(state, 'askema', 'server', 'audit.jsonl');
    const serve = ['serve', '--config', 'config/askema.config.mjs', '--host', '0.0.0.0', '--port', port];
    // The program itself: a script around it would not pass SIGTERM on.
    const node = join(project, 'node_modules', 'node', 'bin', 'node');
    const command = [node, 'node_modules/askema/dist/main.js', ...serve];
    const smoke = ['smoke-server.mjs', `http://127.0.0.1:${port}`, '--audit', audit, '--', ...command];
    const env = { ...environment, HOME: app, XDG_STATE_HOME: state, ASKEMA_KEY_SHA256: KEY_SHA256, SMOKE_KEY: KEY };
    mustRun(node, smoke, { cwd: app, env, uid, timeoutMs: 120_000 });
  } finally {
    mustRun('chmod', ['-R', 'u+w', app]);
  }
}
