import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A folder that the children of a bench share, so that what is made once serves all of them. Removed at the end of the
 * bench.
 */
export function scratchFolder(): string {
  // Children of the harness have a channel to their parent, which is the program.
  const folder = path.join(tmpdir(), `askema-bench-${process.send === undefined ? process.pid : process.ppid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The file of this name in the scratch folder, made by `make` where it is not there yet. */
export async function scratchFile(name: string, make: (file: string) => unknown): Promise<string> {
  const file = path.join(scratchFolder(), name);
  if (existsSync(file)) return file;
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  await make(partial);
  renameSync(partial, file);
  return file;
}

export function removeScratch(): void {
  rmSync(scratchFolder(), { recursive: true, force: true });
}
