import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** True while a process of this group lives. A dead one that nobody has collected yet does not count. */
function isGroupAlive(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
  } catch {
    return false;
  }
  return existsSync('/proc/self/stat') ? listGroup(groupId).some(({ state }) => state !== 'Z') : true;
}

/** Waits, for at most `timeoutMs`, until no process of the group lives; false when one still does. */
export async function groupEnds(groupId: number, timeoutMs = 5_000): Promise<boolean> {
  for (let waited = 0; waited < timeoutMs; waited += 20) {
    if (!isGroupAlive(groupId)) return true;
    await delay(20);
  }
  return !isGroupAlive(groupId);
}

/** Linux: `/proc/<pid>/stat` is `pid (name) state parent group …` (proc_pid_stat(5)). */
function listGroup(groupId: number): { readonly state: string }[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(group) === groupId ? [{ state }] : [];
    } catch {
      return [];
    }
  });
}
