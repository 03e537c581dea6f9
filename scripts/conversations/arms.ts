import {
  type Journal,
  type LanguageModel,
  memoryJournal,
  type Outcome,
  type QueryResult,
  type SerializedError,
  type Usage,
} from '@askema/core';
import { conversation, type Text2Sql } from '@askema/text2sql';
import type { GoldConversation, GoldTurn } from './read-conversations.ts';

/** What a turn of an arm gave. */
export interface TurnGiven {
  readonly outcome: Outcome | undefined;
  /** What broke it off. */
  readonly error?: SerializedError | undefined;
  /** The question that was asked. */
  readonly question: string | undefined;
  readonly kind: string;
  readonly of?: number | undefined;
  /** Of all calls, and of reading the message alone. */
  readonly usage: Usage;
  readonly reading: Usage;
  readonly calls: number;
}

/** What an arm is asked with. */
interface ArmInput {
  readonly asked: GoldConversation;
  readonly store: Text2Sql;
  readonly model: LanguageModel;
  readonly today: string;
  /** `gold`: each turn follows what would have been right; `own`: what this arm has answered. */
  readonly history: History;
  readonly goldOf: (turn: GoldTurn) => Promise<QueryResult>;
}

export const HISTORIES = ['own', 'gold'] as const;
type History = (typeof HISTORIES)[number];

/** The turns of one conversation in their order, by one way to ask them. */
type Arm = (input: ArmInput) => AsyncIterable<TurnGiven>;

/**
 * `ours`: conversation(). `alone`: the same, but the rewritten question is asked by itself, without the statement that it
 * changes. `whole`: all that was before stands in the prompt. `none`: each message by itself.
 */
export const ARMS: Readonly<Record<'ours' | 'alone' | 'whole' | 'none', Arm>> = { ours, alone, whole, none };

function alone(input: ArmInput): AsyncIterable<TurnGiven> {
  const { store } = input;
  const ask: Text2Sql['ask'] = (question, { follows: _, ...options } = {}) => store.ask(question, options);
  return ours({ ...input, store: { ...store, ask } });
}

async function* ours({ asked, store, model, today, history, goldOf }: ArmInput): AsyncGenerator<TurnGiven> {
  const inner = memoryJournal();
  const journal = history === 'own' ? inner : withGoldAnswers(inner, asked, goldOf);
  const open = () => conversation({ databases: { [asked.db_id]: store }, model, journal, id: asked.id });
  let chat = open();
  for (const { utterance } of asked.turns) {
    // A value that is opened anew has no rows of its own answers: rows are those of gold then.
    if (history === 'gold') chat = open();
    const { understood, outcome, usage, calls, answer } = await chat.say(utterance, { today });
    const error = 'error' in answer ? answer.error : undefined;
    const { kind = 'not read', of, question } = understood ?? {};
    yield { outcome, error, question, kind, of, usage, reading: less(usage, outcome?.usage), calls };
  }
}

function less({ inputTokens = 0, outputTokens = 0 }: Usage, without: Usage = {}): Usage {
  return {
    inputTokens: inputTokens - (without.inputTokens ?? 0),
    outputTokens: outputTokens - (without.outputTokens ?? 0),
  };
}

/** Keeps what gold gives in place of each answer. */
function withGoldAnswers(inner: Journal, { turns }: GoldConversation, goldOf: ArmInput['goldOf']): Journal {
  return {
    ...inner,
    async open(id) {
      const run = await inner.open(id);
      const append: typeof run.append = async (entries) => {
        const kept = entries.map(async (entry) => {
          const value = (entry.kind === 'call' ? entry.value : {}) as {
            readonly type?: string;
            readonly turn?: number;
          };
          const gold = turns[(value.turn ?? 0) - 1];
          if (entry.kind !== 'call' || value.type !== 'ended' || gold === undefined) return entry;
          const { columns, rows } = await goldOf(gold);
          const answer = {
            ...{ type: 'answered', runId: 'gold', sql: gold.gold_sql, rows: rows.length, assumptions: [] },
            columns: columns.map(({ name }) => name),
          };
          return { ...entry, value: { ...value, answer } };
        });
        await run.append(await Promise.all(kept));
      };
      return { ...run, append };
    },
  };
}

async function* whole({ asked, store, today, history }: ArmInput): AsyncGenerator<TurnGiven> {
  const before: string[] = [];
  for (const { utterance, gold_sql } of asked.turns) {
    const evidence =
      before.length === 0
        ? undefined
        : `The question goes on from a conversation. What was asked before, and the statement that answered it, oldest first:\n\n${before.join('\n\n')}`;
    const outcome = await store.ask(utterance, { today, evidence });
    const sql = history === 'gold' ? gold_sql : (outcome.sql ?? '(no answer)');
    before.push(`${before.length + 1}. ${utterance}\n${sql}`);
    yield plainTurn(outcome);
  }
}

async function* none({ asked, store, today }: ArmInput): AsyncGenerator<TurnGiven> {
  for (const { utterance } of asked.turns) yield plainTurn(await store.ask(utterance, { today }));
}

function plainTurn(outcome: Outcome): TurnGiven {
  const { question, usage, calls } = outcome;
  const error = 'error' in outcome ? outcome.error : undefined;
  return { outcome, error, question, kind: 'asked', usage, reading: {}, calls };
}
