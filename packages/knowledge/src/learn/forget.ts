import { AskemaError, type Outcome } from '@askema/core';
import { removeFile } from '../folder/replace-file.ts';
import { entryId, type VerifiedQuery } from '../model/knowledge.ts';
import { sameName } from '../model/same-name.ts';
import type { Metric } from '../model/semantic-model.ts';
import { fillWithDefaults, holedQuery } from '../verified/match-question.ts';
import { plainKey } from '../verified/plain-question.ts';
import { checkedOutcome } from './checked-outcome.ts';
import { changeOwn, openOwn, voucherOf } from './own-proposals.ts';

export interface ForgetOptions {
  /** Who says that the answer is wrong. */
  readonly by: string;
}

/** What became of an answer that its user calls wrong. */
export interface Forgotten {
  /** Own proposals that are gone, by their ids. */
  readonly removed: readonly string[];
  /** Accepted definitions that the answer stood on: they stay, and who stands by them can change them. */
  readonly standsOn: readonly { readonly id: string; readonly file: string; readonly by?: string | undefined }[];
}

/**
 * Removes what a person proposed for the question of an answer that turned out to be wrong. What is accepted and what
 * others propose stays as it is.
 *
 * @throws AskemaError `INPUT_INVALID` for what is no name and for an empty question; `KNOWLEDGE_INVALID` for a folder
 *   that cannot be read or written.
 */
export async function forget(path: string, outcome: Outcome, { by }: ForgetOptions): Promise<Forgotten> {
  const { question } = checkedOutcome(outcome);
  if (question.trim() === '')
    throw new AskemaError('INPUT_INVALID', 'The run has no question, so nothing is forgotten.');
  const { ownQueries, accepted } = await openOwn(path, by);
  const own = ownQueries.filter((query) => asksIt(query, question));
  // Who proposed nothing gets no folder.
  if (own.length > 0)
    await changeOwn(path, by, async (now) => {
      for (const query of now.ownQueries)
        if (asksIt(query, question)) await removeFile(now.folder, query.standing.place.file);
    });
  const metrics = accepted.models.flatMap((model) => model.metrics);
  const standsOn = (outcome.type === 'answered' ? outcome.basedOn : []).flatMap((basis) => {
    const entry: VerifiedQuery | Metric | undefined =
      basis.kind === 'verifiedQuery'
        ? accepted.verifiedQueries.find(({ id }) => id === basis.name)
        : basis.kind === 'metric'
          ? metrics.find(({ name }) => sameName(name, basis.name))
          : undefined;
    if (entry === undefined) return [];
    const id = 'sql' in entry ? entryId('query', entry.id) : entryId('metric', entry.name);
    return [{ id, file: entry.standing.place.file, by: voucherOf(entry) }];
  });
  return { removed: own.map(({ id }) => entryId('query', id)), standsOn };
}

function asksIt(query: VerifiedQuery, question: string): boolean {
  if (plainKey(query.question) === plainKey(question)) return true;
  const holed = holedQuery(query);
  return holed !== undefined && fillWithDefaults(holed, question) !== undefined;
}
