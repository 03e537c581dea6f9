import { userInfo } from 'node:os';
import { AskemaError, didYouMean, didYouMeanOneOf } from '@askema/core';
import type { ListedEntry } from '@askema/knowledge';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { canConfirm, createConfirmer } from '../../terminal/confirm.ts';
import { printable } from '../../terminal/printable.ts';
import { shellWord } from '../../terminal/shell-word.ts';
import { differenceLines } from './difference-lines.ts';
import { findFolder, type KnowledgeFlags, loadFolder, proposalsOf } from './knowledge-folder.ts';
import { counted } from './tell-losses.ts';

export interface AcceptFlags extends KnowledgeFlags {
  readonly all?: boolean | undefined;
  readonly by?: string | undefined;
  /** Whose proposals; empty for those that everybody sees. */
  readonly of?: string | undefined;
  readonly yes?: boolean | undefined;
}

/** `askema knowledge accept`; returns the exit code. */
export async function acceptKnowledge(
  ids: readonly string[],
  flags: AcceptFlags,
  context: CommandContext,
): Promise<number> {
  const { out, err } = context;
  if ((ids.length === 0) === (flags.all !== true))
    throw new AskemaError('INPUT_INVALID', 'Name entries, such as metric:revenue, or say --all.');
  const { folder } = await findFolder(flags, context);
  const knowledge = await loadFolder(folder, proposalsOf(flags.of));
  const { acceptEntry, listEntries } = await import('@askema/knowledge');
  const all = listEntries(knowledge).filter(({ standing }) => standing.place.file.startsWith('proposals/'));
  // Who says only --all has not seen what single persons propose.
  const whose = flags.of ?? (flags.all === true ? '' : undefined);
  const proposals = all.filter(({ standing }) => whose === undefined || (standing.by ?? '') === whose);
  const failed = proposals.filter(({ standing }) => standing.state === 'failed');
  const chosen = flags.all === true ? wholeOf(proposals) : ids.map((id) => entryOf(id, proposals, flags.of));
  if (flags.all === true && flags.of === undefined) await tellOthers(all, context);
  if (failed.length > 0 && flags.all === true)
    await err.write(`${counted(failed.length, 'proposal')} failed the check and stay: ${namesOf(failed)}\n`);
  if (chosen.length === 0) {
    await err.write('Nothing is proposed that could be accepted.\n');
    return EXIT.ok;
  }
  if (flags.yes !== true) {
    const accepted = listEntries(knowledge).filter(({ standing }) => !standing.place.file.startsWith('proposals/'));
    const shown = chosen.flatMap((entry) => partsIn(entry, proposals));
    await tellOfPersons(shown, accepted, context);
    if (!(await isMeant(chosen, context))) return EXIT.failed;
  }
  const by = flags.by ?? userInfo().username;
  let count = 0;
  for (const entry of chosen) {
    const file = await acceptEntry(folder, entry.id, by, undefined, entry.standing.by ?? '', entry.entry);
    const moved = movedWith(entry, proposals);
    count += moved.length;
    await out.write(moved.map((each) => `${printable(each)} ${printable(file)}${ofPerson(entry)}\n`).join(''));
  }
  await err.write(`${counted(count, 'entry', 'entries')} accepted by ${printable(by)}.\n`);
  return EXIT.ok;
}

/** All that may be accepted: models as wholes where nothing in them failed, else their parts, datasets first. */
function wholeOf(proposals: readonly ListedEntry[]): readonly ListedEntry[] {
  const failed = proposals.filter(({ standing }) => standing.state === 'failed');
  const ofFailed = new Set(failed.map(({ standing }) => standing.place.file));
  return proposals.filter(({ kind, standing }) => {
    if (standing.state === 'failed' || kind === 'field') return false;
    const isOfModel = ['dataset', 'relationship', 'metric', 'filter'].includes(kind);
    if (kind === 'model') return !ofFailed.has(standing.place.file);
    return !isOfModel || ofFailed.has(standing.place.file);
  });
}

