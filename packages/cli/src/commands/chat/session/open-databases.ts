import { AskemaError, type Dialect, type Journal, memoryJournal, type Outcome, QUERY_DEFAULTS } from '@askema/core';
import { createText2Sql, type Text2Sql } from '@askema/text2sql/ask';
import type { LoadedConfig } from '../../../config/load-config.ts';
import type { NamedDatabase } from '../../../database/name-databases.ts';
import { defaultFlow, resolveFlow } from '../../../flow/resolve-flow.ts';
import type { AnswerOrigin } from '../../../format/format-json.ts';
import { type ModelChoice, resolveModel } from '../../../model/resolve-model.ts';
import type { CommandContext } from '../../../process/command-context.ts';
import { parseDuration } from '../../../terminal/duration.ts';
import { limitQueryTime } from '../../ask/limit-query-time.ts';
import {
  type AskedDatabase,
  FALLBACK_NOTE,
  type GivenWithQuestions,
  openAsked,
  readQuestionSetup,
} from '../../ask/open-asked.ts';
import type { ChatFlags } from './chat-flags.ts';

/** A database of the conversation. */
export interface ChatDatabase extends NamedDatabase {
  readonly store: Text2Sql;
  readonly dialect: Dialect;
  readonly origin: AnswerOrigin;
  /** The outcome as the user should see it, see `limitQueryTime`. */
  explain(outcome: Outcome): Outcome;
}

/** All that messages are answered with. */
export interface ChatDatabases {
  readonly all: readonly ChatDatabase[];
  readonly model: ModelChoice;
  readonly given: GivenWithQuestions;
  readonly hasKnowledge: boolean;
  /** @throws AskemaError `INPUT_INVALID` for one that is not open. */
  named(name: string | undefined): ChatDatabase;
  /** A line begins, with the whole time of `--timeout`. */
  restart(): void;
  /** Nothing that was asked back can be gone on with. */
  forgetRuns(): void;
  close(): Promise<void>;
}

/** Opens databases and the model as `askema ask` does. Rejects as that does. */
export async function openDatabases(
  databases: readonly NamedDatabase[],
  flags: ChatFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<ChatDatabases> {
  const { host, err, signal } = context;
  const { given, setup } = await readQuestionSetup(flags, loaded, context);
  const here = { ...loaded, cwd: host.cwd };
  const named = await resolveFlow(flags, here);
  const givenMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, '--timeout');
  const timeoutMs = givenMs ?? QUERY_DEFAULTS.timeoutMs;
  const closers: (() => Promise<void>)[] = [];
  const restarters: (() => void)[] = [];
  const forgetters: (() => void)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const opened: { readonly named: NamedDatabase; readonly asked: AskedDatabase }[] = [];
    for (const one of databases) {
      const search = { address: one.address, access: 'read', loaded, flags, timeoutMs: givenMs } as const;
      const asked = await openAsked(search, context);
      closers.push(asked.close);
      opened.push({ named: one, asked });
    }
    const model = await resolveModel({ flag: flags.model, loaded, env: host.env, signal });
    if (model.isFallback) await err.write(`${err.yellow(FALLBACK_NOTE)}\n`);
    const flow = named ?? (await defaultFlow(flags, here, { model: model.model, access: 'read' }));
    const allMs = givenMs ?? flow.statementsMs ?? QUERY_DEFAULTS.timeoutMs;
    // A journal copies rows: not where more are held than a flow looks at.
    const isSmall = (setup.maxRows ?? 0) <= QUERY_DEFAULTS.maxRows;
    const all = opened.map(({ named: { name, address }, asked }): ChatDatabase => {
      const { adapter, explain, restart } = limitQueryTime(asked.adapter, allMs);
      const runs = forgettingJournal();
      const journal = isSmall ? runs.journal : undefined;
      const { flow: steps, label } = flow;
      const base = { adapter, model: model.model, flow: steps, access: 'read', timeoutMs, journal } as const;
      const { onEvent } = loaded.config.tracing ?? {};
      const store = createText2Sql({ ...base, onEvent, ...asked.setup, ...setup });
      closers.push(() => store.close());
      restarters.push(restart);
      forgetters.push(runs.forget);
      const origin = { database: adapter.name, flow: label, model: model.label };
      return { name, address, store, dialect: adapter.dialect, origin, explain };
    });
    return {
      all,
      model,
      given,
      hasKnowledge: setup.knowledge !== undefined,
      named: (name) => databaseOf(name, all),
      restart() {
        for (const one of restarters) one();
      },
      forgetRuns() {
        for (const one of forgetters) one();
      },
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function databaseOf(name: string | undefined, all: readonly ChatDatabase[]): ChatDatabase {
  const found = all.find((one) => one.name === name) ?? (name === undefined ? all[0] : undefined);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name).join(', ');
  throw new AskemaError('INPUT_INVALID', `That was about the database \`${name}\`; open are: ${names}.`);
}

/** The runs of the last message alone: a long conversation would hold the rows of all. */
function forgettingJournal(): { readonly journal: Journal; forget(): void } {
  let kept = memoryJournal();
  return {
    journal: {
      open: (runId) => kept.open(runId),
      read: (runId) => kept.read(runId),
      runIds: () => kept.runIds(),
    },
    forget() {
      kept = memoryJournal();
    },
  };
}
