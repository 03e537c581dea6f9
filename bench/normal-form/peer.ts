import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { RelationScheme } from '@askema/normal-form';

const PROGRAM = join(import.meta.dirname, 'peer.py');

/** What `python3` says of the installed package; undefined where there is none. */
export function peerVersion(): string | undefined {
  const program = "import importlib.metadata as m; print(m.version('functional-dependencies'))";
  const ran = spawnSync('python3', ['-c', program], { encoding: 'utf8' });
  return ran.status === 0 ? ran.stdout.trim() : undefined;
}

/** How long the peer took, or why there is no figure. */
export type PeerTime = { readonly milliseconds: number; readonly parts: number } | { readonly none: string };

/**
 * The same synthesis by functional-dependencies 1.2.0 (PyPI), without a certificate and without foreign keys. It has to
 * be importable by `python3`; npm has no package that synthesizes.
 */
export function askPeer(scheme: RelationScheme, seconds: number): PeerTime {
  const ran = spawnSync('python3', [PROGRAM], {
    input: JSON.stringify(scheme),
    encoding: 'utf8',
    timeout: seconds * 1_000,
  });
  if (ran.signal !== null || (ran.error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT')
    return { none: `> ${seconds} s` };
  if (ran.status !== 0) return { none: /No module named/.test(ran.stderr ?? '') ? 'absent' : 'fails' };
  const { seconds: took, parts } = JSON.parse(ran.stdout) as { seconds: number; parts: number };
  return { milliseconds: took * 1_000, parts };
}
