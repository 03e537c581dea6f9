import { createRequire } from 'node:module';

const fromHere = createRequire(import.meta.url);

/**
 * A program of others that judges what Askema writes, from `servers/node_modules`: it would be a tenth of what a clone
 * installs. Throws with what to do where it is not installed. The caller says what it uses of it.
 */
export function requireJudge<Used>(name: string): Used {
  return fromHere(pathOfJudge(name)) as Used;
}

/** The file that `require(name)` loads from `servers/node_modules`. */
export function pathOfJudge(name: string): string {
  try {
    return fromHere.resolve(name);
  } catch (cause) {
    throw new Error(`${name} is not installed: run \`npm ci --prefix servers\` first.`, { cause });
  }
}
