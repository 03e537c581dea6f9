import { isDeepStrictEqual } from 'node:util';
import { AskemaError, type LexerTraits, type Outcome } from '@askema/core';
import { significantTokens } from '@askema/sql';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { markdown, queryMatter } from '../folder/markdown-text.ts';
import { readQuery } from '../folder/read-query.ts';
import { removeFile, replaceFile } from '../folder/replace-file.ts';
import { entryId, type KnowledgeProblem, type VerifiedQuery } from '../model/knowledge.ts';
import { findVerified } from '../verified/find-verified.ts';
import { fillWithDefaults, holedQuery } from '../verified/match-question.ts';
import { plainKey } from '../verified/plain-question.ts';
import { writeParameters } from '../verified/write-parameters.ts';
import { checkedOutcome, metricsOf, runIdOf } from './checked-outcome.ts';
import { confirmedPair, type PairOptions } from './confirmed-pair.ts';
import type { Pair } from './make-holes.ts';
import { changeOwn, checkRoom, freeId, type OwnKnowledge, voucherOf } from './own-proposals.ts';

export interface RememberOptions extends PairOptions {
  /** Who confirmed the answer: a name, of up to 80 bytes. The proposal is theirs alone. */
  readonly by: string;
  /** The knowledge in the database, so that accepted queries in names of the model can be compared. */
  readonly bound?: BoundKnowledge | undefined;
  /** When it was confirmed. Default: now. */
  readonly at?: Date | undefined;
}

/** What became of a confirmed answer. */
export interface Remembered {
  /**
   * `proposed`: it waits to be accepted. `replaced`: so does it, in the place of what the same person confirmed for
   * the question before. `known`: the person confirmed it before. `accepted`: an accepted query answers so already.
   */
  readonly kind: 'proposed' | 'replaced' | 'known' | 'accepted';
  /** `query:net-sales` */
  readonly id: string;
  /** Relative to the folder. */
  readonly file: string;
  readonly question: string;
  readonly sql: string;
  /** The accepted query that answers the question with other SQL, and who stands by it. */
  readonly contradicts?: { readonly id: string; readonly sql: string; readonly by?: string | undefined } | undefined;
  /** Of what was replaced. */
  readonly before?: string | undefined;
}

/**
 * Keeps an answer that its user confirmed as a proposed verified query, below `proposals/by/<by>/sql/`. Nothing uses it
 * before somebody accepts it. Of the run only the question, the statement, its id and the names of metrics are kept: no
 * cell.
 *
 * @param path The folder of knowledge.
 * @throws AskemaError `INPUT_INVALID` where the question alone does not mean the SQL: no answer, a statement that
 *   writes, an answer with `wasTold` or after something was asked back, relative times with the days of today, holes;
 *   `KNOWLEDGE_INVALID` for a folder that cannot be read or written.
 */
export async function remember(path: string, outcome: Outcome, options: RememberOptions): Promise<Remembered> {
  const pair = confirmedPair(checkedOutcome(outcome), options);
  return changeOwn(path, options.by, (own) => keepPair(pair, own, outcome, options));
}