/** The entry, and of a model all that stands in it. */
function movedWith(entry: ListedEntry, proposals: readonly ListedEntry[]): readonly string[] {
  return partsIn(entry, proposals).flatMap(({ id, kind }) => (kind === 'field' ? [] : [id]));
}

function partsIn(entry: ListedEntry, proposals: readonly ListedEntry[]): readonly ListedEntry[] {
  const { file } = entry.standing.place;
  return entry.kind === 'model' ? proposals.filter(({ standing }) => standing.place.file === file) : [entry];
}

/** What single persons propose, whole: an id is made of a question, and says nothing of the SQL. */
async function tellOfPersons(
  chosen: readonly ListedEntry[],
  accepted: readonly ListedEntry[],
  { err }: CommandContext,
): Promise<void> {
  const { diffEntries } = await import('@askema/knowledge');
  for (const entry of chosen) {
    const { by } = entry.standing;
    if (by === undefined) continue;
    const found = diffEntries(accepted, [entry]).filter(({ kind }) => kind !== 'removed');
    await err.write(found.map((one) => differenceLines({ ...one, by })).join(''));
  }
}

/** `acceptEntry` says what is wrong where one person proposes an id twice. */
function entryOf(given: string, proposals: readonly ListedEntry[], of: string | undefined): ListedEntry {
  const found = proposals.filter(({ id }) => id.toLowerCase() === given.toLowerCase());
  const [first] = found;
  const persons = [...new Set(found.map(({ standing }) => standing.by ?? ''))];
  if (persons.length > 1)
    throw new AskemaError(
      'INPUT_INVALID',
      `Several persons propose \`${given}\`. Say whose is meant: ${persons.map((name) => `--of ${shellWord(name)}`).join(', ')}${persons.includes('') ? ' (the one that everybody sees)' : ''}.`,
    );
  if (first !== undefined) return first;
  const ids = proposals.map(({ id }) => id);
  const ofName = ids.filter((id) => id.slice(id.indexOf(':') + 1).toLowerCase() === given.toLowerCase());
  const hint =
    (ofName.length > 0 ? didYouMeanOneOf(ofName) : didYouMean(given, ids)) ||
    '`askema knowledge list --state proposed` names what is.';
  const by = of === undefined ? '' : ` by ${of || 'everybody'}`;
  throw new AskemaError('INPUT_INVALID', `\`${given}\` is not proposed${by}. ${hint}`);
}

async function isMeant(chosen: readonly ListedEntry[], { host, signal }: CommandContext): Promise<boolean> {
  if (!canConfirm(host))
    throw new AskemaError('INPUT_INVALID', 'Nobody can be asked here; --yes accepts without asking.');
  const confirmer = createConfirmer(host);
  try {
    const list =
      chosen.length <= 5
        ? chosen.map((entry) => `${printable(entry.id)}${ofPerson(entry)}`).join(', ')
        : counted(chosen.length, 'entry', 'entries');
    return await confirmer.ask(`Accept ${list}?`, signal);
  } finally {
    confirmer.close();
  }
}

function ofPerson({ standing: { by } }: ListedEntry): string {
  return by === undefined ? '' : ` (proposed by ${printable(by)})`;
}

async function tellOthers(all: readonly ListedEntry[], { err }: CommandContext): Promise<void> {
  const persons = [...new Set(all.flatMap(({ standing }) => standing.by ?? []))];
  if (persons.length === 0) return;
  const names = persons.slice(0, 5).map((name) => `--of ${shellWord(name)}`);
  await err.write(
    `What single persons propose stays; look at it, and accept it with ${printable(names.join(', '))}${persons.length > names.length ? ', …' : ''}.\n`,
  );
}

function namesOf(entries: readonly ListedEntry[]): string {
  const names = entries.slice(0, 5).map(({ id }) => printable(id));
  return `${names.join(', ')}${entries.length > names.length ? ', …' : ''}`;
}
