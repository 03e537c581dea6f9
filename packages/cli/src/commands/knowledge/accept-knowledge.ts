import { userInfo } from 'node:os';
import { AskemaError, didYouMean, didYouMeanOneOf } from '@askema/core';
import type { ListedEntry } from '@askema/knowledge';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { canConfirm, createConfirmer } from '../../terminal/confirm.ts';
import { printable } from '../../terminal/printable.ts';
import { findFolder, type KnowledgeFlags, loadFolder } from './knowledge-folder.ts';
import { counted } from './tell-losses.ts';

export interface AcceptFlags extends KnowledgeFlags {
  readonly all?: boolean | undefined;
  readonly by?: string | undefined;
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
  const knowledge = await loadFolder(folder);
  const { acceptEntry, listEntries } = await import('@askema/knowledge');
  const proposals = listEntries(knowledge).filter(({ standing }) => standing.place.file.startsWith('proposals/'));
  const failed = proposals.filter(({ standing }) => standing.state === 'failed');
  const chosen = flags.all === true ? wholeOf(proposals) : ids.map((id) => idOf(id, proposals));
  if (failed.length > 0 && flags.all === true)
    await err.write(`${counted(failed.length, 'proposal')} failed the check and stay: ${namesOf(failed)}\n`);
  if (chosen.length === 0) {
    await err.write('Nothing is proposed that could be accepted.\n');
    return EXIT.ok;
  }
  if (flags.yes !== true && !(await isMeant(chosen, context))) return EXIT.failed;
  const by = flags.by ?? userInfo().username;
  let count = 0;
  for (const id of chosen) {
    const file = await acceptEntry(folder, id, by);
    const moved = movedWith(id, proposals);
    count += moved.length;
    await out.write(moved.map((each) => `${printable(each)} ${printable(file)}\n`).join(''));
  }
  await err.write(`${counted(count, 'entry', 'entries')} accepted by ${printable(by)}.\n`);
  return EXIT.ok;
}

/** All that may be accepted: models as wholes where nothing in them failed, else their parts, datasets first. */
function wholeOf(proposals: readonly ListedEntry[]): readonly string[] {
  const failed = proposals.filter(({ standing }) => standing.state === 'failed');
  const ofFailed = new Set(failed.map(({ standing }) => standing.place.file));
  return proposals.flatMap(({ id, kind, standing }) => {
    if (standing.state === 'failed' || kind === 'field') return [];
    const isOfModel = ['dataset', 'relationship', 'metric', 'filter'].includes(kind);
    if (kind === 'model') return ofFailed.has(standing.place.file) ? [] : [id];
    return isOfModel && !ofFailed.has(standing.place.file) ? [] : [id];
  });
}

/** The entry, and of a model all that stands in it. */
function movedWith(id: string, proposals: readonly ListedEntry[]): readonly string[] {
  const model = proposals.find((one) => one.id === id && one.kind === 'model');
  if (model === undefined) return [id];
  const { file } = model.standing.place;
  return proposals.filter((one) => one.standing.place.file === file && one.kind !== 'field').map((one) => one.id);
}

function idOf(given: string, proposals: readonly ListedEntry[]): string {
  const found = proposals.find(({ id }) => id.toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found.id;
  const ids = proposals.map(({ id }) => id);
  const ofName = ids.filter((id) => id.slice(id.indexOf(':') + 1).toLowerCase() === given.toLowerCase());
  const hint =
    (ofName.length > 0 ? didYouMeanOneOf(ofName) : didYouMean(given, ids)) ||
    '`askema knowledge list --state proposed` names what is.';
  throw new AskemaError('INPUT_INVALID', `\`${given}\` is not proposed. ${hint}`);
}

async function isMeant(chosen: readonly string[], { host, signal }: CommandContext): Promise<boolean> {
  if (!canConfirm(host))
    throw new AskemaError('INPUT_INVALID', 'Nobody can be asked here; --yes accepts without asking.');
  const confirmer = createConfirmer(host);
  try {
    const list = chosen.length <= 5 ? chosen.map(printable).join(', ') : counted(chosen.length, 'entry', 'entries');
    return await confirmer.ask(`Accept ${list}?`, signal);
  } finally {
    confirmer.close();
  }
}

function namesOf(entries: readonly ListedEntry[]): string {
  const names = entries.slice(0, 5).map(({ id }) => printable(id));
  return `${names.join(', ')}${entries.length > names.length ? ', …' : ''}`;
}
