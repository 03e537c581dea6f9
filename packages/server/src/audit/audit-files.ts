import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

/** A file of a log that has one for each month. */
interface MonthFile {
  readonly file: string;
  /** When its month ends, in milliseconds since the epoch. */
  readonly end: number;
}

/** The file for a moment: `audit.jsonl` in November 2026 is `audit.2026-11.jsonl`. Months are those of UTC. */
export function monthFile(file: string, at: number): string {
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}.${new Date(at).toISOString().slice(0, 7)}${ending}`;
}

/**
 * The files of a log, the oldest first: `file` itself, where there is one, and those of its months. Those whose month
 * ended before `since` hold nothing that was sent later.
 */
export async function auditFiles(file: string, since?: Date): Promise<readonly string[]> {
  const months = await monthsOf(file);
  const whole = await stat(file).catch(() => undefined);
  const chosen = months.filter(({ end }) => since === undefined || end > since.getTime());
  return [...(whole === undefined ? [] : [file]), ...chosen.map((month) => month.file)];
}

/** Deletes the files of a log in which nothing is as young as `before`. */
export async function forgetAudit(file: string, before: Date): Promise<void> {
  const old = (await monthsOf(file)).filter(({ end }) => end <= before.getTime()).map((month) => month.file);
  // From before the log had files for months.
  const whole = await stat(file).catch(() => undefined);
  if (whole !== undefined && whole.mtimeMs < before.getTime()) old.push(file);
  for (const one of old) await rm(one, { force: true });
}

async function monthsOf(file: string): Promise<readonly MonthFile[]> {
  const ending = extname(file);
  const beginning = `${basename(file, ending)}.`;
  const names = await readdir(dirname(file)).catch(() => []);
  return names.sort().flatMap((name) => {
    if (!name.startsWith(beginning) || !name.endsWith(ending)) return [];
    const [, year, month] = /^(\d{4})-(\d\d)$/.exec(name.slice(beginning.length, name.length - ending.length)) ?? [];
    return year === undefined
      ? []
      : [{ file: join(dirname(file), name), end: Date.UTC(Number(year), Number(month), 1) }];
  });
}
