import type { Access } from '@askema/core';

/** Options of {@link snowflake}. What is left out is taken from the named connection, if there is one. */
export interface SnowflakeOptions {
  /**
   * The name of a connection in `connections.toml` or `config.toml`, as Snowflake's own tools read them (`$SNOWFLAKE_HOME`, `~/.snowflake`, …).
   * Options win over what stands there.
   */
  readonly connection?: string | undefined;
  /** The account identifier: `organization-account`, or `locator.region`. */
  readonly account?: string | undefined;
  readonly user?: string | undefined;
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  readonly warehouse?: string | undefined;
  /** The role to work as; one that may only read is the best protection (docs/adapters/snowflake.md has the SQL). */
  readonly role?: string | undefined;
  /** The whole URL, for private links and stand-ins. */
  readonly accessUrl?: string | undefined;
  /** Instead of `accessUrl`. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: 'https' | 'http' | undefined;
  /**
   * How to log in, by Snowflake's names; without it what is given decides: a private key is `SNOWFLAKE_JWT`, a token
   * `PROGRAMMATIC_ACCESS_TOKEN`, a password `SNOWFLAKE`.
   */
  readonly authenticator?: string | undefined;
  readonly password?: string | undefined;
  /** A code of the second factor, for one login. */
  readonly passcode?: string | undefined;
  /** PEM text of a key pair. */
  readonly privateKey?: string | undefined;
  readonly privateKeyPath?: string | undefined;
  readonly privateKeyPassphrase?: string | undefined;
  /** An OAuth token (with `authenticator: 'OAUTH'`) or a programmatic access token. */
  readonly token?: string | undefined;
  /** Further options of snowflake-sdk, passed on as they are: proxies, OAuth clients, workload identity. */
  readonly driverOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Stands in the QUERY_TAG of each statement, beside the run. */
  readonly queryTag?: string | undefined;
  /** Statements that run side by side, each in a session of its own. Default: 4; 1 where each login needs a person. */
  readonly poolSize?: number | undefined;
  /** What the adapter may be asked for at most. Default: `read`. */
  readonly access?: Access | undefined;
  /**
   * Functions of your own that reading may call although nobody can see that they only read, as `schema.name`.
   * Default: none.
   */
  readonly allowFunctions?: readonly string[] | undefined;
  /** The longest that one login may take. Default: 30,000. */
  readonly loginTimeoutMs?: number | undefined;
  /** What `introspect` reads. Default: `database`, or the default database of the user. */
  readonly databases?: readonly string[] | undefined;
  /** In each of them. Default: `schema`, or all but INFORMATION_SCHEMA. */
  readonly schemas?: readonly string[] | undefined;
  /** Whether fields of VARIANT, OBJECT and ARRAY columns are looked for in some rows, which needs a warehouse. Default: `sample`. */
  readonly nestedFields?: 'sample' | 'off' | undefined;
  /** All of `introspect`. Default: 120,000. */
  readonly introspectTimeoutMs?: number | undefined;
  /** The first wait before a request that failed is sent again; it doubles. Default: 500. */
  readonly retryDelayMs?: number | undefined;
}
