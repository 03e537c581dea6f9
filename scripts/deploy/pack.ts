/**
 * Packs what `deploy/Dockerfile` installs into deploy/packages. Usage: node scripts/deploy/pack.ts (after `pnpm build`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from '../pack-packages.ts';
import { ROOT } from '../workspace.ts';
import { layOut } from './lay-out.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-deploy-'));
try {
  const target = join(ROOT, 'deploy', 'packages');
  rmSync(target, { recursive: true, force: true });
  layOut(target, packPackages(folder));
  console.log(`packed into ${target}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
