import { loadPeer } from '@askema/core';

const NEEDED_BY = '@askema/dbos';

/** `pg`, at its first use. Rejects with `DEPENDENCY_MISSING`. */
export async function loadPg(): Promise<typeof import('pg')> {
  const loaded = await loadPeer(() => import('pg'), { peer: 'pg', range: '^8.20', neededBy: NEEDED_BY });
  return loaded.default as unknown as typeof import('pg');
}

/** DBOS Transact, at its first use. Rejects with `DEPENDENCY_MISSING`. */
export function loadDbos(): Promise<typeof import('@dbos-inc/dbos-sdk')> {
  return loadPeer(() => import('@dbos-inc/dbos-sdk'), {
    peer: '@dbos-inc/dbos-sdk',
    range: '^5.3',
    neededBy: NEEDED_BY,
  });
}