async function keepPair(
  pair: Pair,
  own: OwnKnowledge,
  outcome: Outcome,
  options: RememberOptions,
): Promise<Remembered> {
  const { by, dialect, at = new Date() } = options;
  const asked = options.question ?? outcome.question;
  const keys = new Set([plainKey(pair.question), plainKey(asked)]);
  const before = own.ownQueries.filter(({ question }) => keys.has(plainKey(question)));
  const { question, sql } = pair;
  const isSame = (other: string): boolean => statementKey(other, dialect.lexer) === statementKey(sql, dialect.lexer);
  const accepted = acceptedFor(asked, own, outcome, options);
  const shared = { question, sql };
  if (accepted !== undefined && pair.parameters.length === 0 && accepted.isSame)
    return {
      kind: 'accepted',
      id: entryId('query', accepted.query.id),
      file: accepted.query.standing.place.file,
      ...shared,
    };
  const [known] = before;
  if (known !== undefined && plainKey(known.question) === plainKey(question) && isSame(known.sql))
    return { kind: 'known', id: entryId('query', known.id), file: known.standing.place.file, question, sql };

  checkRoom(own, by);
  const id = known?.id ?? idFor(question, own, accepted?.query);
  const file = `${own.ownFolder}/sql/${id}.md`;
  const stoodOn = new Set(metricsOf(outcome).map(({ name }) => name.toLowerCase()));
  const metrics = own.accepted.models.flatMap((model) => model.metrics.map(({ name }) => name));
  const basedOn = metrics.filter((name) => stoodOn.has(name.toLowerCase()));
  const query: VerifiedQuery = {
    ...pair,
    id,
    dialect: dialect.name,
    names: 'physical',
    tags: [],
    other: {
      created_at: at.toISOString(),
      confirmed_by: by,
      run_id: runIdOf(outcome),
      ...(basedOn.length === 0 ? {} : { based_on: basedOn }),
    },
    standing: { state: 'proposed', source: 'confirmed', place: { file }, by },
  };
  const text = markdown(queryMatter(query), '');
  checkRoundTrip(query, text, asked, outcome, options);
  await replaceFile(own.folder, file, text);
  for (const { standing } of before)
    if (standing.place.file !== file) await removeFile(own.folder, standing.place.file);
  const contradicted = accepted?.isSame === false ? accepted.query : undefined;
  return {
    kind: known === undefined ? 'proposed' : 'replaced',
    id: entryId('query', id),
    file,
    ...shared,
    ...(known !== undefined && { before: known.sql }),
    ...(contradicted !== undefined && {
      contradicts: {
        id: entryId('query', contradicted.id),
        sql: contradicted.sql,
        by: voucherOf(contradicted),
      },
    }),
  };
}

/** Equal for statements that differ in blanks and comments alone. */
function statementKey(sql: string, lexer: LexerTraits): string {
  return significantTokens(sql, lexer)
    .map(({ text }) => text)
    .join(' ');
}

/** The accepted query that answers the question, and whether its statement is the one that was confirmed. */
function acceptedFor(
  question: string,
  { accepted }: OwnKnowledge,
  outcome: Outcome,
  { dialect, bound }: RememberOptions,
): { readonly query: VerifiedQuery; readonly isSame: boolean } | undefined {
  const found = findVerified(question, accepted, bound === undefined ? { dialect } : { bound });
  const query = found.kind === 'same' ? found.query : found.unused?.[0]?.query;
  if (query === undefined) return undefined;
  const answered = outcome.type === 'answered' ? outcome.basedOn : [];
  const isSame =
    answered.some((basis) => basis.kind === 'verifiedQuery' && basis.name === query.id) ||
    (found.kind === 'same' &&
      statementKey(found.sql, dialect.lexer) === statementKey(outcome.sql ?? '', dialect.lexer));
  return { query, isSame };
}

/** That of the accepted query for the same question, which it would replace; else one that is free. */
function idFor(question: string, { accepted, ownQueries }: OwnKnowledge, same: VerifiedQuery | undefined): string {
  if (same !== undefined && plainKey(same.question) === plainKey(question) && /^[\p{L}\p{N}_-]+$/u.test(same.id))
    return same.id;
  return freeId(
    question,
    [...accepted.verifiedQueries, ...ownQueries].map(({ id }) => id),
  );
}

/** What is read of the file has to be what was confirmed, and its holes filled the statement that ran. */
function checkRoundTrip(
  query: VerifiedQuery,
  text: string,
  asked: string,
  { sql = '' }: Outcome,
  { dialect }: RememberOptions,
): void {
  const problems: KnowledgeProblem[] = [];
  const read = readQuery(text, query.standing.place.file, query.id, 'proposed', problems);
  const holed = holedQuery(query);
  const defaults = Object.fromEntries(query.parameters.map((one) => [one.name, one.default ?? '']));
  const filled = holed === undefined ? {} : fillWithDefaults(holed, asked);
  const isSame =
    read !== undefined &&
    read.question === query.question &&
    read.sql === query.sql &&
    isDeepStrictEqual(read.parameters, query.parameters) &&
    isDeepStrictEqual(filled, defaults) &&
    writeParameters(query, defaults, dialect) === sql.trim();
  if (isSame) return;
  throw new AskemaError(
    'INPUT_INVALID',
    query.parameters.length === 0
      ? 'The question and its SQL would be read otherwise than they are written, so they are not remembered. Say the question in plain words with `question` (--question).'
      : 'The question can be taken apart in several ways with these parameters, or the SQL has a hole of that name already. Leave a parameter out, or name it otherwise.',
  );
}
