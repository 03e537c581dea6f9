import { indexSchema, qualifiedName } from '@askema/core';
import { printable } from '../../../terminal/printable.ts';
import { count } from '../../ask/print-outcome.ts';
import { type ChatSession, MOST_SHOWN } from '../session/chat-session.ts';
import type { ChatDatabase } from '../session/open-databases.ts';

/** `/schema [WORD]`, of the database of `/use`, else of all. No statement runs. */
export async function showSchema(word: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const { databases, chosen } = chat;
  const { all } = databases;
  for (const database of chosen === undefined ? all : [databases.named(chosen)]) {
    if (all.length > 1) await chat.context.err.write(`${chat.context.err.bold(database.name)}\n`);
    await showRelations(database, word, chat, signal);
  }
}

/** Those whose names, or names of columns, hold the word; on a terminal the first of them. */
async function showRelations(
  { store, dialect, name }: ChatDatabase,
  word: string,
  { context: { out, err } }: ChatSession,
  signal: AbortSignal,
): Promise<void> {
  const catalog = await store.catalog({ signal });
  const index = indexSchema(catalog);
  const sought = word.toLowerCase();
  const found = catalog.schema.relations
    .map((relation) => ({ ...relation, columns: index.attributesOf(relation.id) }))
    .filter((relation) => [relation, ...relation.columns].some((one) => one.name.toLowerCase().includes(sought)));
  const shown = out.isTerminal ? found.slice(0, MOST_SHOWN) : found;
  for (const { id, name: written, columns } of shown) {
    const { nameParts, kind } = catalog.relations[id] ?? {};
    const called = nameParts === undefined ? written : qualifiedName(nameParts, dialect);
    const place = kind === undefined || kind === 'table' ? '' : ` (${kind})`;
    const typed = columns.map((one) => `  ${one.name} ${catalog.attributes[one.id]?.nativeType ?? ''}`.trimEnd());
    await out.write(`${[`${called}${place}`, ...typed].map(printable).join('\n')}\n`);
  }
  if (shown.length < found.length)
    await err.write(`${err.dim(`${shown.length} of ${count(found.length, 'relation')}. /schema WORD finds one.`)}\n`);
  if (found.length > 0) return;
  const what =
    word === '' ? `${name} has no relation.` : `No relation or column of ${name} holds "${word}" in its name.`;
  await err.write(`${err.dim(printable(what))}\n`);
}
