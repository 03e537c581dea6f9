import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Work } from '../harness/bench.ts';
import { scratchFolder } from '../harness/scratch.ts';

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const PROGRAM = path.join(MODULES, 'drizzle-kit', 'bin.cjs');

/** The command `drizzle-kit pull`: reads the database and writes a schema in TypeScript. Its only public way in. */
export function drizzleKitPull(dialect: 'sqlite' | 'postgresql', url: string, tables: number): Work {
  const folder = path.join(scratchFolder(), `drizzle-${dialect}-${tables}-${process.pid}`);
  const out = path.join(folder, 'out');
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, 'drizzle.config.json');
  writeFileSync(config, JSON.stringify({ dialect, out, dbCredentials: { url } }));
  return {
    run: async () => {
      rmSync(out, { recursive: true, force: true });
      const pulling = promisify(execFile)(
        process.execPath,
        ['--max-old-space-size=4096', PROGRAM, 'pull', `--config=${config}`],
        {
          cwd: path.dirname(MODULES),
          maxBuffer: 2 ** 28,
          env: { ...process.env, NODE_OPTIONS: '' },
        },
      );
      // It waits for the end of its input.
      pulling.child.stdin?.end();
      await pulling;
      const schema = readFileSync(path.join(out, 'schema.ts'), 'utf8');
      const found = schema.match(/^export const \w+ = (?:sqlite|pg)Table\(/gm)?.length;
      if (found !== tables) throw new Error(`drizzle-kit wrote ${found} tables in place of ${tables}.`);
      return found;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
