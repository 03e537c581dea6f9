import { randomUUID } from 'node:crypto';
import { AskemaError, checkChoice, fromModel, isLanguageModel, memoryJournal, systemRuntime } from '@askema/core';
import { checkModel } from '../check-options.ts';
import { eitherSignal } from '../question/either-signal.ts';
import { answerTurn } from './answer-turn.ts';
import {
  type Conversation,
  type ConversationOptions,
  type SayOptions,
  SUMMARIZED,
  type TurnAnswer,
  type Understood,
} from './conversation-options.ts';
import {
  type ConversationState,
  existingTurn,
  pathTo,
  type StoredTurn,
  shownTurn,
  stateOf,
} from './conversation-state.ts';
import { checkId, journalKey, type OpenConversation, readEntries, withOpen } from './kept-entries.ts';
import { matchChoice } from './match-choice.ts';
import { checkStatement, lastStatement } from './run-statement.ts';
import type { BegunTurn, TurnTools } from './turn-tools.ts';
import { checkMessage } from './understand-message.ts';

/**
 * Questions that follow one another: each message is written as a question that stands alone, shown, and asked as any
 * other.
 *
 * ```ts
 * const chat = conversation({ databases: { shop }, model, journal, id: 'ann-7' });
 * await chat.say('How many orders were there in 2023?');
 * const turn = await chat.say('and by country?');
 * console.log(turn.understood?.question, turn.outcome);
 * ```
 *
 * @throws AskemaError `CONFIG_INVALID` for no database, a name or an `id` that cannot be kept, and a `model` that is
 * none.
 */
