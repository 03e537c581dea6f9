import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const WINDOW_MS = 250;
/** Of hundredths of a second: a program at rest sends spans and collects garbage. */
const MAX_TICKS_AT_REST = 2;

/** Whether a process, or one that it started, computes: found in a quarter of a second. Linux only. */
export async function isComputing(pid: number): Promise<boolean> {
  const before = ticksOf(pid);
  await wait(WINDOW_MS);
  let ticks = 0;
  for (const [one, now] of ticksOf(pid)) ticks += now - (before.get(one) ?? 0);
  return ticks > MAX_TICKS_AT_REST;
}

/** Processor time of a process and all below it, by process, in hundredths of a second. */
function ticksOf(root: number): ReadonlyMap<number, number> {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));
  const found = new Map<number, number>();
  const add = (pid: number): void => {
    for (const one of all) if (one.pid === pid) found.set(pid, one.ticks);
    for (const { pid: child, parent } of all) if (parent === pid) add(child);
  };
  add(root);
  return found;
}

function statOf(name: string): readonly { readonly pid: number; readonly parent: number; readonly ticks: number }[] {
  try {
    // Behind the name of the program, which may hold anything: state, parent, …, and from the 12th on user and system time.
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
