import type {
  Authenticator,
  Caller,
  CallerLimits,
  FileAuditOptions,
  HashedKey,
  JwtAuthOptions,
  ServedMcp,
} from '@askema/server';

/** What callers of a role may do and see. */
export interface ServedRole extends Pick<Caller, 'hide' | 'mask' | 'limits'> {
  /** Beside those that the caller has. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * The role of the database in which their statements run. Default: of the same name. False: none, for databases that
   * know no roles; then only the rest of this holds.
   */
  readonly database?: string | false | undefined;
}

/** Who may ask. Both may be given: a token that is no key is read as a JWT. */
export interface ServedAuth {
  readonly keys?: readonly HashedKey[] | undefined;
  readonly jwt?: JwtAuthOptions | undefined;
}

export interface ServedKeep {
  /** Questions with their results, conversations, idempotency keys, since they were written to last. */
  readonly runs?: string | undefined;
  /** Whole months of the audit. */
  readonly audit?: string | undefined;
}

/** How `askema serve` serves. Paths are relative to the configuration. */
export interface ServerConfig {
  /** Default: everybody on this machine, and nobody else. */
  readonly auth?: ServedAuth | Authenticator | undefined;
  /** By the role of a caller. Once there is one here, callers of other roles are refused. */
  readonly roles?: Readonly<Record<string, ServedRole>> | undefined;
  /**
   * Databases that are a file for each tenant: `{ shop: 'data/{tenant}.sqlite' }`. Callers without a tenant cannot ask
   * them.
   */
  readonly tenants?: Readonly<Record<string, string>> | undefined;
  /** For callers without limits of their own. */
  readonly limits?: CallerLimits | undefined;
  /** Names by which the server may be addressed. Default: those of loopback. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins whose pages may ask: `https://app.example.com`. */
  readonly origins?: readonly string[] | undefined;
  /** The endpoint for agents. Default of `authorizationServers`: the issuer of `auth.jwt`. */
  readonly mcp?: Omit<ServedMcp, 'within'> | undefined;
  /**
   * Designs schemas, with the model that answers questions: `POST /v1/designs`, and `design_schema` for agents. Default of
   * `dialect`, that of the DDL: the one of the first database.
   */
  readonly design?: boolean | { readonly dialect?: string | undefined } | undefined;
  /** A folder with runs of `askema eval run --out`, for `GET /v1/evaluations`. Default: none. */
  readonly evaluations?: string | undefined;
  /** False: none. Default file: `audit.jsonl` in the state folder of the user. */
  readonly audit?:
    | false
    | (Omit<FileAuditOptions, 'file' | 'runtime'> & { readonly file?: string | undefined })
    | undefined;
  /**
   * How long what was done is kept: `30d`, `12h`, `2w`; at least an hour. Default: for ever. With `audit`, the log has a
   * file for each month.
   */
  readonly keep?: ServedKeep | undefined;
  /**
   * A folder for the runs, which hold rows. False: only the last ones, in memory. Default: in the state folder. Runs
   * that were accepted outlive the server; with `fsync`, also a power failure.
   */
  readonly journal?: string | false | ServedJournal | undefined;
}

/** Where runs are kept, and how safely. */
export interface ServedJournal {
  /** Default: in the state folder. */
  readonly folder?: string | undefined;
  /** Waits until the disk has each entry, so that none is lost in a power failure. Default: false. */
  readonly fsync?: boolean | undefined;
}
