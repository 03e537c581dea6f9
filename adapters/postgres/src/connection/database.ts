import { createServerDatabase, type ServerDatabase } from '@askema/adapter-kit';
import { postgresDialect } from '@askema/dialects';
import { complaintOf } from '../errors/statement-failure.ts';
import { type SuspectWatch, watchSuspects } from '../functions/suspect-watch.ts';
import type { ResolvedOptions } from '../options.ts';
import { readNames } from './read-names.ts';
import { Session } from './session.ts';

/** What the catalog says of a type with its modifier: name, and for an array its elements and what stands between them. */
export type TypeRow = readonly [name: string, element: string | null, delimiter: string | null];

/** The types of the engine that were looked up, by type and modifier. */
export type KnownTypes = Map<string, TypeRow>;

/** A column of a relation. */
export interface Origin {
  readonly relation: string;
  readonly attribute: string;
}

/** Where columns of results come from, by relation and number, as it was found while nothing on the server changed. */
class KnownOrigins {
  #snapshot: string | undefined;
  #origins = new Map<string, Origin>();

  /** @param snapshot of the transaction that asks: a name is as it was when a transaction with the same one looked. */
  at(snapshot: string | undefined): Map<string, Origin> {
    if (snapshot === undefined || snapshot !== this.#snapshot || this.#origins.size > MAX_ORIGINS) {
      this.#snapshot = snapshot;
      this.#origins = new Map();
    }
    return this.#origins;
  }
}

const MAX_ORIGINS = 10_000;

/** What all parts of one adapter work on. A scoped adapter has another `role` and `searchPath`, and the rest in common. */
export interface Database extends ServerDatabase<Session, ResolvedOptions> {
  /** Names depend on the search path, so a scoped adapter has its own. */
  readonly knownTypes: KnownTypes;
  readonly knownOrigins: KnownOrigins;
  /** What may not be called where only reading is allowed. */
  readonly watch: SuspectWatch;
  /** Set for the transaction of each call. */
  readonly role?: string | undefined;
  readonly searchPath?: readonly string[] | undefined;
}

export function createDatabase(options: ResolvedOptions): Database {
  const { connect } = Session;
  return {
    ...createServerDatabase(options, { dialect: postgresDialect, connect, complaintOf, readNames }),
    knownTypes: new Map(),
    knownOrigins: new KnownOrigins(),
    searchPath: options.searchPath,
    watch: watchSuspects(options.allowFunctions),
  };
}
