import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Why a configuration that was found must not be run: it, its folder or a folder above may be written by somebody
 * else, who would then choose what runs here. Undefined where only this user, root and root's group may. Of Windows,
 * which has no such modes, nothing is known. Access lists beyond the modes are not seen.
 */
export function configRisk(file: string, user: number | undefined = process.getuid?.()): string | undefined {
  if (user === undefined) return undefined;
  for (const place of new Set([realpathSync(file), file])) {
    const risk = riskOf(place, 'file', user) ?? foldersRisk(place, user);
    if (risk !== undefined) return risk;
  }
  return undefined;
}

function foldersRisk(file: string, user: number): string | undefined {
  for (let folder = dirname(file), kind: Kind = 'folder'; ; folder = dirname(folder), kind = 'above') {
    const risk = riskOf(folder, kind, user);
    if (risk !== undefined || dirname(folder) === folder) return risk;
  }
}

type Kind = 'file' | 'folder' | 'above';

function riskOf(place: string, kind: Kind, user: number): string | undefined {
  const { uid, gid, mode } = statSync(place);
  if (uid !== user && uid !== 0) return `${place} belongs to another user (${uid})`;
  // In a folder with the sticky bit, such as /tmp, nobody renames what is another's; but everybody may add to it.
  const isSticky = kind === 'above' && (mode & 0o1000) !== 0;
  if ((mode & 0o002) !== 0 && !isSticky) return `every user may write to ${place}`;
  return isSharedByGroup({ uid, gid, mode }) && !isSticky ? `the group ${gid} may write to ${place}` : undefined;
}

/** A group with the number of its user holds that user alone, as most systems make it. */
function isSharedByGroup({ uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): boolean {
  return (mode & 0o020) !== 0 && gid !== 0 && gid !== uid;
}
