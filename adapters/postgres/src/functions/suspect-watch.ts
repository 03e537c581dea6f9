import type { AnswerRow, AskServer } from './ask-server.ts';

import { FINGERPRINT, SNAPSHOT } from './function-queries.ts';
import { readSuspects } from './read-suspects.ts';
import type { Suspects } from './suspects.ts';

/** New columns of tables do not change the fingerprint. */
const FRESH_MS = 10_000;

/** Keeps what is known of the functions of a server up to date. */
export interface SuspectWatch {
  /** Expressions that the beginning of a transaction selects, so that {@link SuspectWatch.read} needs no round trip. */
  readonly columns: () => readonly string[];
  /** Within that transaction; `cells` are the values of the columns. */
  read(session: AskServer, cells: AnswerRow): Promise<Suspects>;
}

/**
 * While no transaction of the server was committed, nothing can have changed: that is asked with each transaction. After
 * one was, the definitions are compared by a fingerprint, and read again where they are others, or after ten seconds. Only a
 * snapshot at which they were read counts as unchanged.
 *
 * @param allowed functions that may be called whatever they do, as `schema.name`.
 */
export function watchSuspects(allowed: readonly string[]): SuspectWatch {
  const names = new Set(allowed);
  let known:
    | { readonly snapshot: string; readonly fingerprint: string; readonly suspects: Suspects; readonly at: number }
    | undefined;
  // Where others write, the fingerprint is asked for at once.
  let isQuiet = true;
  return {
    columns: () => [SNAPSHOT, known !== undefined && isQuiet ? 'NULL' : FINGERPRINT],
    async read(session, [snapshot, early]) {
      isQuiet = known === undefined || known.snapshot === snapshot;
      if (known !== undefined && isQuiet) return known.suspects;
      const fingerprint = early ?? (await session.simple(`SELECT ${FINGERPRINT}`))[0]?.[0] ?? '';
      if (known === undefined || known.fingerprint !== fingerprint || performance.now() - known.at > FRESH_MS)
        known = {
          snapshot: snapshot ?? '',
          fingerprint,
          suspects: await readSuspects(session, names),
          at: performance.now(),
        };
      return known.suspects;
    },
  };
}
