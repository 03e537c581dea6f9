import { mapLists } from '../model/entries.ts';
import { type EntryKind, entryId, type Knowledge, type KnowledgeProblem } from '../model/knowledge.ts';
import { listEntries } from '../model/list-entries.ts';
import { isProposal, type Standing } from '../model/standing.ts';

interface Named {
  readonly name: string;
  readonly standing: Standing;
}

/**
 * Knowledge as it would be if all that is proposed were accepted, so that proposals can be checked. One that proposes a
 * name anew that is accepted already is left out and noted: both at once would contradict each other. So is a person's
 * proposal of a name that is proposed to everybody.
 */
export function asOneWorld(knowledge: Knowledge): {
  readonly knowledge: Knowledge;
  readonly notes: readonly KnowledgeProblem[];
} {
  const notes: KnowledgeProblem[] = [];
  const accepted = new Set(
    listEntries(knowledge).flatMap(({ id, standing }) => (isProposal(standing) ? [] : [id.toLowerCase()])),
  );
  const shared = new Set(
    listEntries(knowledge).flatMap(({ id, standing }) => (standing.by === undefined ? [id.toLowerCase()] : [])),
  );
  const isKept = (kind: EntryKind, { name, standing }: Named): boolean => {
    const entry = entryId(kind, name);
    const key = entry.toLowerCase();
    if (!isProposal(standing)) return true;
    const isAccepted = accepted.has(key);
    if (!isAccepted && (standing.by === undefined || !shared.has(key))) return true;
    const other = isAccepted ? 'an accepted one' : 'another proposal of it';
    notes.push({
      severity: 'note',
      code: 'proposed-again',
      entry,
      place: standing.place,
      message: `\`${entry}\` is proposed, and there is ${other}: the proposal was not checked.`,
      advice: 'Compare the two, and keep one.',
    });
    return false;
  };
  const models = knowledge.models.map((model) =>
    mapLists(model, (parts, kind) => parts.filter((part) => isKept(kind, part))),
  );
  return { knowledge: { ...knowledge, models }, notes };
}

/** The same without what is only proposed: a proposal must not decide whether something accepted holds. */
export function withoutProposals(knowledge: Knowledge): Knowledge {
  const isAccepted = ({ standing }: { readonly standing: Standing }): boolean => !isProposal(standing);
  return {
    ...knowledge,
    verifiedQueries: knowledge.verifiedQueries.filter(isAccepted),
    texts: knowledge.texts.filter(isAccepted),
    models: knowledge.models.filter(isAccepted).map((model) => mapLists(model, (parts) => parts.filter(isAccepted))),
  };
}

/** The same without what single persons propose; with `by`, with what that one proposes. */
export function ofPerson(knowledge: Knowledge, by: string | undefined): Knowledge {
  const isSeen = ({ standing }: { readonly standing: Standing }): boolean =>
    standing.by === undefined || standing.by === by;
  return {
    ...knowledge,
    verifiedQueries: knowledge.verifiedQueries.filter(isSeen),
    texts: knowledge.texts.filter(isSeen),
    models: knowledge.models.filter(isSeen),
  };
}
