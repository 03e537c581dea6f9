import { createHash } from 'node:crypto';
import {
  type CallContext,
  decodeValue,
  encodeValue,
  oneLine,
  type Solver,
  toAskemaError,
  type Usage,
} from '@askema/core';
import { checkWritten, MAX_QUESTION_CHARACTERS } from '../check-options.ts';
import type { OpenText2Sql } from '../text2sql-options.ts';
import type { KeptTurn, Understood } from './conversation-options.ts';
import type { OpenConversation } from './kept-entries.ts';
import { matchChoice } from './match-choice.ts';
import { type DatabaseTitles, namedDatabase } from './named-database.ts';
import { answered, readRewrite, whichDatabase } from './read-rewrite.ts';
import { schemaNames } from './schema-names.ts';
import { earlierTurns } from './tasks/earlier-turns.ts';
import { REWRITE_TASK_ID, rewriteTask } from './tasks/rewrite.ts';

/** A message, and what it may refer to. */
export interface MessageToRead {
  readonly message: string;
  /** The turns before it. */
  readonly path: readonly KeptTurn[];
  readonly databases: Readonly<Record<string, Pick<OpenText2Sql, 'catalog'>>>;
  readonly titles?: DatabaseTitles | undefined;
  readonly database: string | undefined;
  /** Given as an answer to what the last turn asked back. */
  readonly isAnswer: boolean;
  readonly standsAlone: boolean;
  readonly solver: Solver;
}

/** How a message is read, and what that cost. Values that its question points at are still to be put into it. */
export interface Reading {
  readonly understood: Understood;
  /** A model wrote its question, so that marks in it point at values. */
  readonly isRewritten: boolean;
  readonly usage: Usage;
  readonly calls: number;
}

/**
 * By code where that needs no reading: the first question, a repetition, the choice of what was asked back. Else by
 * `conversation.rewrite`. Rejects as `Solver.solve`.
 */
export async function understandMessage(read: MessageToRead, context: CallContext): Promise<Reading> {
  const free = { usage: {}, calls: 0 };
  const chosen = chosenAnswer(read);
  if (chosen !== undefined) return { understood: chosen, isRewritten: true, ...free };
  const plain = withoutModel(read);
  if (plain !== undefined) return { understood: plain, isRewritten: false, ...free };
  const { message, path, databases, titles, database, solver } = read;
  const names = await namesOf(databases, titles, context);
  const input = { databases: names, earlier: earlierTurns(path, names.length > 1), message };
  const { value, usage, calls } = await solver.solve(rewriteTask, input, context);
  const facts = { message, path, databases: Object.keys(databases), database };
  return { understood: readRewrite(value, facts), isRewritten: true, usage, calls };
}

/** What the last turn asked back is decided. */
function chosenAnswer({ path, isAnswer, standsAlone, message }: MessageToRead): Understood | undefined {
  const last = path.at(-1);
  if (last?.answer.type !== 'needsClarification' || standsAlone) return undefined;
  const chosen = matchChoice(message, last.answer.choices);
  return chosen === undefined && !isAnswer ? undefined : answered(last, chosen?.id ?? message.trim());
}

function withoutModel(read: MessageToRead): Understood | undefined {
  const { path, databases, standsAlone, solver } = read;
  const message = read.message.trim();
  const again = standsAlone ? undefined : repeated(read, message);
  if (again !== undefined) return again;
  const names = Object.keys(databases);
  const database = read.database ?? (names.length === 1 ? names[0] : undefined);
  const isFirst = !path.some(({ understood }) => understood?.question !== undefined || understood?.asks !== undefined);
  const isRead = !standsAlone && solver.supports(REWRITE_TASK_ID);
  if (isRead && !(isFirst && database !== undefined)) return undefined;
  const asked = database ?? namedDatabase(message, names, read.titles);
  if (asked === undefined) return whichDatabase(message, names, path);
  return { kind: 'new', question: message, database: asked };
}

/** The same words mean the same where they repeat the last message, or any question that stood alone. */
function repeated({ path, database }: MessageToRead, message: string): Understood | undefined {
  const found = path.findLast(({ message: said, understood }, at) => {
    if (understood === undefined || (database !== undefined && understood.database !== database)) return false;
    const { kind } = understood;
    if (said.trim() !== message) return kind === 'new' && understood.question === message;
    return kind === 'new' || (at === path.length - 1 && (kind === 'refine' || kind === 'about' || kind === 'none'));
  });
  return found?.understood;
}

/** Names of schemas in a prompt, of all databases together; and the least for each. They say which database is meant. */
const NAMES_TOKENS = 800;
const LEAST_NAMES_TOKENS = 150;
/** Characters of a title among them. */
const MAX_TITLE = 100;

async function namesOf(
  databases: MessageToRead['databases'],
  titles: DatabaseTitles = {},
  { signal, tenant }: CallContext,
): Promise<readonly { readonly name: string; readonly names: string }[]> {
  const all = Object.entries(databases);
  if (all.length === 1) return [];
  const maxTokens = Math.max(LEAST_NAMES_TOKENS, Math.floor(NAMES_TOKENS / all.length));
  return Promise.all(
    all.map(async ([name, database]) => {
      const title = titles[name] === undefined ? '' : `${oneLine(titles[name], MAX_TITLE)}\n`;
      try {
        return { name, names: `${title}${schemaNames(await database.catalog({ signal, tenant }), maxTokens)}` };
      } catch (thrown) {
        const error = toAskemaError(thrown);
        if (error.code === 'ABORTED') throw error;
        // The others can be asked.
        return { name, names: `${title}(cannot be read now: ${oneLine(error.code)})` };
      }
    }),
  );
}

/** Keeps each finished model call, so that none is paid twice when the process dies. */
export function keptCalls(open: OpenConversation, base: CallContext): NonNullable<CallContext['memo']> {
  const made = new Map<string, number>();
  return async <T>(...[name, call, options]: Parameters<NonNullable<CallContext['memo']>>): Promise<T> => {
    const key = createHash('sha256')
      .update(options?.key ?? '')
      .digest('hex')
      .slice(0, 16);
    const place = `${base.path}/${name}~${key}`;
    const count = (made.get(place) ?? 0) + 1;
    made.set(place, count);
    const path = `${place}#${count}`;
    const known = open.calls.get(path);
    if (known !== undefined) return decodeValue(known) as T;
    const value = await call({ ...base, path, idempotencyKey: `${base.runId}/${path}`, memo: undefined });
    await open.addCall(path, encodeValue(value));
    return value as T;
  };
}

/** @throws AskemaError `INPUT_INVALID`, as a question that is asked. */
export function checkMessage(message: string): void {
  checkWritten('message', message, MAX_QUESTION_CHARACTERS, ' Put what belongs to it into `documents`.');
}
