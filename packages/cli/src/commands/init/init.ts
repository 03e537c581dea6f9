import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AskemaError, toAskemaError } from '@askema/core';
import { findConfigFile } from '../../config/load-config.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { reportModels } from '../../model/models-report.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { canConfirm, createConfirmer } from '../../terminal/confirm.ts';
import { fileReason } from '../../terminal/file-reason.ts';
import { printable, withoutUserInfo } from '../../terminal/printable.ts';
import { startProgressLine } from '../../terminal/progress-line.ts';
import { checkSteps } from '../check/check-steps.ts';
import { configText, environmentText } from './config-text.ts';
import { type FoundDatabase, findDatabases } from './find-databases.ts';

export interface InitFlags {
  readonly yes?: boolean | undefined;
}

/** What was seen of a database that was found. */
interface Seen {
  readonly database: FoundDatabase;
  readonly state: 'ok' | 'warning' | 'left out';
  readonly told: string;
}

const NO_CONFIG = { file: undefined, config: {} };
const NOT_FOUND =
  'No database was found. Go to the folder of a database file, or set DATABASE_URL to an address such as postgres://reader@db.example/shop.';
const NO_ADDRESS =
  'No database was found, and DATABASE_URL is set to something that is no address of a server. Set it to one such as postgres://reader@db.example/shop, or go to the folder of a database file.';
const LEFT_OUT =
  'None of the databases that were found can be asked. The reason stands behind each: mend one, and start again.';
/** Of each step of the check. */
const CHECK_MS = 10_000;

/** `askema init`; returns the exit code. */
export async function runInit(flags: InitFlags, context: CommandContext): Promise<number> {
  const { host, out, err, signal } = context;
  const { cwd, env } = host;
  const above = findConfigFile(cwd);
  if (above !== undefined && dirname(above) === cwd)
    throw new AskemaError(
      'CONFIG_INVALID',
      `${above} is there already, and nothing is changed. Add to it, or remove it.`,
    );
  const seen: Seen[] = [];
  for (const database of findDatabases(cwd, env)) seen.push(await lookAt(database, context));
  for (const one of seen) await out.write(lineOf(one, context));
  const { chosen } = await reportModels(env, NO_CONFIG, { signal });
  const model = 'error' in chosen ? `none now: ${chosen.error}` : `${chosen.model} (${chosen.origin})`;
  await out.write(`${'model'.padEnd(STATE_WIDTH)}${printable(model)}\n`);
  const databases = seen.filter(({ state }) => state !== 'left out').map(({ database }) => database);
  if (databases.length === 0) {
    const why = seen.length > 0 ? LEFT_OUT : env.DATABASE_URL?.trim() ? NO_ADDRESS : NOT_FOUND;
    await err.write(`${why} Nothing is written.\n`);
    return EXIT.failed;
  }
  if (flags.yes !== true && canConfirm(host) && !(await isWanted(context))) return EXIT.ok;
  const isTypeScript = process.features.typescript !== false && process.features.typescript !== undefined;
  const config = isTypeScript ? 'askema.config.ts' : 'askema.config.mjs';
  await write(join(cwd, config), configText(databases, isTypeScript));
  const hasExample = existsSync(join(cwd, '.env.example'));
  if (!hasExample) await write(join(cwd, '.env.example'), environmentText(databases));
  await err.write(
    hasExample ? `Written: ${config}. .env.example was there, and stays.\n` : `Written: ${config}, .env.example.\n`,
  );
  if (above !== undefined) await err.write(`${err.yellow('note:')} ${above} does not count in this folder any more.\n`);
  await err.write(
    `Next: askema chat, to ask ${printable(databases[0]?.name ?? '')}; askema serve, to let applications ask; askema mcp --print-config claude, to let an agent ask.\n`,
  );
  return EXIT.ok;
}

async function lookAt(database: FoundDatabase, context: CommandContext): Promise<Seen> {
  const { err, signal } = context;
  const line = startProgressLine(err);
  line.show(`checking ${database.name}`);
  try {
    const search = { address: database.address, access: 'read', loaded: NO_CONFIG } as const;
    const adapter = await resolveDatabase(search, context);
    try {
      const options = { timeoutMs: CHECK_MS, include: undefined, signal, onStep: () => undefined };
      const checked = await checkSteps(adapter, options);
      if ('error' in checked)
        return { database, state: 'left out', told: `${checked.error.message} [${checked.error.code}]` };
      const content = checked.steps.find(({ name }) => name === 'schema')?.outcome ?? '';
      const [worst] = checked.findings.filter(({ severity }) => severity !== 'info');
      const told = `${checked.server}, ${content}`;
      if (worst === undefined) return { database, state: 'ok', told };
      return { database, state: 'warning', told: `${told}. ${worst.message} [${worst.code}]` };
    } finally {
      await adapter.close();
    }
  } catch (thrown) {
    signal.throwIfAborted();
    const { message, code } = toAskemaError(thrown);
    return { database, state: 'left out', told: `${message} [${code}]` };
  } finally {
    await line.stop();
  }
}

const STATE_WIDTH = 10;

function lineOf({ database: { name, address }, state, told }: Seen, { out }: CommandContext): string {
  const paint = { ok: out.cyan, warning: out.yellow, 'left out': out.red }[state];
  return `${paint(state.padEnd(STATE_WIDTH))}${printable(name)}  ${printable(address)}  ${printable(withoutUserInfo(told))}\n`;
}

async function isWanted(context: CommandContext): Promise<boolean> {
  const confirmer = createConfirmer(context.host);
  try {
    return await confirmer.ask('Write askema.config.ts and .env.example?', context.signal);
  } finally {
    confirmer.close();
  }
}

/** Nothing that is there is written over, also when it came while this looked around. */
async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((cause: unknown) => {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const reason = isThere ? 'it is there already.' : fileReason(cause);
    throw new AskemaError('INPUT_INVALID', `${file} cannot be written: ${reason}`, { cause });
  });
}