export function conversation(options: ConversationOptions): Conversation {
  const { databases, model, tenant, journal = memoryJournal() } = options;
  checkDatabases(databases);
  checkModel(model);
  const runtime = systemRuntime(options.runtime);
  const id = checkId(options.id ?? randomUUID());
  const key = journalKey(id, tenant);
  const place = { journal, key, tenant, now: () => runtime.clock.now() };
  const closing = new AbortController();
  const tools: TurnTools = {
    databases,
    titles: options.titles,
    solver: isLanguageModel(model) ? fromModel(model, { runtime }) : model,
    tenant,
    clock: runtime.clock,
    onEvent: options.onEvent,
    shown: new Map(),
  };

  let last: Promise<unknown> = Promise.resolve();
  /** One at a time: what is said next may follow what is said now. */
  const inTurn = <T>(work: (open: OpenConversation, state: ConversationState) => Promise<T>): Promise<T> => {
    const next = last.then(() => {
      if (closing.signal.aborted)
        throw new AskemaError('INPUT_INVALID', `The conversation \`${id}\` was closed; open it again under its id.`);
      return withOpen(place, (open) => work(open, stateOf(open.events)));
    });
    last = next.catch(() => undefined);
    return next;
  };

  const dateOf = (): string => new Date(runtime.clock.now()).toISOString().slice(0, 10);
  const answerHeard = async ({ given, ...begun }: Omit<BegunTurn, 'given'> & { readonly given: SayOptions }) => {
    const { signal, letGo } = eitherSignal(given.signal, closing.signal);
    try {
      return await answerTurn({ ...begun, given: { ...given, signal } }, tools);
    } finally {
      letGo();
    }
  };

  const say = (message: string, isAnswer: boolean, given: SayOptions) => {
    const { database, summarize, today = dateOf() } = given;
    checkMessage(message);
    if (summarize !== undefined) checkChoice('summarize', summarize, SUMMARIZED, 'INPUT_INVALID');
    if (database !== undefined) checkChoice('database', database, Object.keys(databases), 'INPUT_INVALID');
    return inTurn(async (open, state) => {
      const path = pathBefore(state);
      if (isAnswer) checkAnswer(message, path.at(-1)?.answer);
      const turn = await beginTurn({ message, isAnswer, today, isEdit: false }, open, state);
      return answerHeard({ turn, path, open, given });
    });
  };

  const edit: Conversation['edit'] = async (sql, given = {}) => {
    checkStatement(sql);
    if (given.database !== undefined) checkChoice('database', given.database, Object.keys(databases), 'INPUT_INVALID');
    return inTurn(async (open, state) => {
      const path = pathBefore(state);
      const of = lastStatement(path);
      if (of === undefined) throw new AskemaError('INPUT_INVALID', 'No turn has a statement to change. Use `say`.');
      const said = { message: sql, isAnswer: false, today: dateOf(), isEdit: true };
      const begun = await beginTurn(said, open, state);
      const database = given.database ?? of.understood?.database;
      const understood: Understood = { kind: 'edit', of: of.turn, database };
      const turn = { ...begun, understood };
      if (begun.understood === undefined || begun.understood.database !== database)
        await open.add({ type: 'understood', turn: turn.turn, understood, usage: {}, calls: 0 });
      return answerHeard({ turn, path, open, given });
    });
  };

  const moveTo = async (turn: number, open: OpenConversation, state: ConversationState) => {
    const found = existingTurn(state, turn);
    await open.add({ type: 'moved', to: turn });
    return found;
  };

  const close = async (): Promise<void> => {
    closing.abort();
    await last;
  };

  return {
    id,
    say: async (message, given = {}) => say(message, false, given),
    answer: async (choice, given = {}) => say(String(choice), true, given),
    edit,
    async turns() {
      const { events } = readEntries(await journal.read(key), key, tenant);
      const state = stateOf(events);
      return pathTo(state, state.head).map(shownTurn);
    },
    undo: () =>
      inTurn(async (open, state) => {
        const head = state.turns.get(state.head);
        if (head === undefined) throw new AskemaError('INPUT_INVALID', 'There is no turn to take back.');
        return moveTo(head.after, open, state);
      }),
    branch: (turn) => inTurn((open, state) => moveTo(turn, open, state)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The turn at the head that was broken off, by the death of its process. */
function brokenTurn({ turns, head }: ConversationState): StoredTurn | undefined {
  const last = turns.get(head);
  return last?.answer.type === 'open' ? last : undefined;
}

function pathBefore(state: ConversationState): readonly StoredTurn[] {
  return pathTo(state, brokenTurn(state)?.after ?? state.head);
}

/** A new turn, or the one that was broken off where the same is said again. */
async function beginTurn(
  { isEdit, ...said }: Pick<StoredTurn, 'message' | 'isAnswer' | 'today'> & { readonly isEdit: boolean },
  open: OpenConversation,
  state: ConversationState,
): Promise<StoredTurn> {
  const broken = brokenTurn(state);
  const isSame = broken?.message === said.message && broken.isAnswer === said.isAnswer;
  if (broken !== undefined && isSame && (broken.understood?.kind === 'edit') === isEdit) return broken;
  const begun = { ...said, turn: state.turns.size + 1, after: broken?.after ?? state.head };
  await open.add({ type: 'said', ...begun });
  return { ...begun, answer: { type: 'open' }, usage: {}, calls: 0 };
}

/** Names stand in prompts and in the journal. */
const DATABASE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,39}$/u;

function checkDatabases(databases: ConversationOptions['databases']): void {
  const names = Object.keys(databases ?? {});
  if (names.length === 0)
    throw new AskemaError('CONFIG_INVALID', 'A conversation needs a database: `databases: { shop: text2sql }`.');
  for (const name of names)
    if (!DATABASE_NAME.test(name))
      throw new AskemaError(
        'CONFIG_INVALID',
        `\`${name.slice(0, 60)}\` is no name for a database: letters, digits, \`_\`, \`.\` and \`-\`, at most 40.`,
      );
}

/** @throws AskemaError `INPUT_INVALID` where nothing was asked back, and for words where only choices can be asked. */
function checkAnswer(said: string, asked: TurnAnswer | undefined): void {
  if (asked?.type !== 'needsClarification')
    throw new AskemaError('INPUT_INVALID', 'Nothing was asked back, so there is nothing to answer. Use `say`.');
  if (asked.runId !== undefined || matchChoice(said, asked.choices) !== undefined) return;
  const ids = asked.choices.map(({ id }) => id).join(', ');
  throw new AskemaError(
    'INPUT_INVALID',
    `\`${said.trim().slice(0, 100)}\` is none of the choices${ids === '' ? '' : ` (${ids})`}. Use \`say\` for other words.`,
  );
}
