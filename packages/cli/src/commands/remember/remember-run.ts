import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { type Adapter, AskemaError, createCallContext, type Outcome } from '@askema/core';
import { decodeOutcome } from '@askema/text2sql/ask';
import { loadConfig } from '../../config/load-config.ts';
import { resolveDatabase } from '../../database/resolve-database.ts';
import { openHistory } from '../../history/history-folder.ts';
import { findEntry, type HistoryEntry, lastEntryIn } from '../../history/history-store.ts';
import { solverNamed } from '../../model/solver-named.ts';
import type { CommandContext, CommonFlags } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { findFolder } from '../knowledge/knowledge-folder.ts';
import { type Told, tellCorrected, tellForgotten, tellRemembered } from './tell-learned.ts';

export interface RememberFlags extends CommonFlags {
  readonly question?: string | undefined;
  /** Each `name=value`. */
  readonly parameter?: readonly string[] | undefined;
  readonly wrong?: boolean | undefined;
  readonly correct?: string | undefined;
  readonly model?: string | undefined;
  readonly by?: string | undefined;
  readonly folder?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What a run is learned from: its entry, its outcome, who learns, and where. */
interface Lesson {
  readonly entry: HistoryEntry;
  readonly outcome: Outcome;
  readonly by: string;
  readonly folder: string;
  readonly flags: RememberFlags;
}

/** `askema remember [RUN]`; returns the exit code. */
export async function rememberRun(
  id: string | undefined,
  flags: RememberFlags,
  context: CommandContext,
): Promise<number> {
  checkFlags(flags);
  const { host } = context;
  const history = openHistory(host.env);
  const entry = id === undefined ? await lastEntryIn(history, host.cwd) : await findEntry(history, id);
  const folder = await folderFor(entry, flags, context);
  const lesson = { entry, outcome: decodeOutcome(entry.outcome), by: flags.by ?? userInfo().username, folder, flags };
  const told: Told = { entry, outcome: lesson.outcome, folder, by: lesson.by, isJson: flags.json === true };
  if (flags.wrong === true) {
    const { forget } = await import('@askema/knowledge');
    await tellForgotten(await forget(folder, lesson.outcome, { by: lesson.by }), told, context);
    return EXIT.ok;
  }
  if (entry.mayWrite)
    throw new AskemaError(
      'INPUT_INVALID',
      `Run \`${entry.id}\` could change data, so nothing is learned from it. Ask again without --write.`,
    );
  await withDatabase(lesson, context, async (adapter) => {
    if (flags.correct === undefined) await tellRemembered(await confirm(lesson, adapter), told, context);
    else await tellCorrected(await correctRun(lesson, flags.correct, adapter, context), told, context);
  });
  return EXIT.ok;
}

function checkFlags({ wrong, correct, question, parameter, model }: RememberFlags): void {
  const isConfirmed = question !== undefined || parameter !== undefined;
  if (Number(wrong === true) + Number(correct !== undefined) + Number(isConfirmed) > 1)
    throw new AskemaError(
      'INPUT_INVALID',
      'An answer is right (--question, --parameter), wrong (--wrong) or corrected (--correct): give one of these.',
    );
  if (model !== undefined && correct === undefined)
    throw new AskemaError('INPUT_INVALID', '--model makes a metric of a correction; give it with --correct.');
}

/** `--folder`, else the folder that the run answered by, else that of the configuration. */
async function folderFor(entry: HistoryEntry, flags: RememberFlags, context: CommandContext): Promise<string> {
  const { cwd } = entry;
  const { knowledge } = entry.flags;
  const isOfRun = flags.folder === undefined && typeof knowledge === 'string';
  const here = flags.folder === undefined && flags.config === undefined ? cwd : context.host.cwd;
  const place = { ...context, host: { ...context.host, cwd: here } };
  const folder = isOfRun
    ? resolve(cwd, knowledge)
    : (await findFolder({ ...flags, config: configOf(entry, flags) }, place)).folder;
  if (existsSync(folder)) return folder;
  throw new AskemaError(
    'INPUT_INVALID',
    `There is no folder of knowledge at ${folder}. Name one with --folder, or make one with \`askema knowledge init\`.`,
  );
}

/** The file of `--config`, else that of the run. */
function configOf({ cwd, flags: asked }: HistoryEntry, { config }: RememberFlags): string | undefined {
  return config ?? (typeof asked.config === 'string' ? resolve(cwd, asked.config) : undefined);
}

/** The database of the run, opened as it was then and only to read. */
async function withDatabase(
  { entry, flags }: Lesson,
  context: CommandContext,
  use: (adapter: Adapter) => Promise<void>,
): Promise<void> {
  const { cwd, database, flags: asked } = entry;
  const loaded = await loadConfig(flags.config === undefined ? cwd : context.host.cwd, configOf(entry, flags), context);
  const both = (name: 'hide' | 'mask' | 'allowFunction'): readonly string[] => [
    ...textsOf(asked[name]),
    ...(flags[name] ?? []),
  ];
  const restricted = { hide: both('hide'), mask: both('mask'), allowFunction: both('allowFunction') };
  const here = { ...context, host: { ...context.host, cwd } };
  const adapter = await resolveDatabase({ address: database, access: 'read', loaded, flags: restricted }, here);
  try {
    await use(adapter);
  } finally {
    await adapter.close();
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

async function confirm({ entry, outcome, by, folder, flags }: Lesson, { dialect }: Adapter) {
  const { remember } = await import('@askema/knowledge');
  const { evidence, document } = entry.flags;
  const wasTold = evidence !== undefined || textsOf(document).length > 0;
  const parameters = parametersOf(flags.parameter ?? []);
  return remember(folder, outcome, { by, dialect, wasTold, parameters, question: flags.question });
}

function parametersOf(given: readonly string[]): Readonly<Record<string, string>> {
  const values = given.map((text) => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)] as const;
    throw new AskemaError(
      'INPUT_INVALID',
      `--parameter ${JSON.stringify(text)} must be name=value, such as city=Berlin.`,
    );
  });
  return Object.fromEntries(values);
}

async function correctRun(
  { outcome, by, folder, flags, entry }: Lesson,
  words: string,
  adapter: Adapter,
  context: CommandContext,
) {
  const { host, signal } = context;
  const { bindKnowledge, correct, loadKnowledge, usableKnowledge } = await import('@askema/knowledge');
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const solver =
    flags.model === undefined ? undefined : await solverNamed(flags.model, 'defines nothing', loaded, { host, signal });
  const catalog = await adapter.introspect({ context: createCallContext({ path: `remember-${entry.id}`, signal }) });
  const { knowledge } = usableKnowledge(await loadKnowledge(folder));
  const bound = bindKnowledge(knowledge, { catalog, dialect: adapter.dialect });
  return correct(folder, outcome, words, { by, bound, signal, model: solver && { solver, adapter } });
}
