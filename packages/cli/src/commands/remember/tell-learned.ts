import { relative } from 'node:path';
import type { Outcome } from '@askema/core';
import type { Corrected, Forgotten, Remembered } from '@askema/knowledge';
import { escapeJson } from '../../format/format-json.ts';
import type { HistoryEntry } from '../../history/history-store.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import { shellWord } from '../../terminal/shell-word.ts';

/** What a run taught, and to whom. */
export interface Told {
  readonly entry: HistoryEntry;
  readonly outcome: Outcome;
  /** Absolute. */
  readonly folder: string;
  readonly by: string;
  readonly isJson: boolean;
}

type Fields = readonly (readonly [string, string | undefined])[];

/** What became of an answer that is right. */
export async function tellRemembered(kept: Remembered, told: Told, context: CommandContext): Promise<void> {
  const { kind, id, file, question, sql, before, contradicts } = kept;
  const next = kind === 'accepted' ? undefined : acceptCommand(id, told, context);
  if (told.isJson) return writeJson({ ...kept, next }, told, context);
  await writeFields(
    [
      ['question', question],
      ['sql', sql],
      [kind === 'accepted' ? 'accepted' : 'proposed', id],
      ['file', file],
    ],
    context,
  );
  const { err } = context;
  if (kind === 'accepted')
    await note('An accepted query answers that already, with the same SQL. Nothing is proposed.', err);
  if (kind === 'known') await note('You have confirmed that before.', err);
  if (before !== undefined) await note(`It replaces what you confirmed before: ${before}`, err);
  if (contradicts !== undefined)
    await note(
      `The accepted ${contradicts.id}${byWhom(contradicts.by)} answers that question with other SQL: ${contradicts.sql}`,
      err,
    );
  await tellNext(next, err);
}

/** What became of an answer that is wrong. */
export async function tellForgotten(forgotten: Forgotten, told: Told, context: CommandContext): Promise<void> {
  if (told.isJson) return writeJson({ kind: 'forgotten', ...forgotten }, told, context);
  const { err } = context;
  await writeFields(
    [['question', told.outcome.question], ...forgotten.removed.map((id) => ['removed', id] as const)],
    context,
  );
  if (forgotten.removed.length === 0) await note('You have proposed nothing for that question.', err);
  for (const { id, file, by } of forgotten.standsOn)
    await note(`The answer stands on the accepted ${id}${byWhom(by)}, in ${file}. It stays as it is.`, err);
  await err.write(`${err.dim('Say what would be right: askema remember --correct "…"')}\n`);
}

/** What a correction proposes. */
export async function tellCorrected(corrected: Corrected, told: Told, context: CommandContext): Promise<void> {
  const { kind, id, file, text, appliesTo, changes, reasons } = corrected;
  const next = acceptCommand(id, told, context);
  if (told.isJson) return writeJson({ ...corrected, next }, told, context);
  const { err } = context;
  await writeFields(
    [
      ['question', told.outcome.question],
      ['sql', told.outcome.sql],
      ['proposed', id],
      [kind === 'metric' ? 'formula' : 'rule', text],
      ['about', appliesTo.join(', ')],
      ['file', file],
    ],
    context,
  );
  for (const reason of reasons)
    await note(`What the model made of it is no metric, so your words are kept as a rule: ${reason}`, err);
  const stands = kind === 'rule' && told.outcome.type === 'answered' ? told.outcome.basedOn : [];
  for (const { kind: of, name } of stands)
    if (of === 'metric')
      await note(
        `How metric:${name} is computed, no rule changes: if you mean that, have its definition changed.`,
        err,
      );
  if (kind === 'known') await note('You have said that before.', err);
  if (changes !== undefined)
    await note(`It would change the accepted ${changes.id}${byWhom(changes.by)}, which is ${changes.text}`, err);
  const diff = `askema knowledge diff --run ${shellWord(told.entry.database)} --of ${shellWord(told.by)}${folderFlag(told, context)}`;
  if (kind === 'metric') await err.write(`What it changes: ${err.bold(printable(diff))}\n`);
  await tellNext(next, err);
}

function acceptCommand(id: string, told: Told, context: CommandContext): string {
  return `askema knowledge accept ${shellWord(id)} --of ${shellWord(told.by)}${folderFlag(told, context)}`;
}

/** Left out where commands find the folder without it. */
function folderFlag({ folder }: Told, { host }: CommandContext): string {
  const path = relative(host.cwd, folder);
  return path === 'knowledge' ? '' : ` --folder ${shellWord(path === '' ? '.' : path)}`;
}

function byWhom(by: string | undefined): string {
  return by === undefined ? '' : ` (${by} stands by it)`;
}

async function writeFields(fields: Fields, { out }: CommandContext): Promise<void> {
  for (const [name, value] of fields)
    if (value !== undefined && value !== '') await out.write(`${name.padEnd(10)}${printableLines(value)}\n`);
}

async function note(text: string, err: CommandContext['err']): Promise<void> {
  await err.write(`${err.yellow('note:')} ${printable(text)}\n`);
}

async function tellNext(next: string | undefined, err: CommandContext['err']): Promise<void> {
  if (next !== undefined) await err.write(`Nothing uses it before somebody accepts it: ${err.bold(printable(next))}\n`);
}

async function writeJson(document: object, { entry, folder, by }: Told, { out }: CommandContext): Promise<void> {
  const whole = { schemaVersion: 1, run: entry.id, folder, by, ...document };
  await out.write(`${escapeJson(JSON.stringify(whole, undefined, 2))}\n`);
}
