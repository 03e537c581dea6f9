import type {
  Access,
  Adapter,
  AdapterSpec,
  EmbeddingModel,
  LanguageModel,
  OpenAddress,
  Severity,
  Solver,
  TokenPrices,
} from '@askema/core';
import type { InspectionRule, RestrictOptions } from '@askema/lint';
import type { Text2SqlFlow } from '@askema/text2sql';
import type { ServerConfig } from './server-config.ts';
import type { TracingConfig } from './tracing-config.ts';

/** What the command asks a database of the configuration for. */
export interface DatabaseRequest {
  /** `write` when `--write` was given. */
  readonly access: Access;
  /** What `--allow-function` names. */
  readonly allowFunctions?: readonly string[] | undefined;
}

type MaybePromise<T> = T | Promise<T>;

/**
 * A database by name: a path (relative to the configuration) or an address such as `postgres://host/database`, an
 * adapter, or a function that opens one. A function is called only when its database is asked, so nothing connects
 * before.
 */
export type DatabaseEntry =
  | string
  | AdapterSpec
  | Adapter
  | ((request: DatabaseRequest) => MaybePromise<AdapterSpec | Adapter>);

/** A model by name: another name (`openai:gpt-…`), a model or solver, or a function that makes one. */
export type ModelEntry = string | LanguageModel | Solver | (() => MaybePromise<LanguageModel | Solver>);

/** An embedding model by name: another name (`openai:text-embedding-…`), a model, or a function that makes one. */
export type EmbeddingsEntry = string | EmbeddingModel | (() => MaybePromise<EmbeddingModel>);

/** A flow by name, or a function that builds one. */
export type FlowEntry = Text2SqlFlow | (() => MaybePromise<Text2SqlFlow>);

/** How statements are looked at before they run: by `askema lint` and by the flow `inspect`. */
export interface LintConfig {
  /** Rules of one's own beside the built-in ones; their codes begin with `custom/`. */
  readonly rules?: readonly InspectionRule[] | undefined;
  /** By code; `off` silences a rule. `--severity` of the command line wins. */
  readonly severities?: Readonly<Record<string, Severity | 'off'>> | undefined;
}

/** What `askema ask` keeps on disk of the databases that it has read. */
interface CatalogsConfig {
  /** False: nothing. Default: true. */
  readonly keep?: boolean | undefined;
  /** Relative to the configuration. Default: `askema/catalogs` in the user's cache folder. */
  readonly folder?: string | undefined;
  /** What is older is read anew. Default: 24 hours. */
  readonly maxAgeMs?: number | undefined;
}

/**
 * What `askema.config.ts` exports by default: names for databases, models and flows, and which ones are meant when none
 * is named.
 */
export interface AskemaConfig {
  readonly databases?: Readonly<Record<string, DatabaseEntry>> | undefined;
  /**
   * What opens addresses of further schemes, by the scheme in lower case: `{ trino: openAddress }` makes
   * `trino://host/catalog` an address, here and on the command line.
   */
  readonly schemes?: Readonly<Record<string, OpenAddress>> | undefined;
  /**
   * What is kept back of a database, by its name in `databases` or `server.tenants`:
   * `{ shop: { hide: ['hr.*', 'users.ssn'], mask: ['*.email'] } }`. Options of the command line are added to it.
   */
  readonly restrict?: Readonly<Record<string, RestrictOptions>> | undefined;
  readonly models?: Readonly<Record<string, ModelEntry>> | undefined;
  /**
   * For `--embeddings`. An index of `askema index` is looked up with the one that made its vectors: by provider, model
   * and length.
   */
  readonly embeddings?: Readonly<Record<string, EmbeddingsEntry>> | undefined;
  readonly flows?: Readonly<Record<string, FlowEntry>> | undefined;
  readonly lint?: LintConfig | undefined;
  readonly catalogs?: CatalogsConfig | undefined;
  /** Where `askema knowledge` keeps what the business means. */
  readonly knowledge?:
    | {
        /** Relative to the configuration. Default: `knowledge` in the working folder. */
        readonly folder?: string | undefined;
      }
    | undefined;
  /**
   * US dollars per million tokens, by `provider:model` or by the model alone: what `askema eval run` and `askema
   * serve` count costs and budgets with.
   */
  readonly prices?: TokenPrices | undefined;
  /**
   * Spans and metrics of what commands ask databases and models: `{ ...tracing(), close: () => provider.shutdown() }`, with
   * `tracing` of @askema/otel. Default: none.
   */
  readonly tracing?: TracingConfig | undefined;
  /** Of `askema serve`. */
  readonly server?: ServerConfig | undefined;
  readonly defaults?:
    | {
        /** A name of `databases`, or an address. */
        readonly database?: string | undefined;
        /** A name of `models`, or `provider:model`. */
        readonly model?: string | undefined;
        /** A name of `flows`, or of one that comes along. Default: `auto` where a language model reads, else `plain`. */
        readonly flow?: string | undefined;
        /** Tokens of the schema in a prompt, see `--max-schema-tokens`. */
        readonly maxSchemaTokens?: number | undefined;
      }
    | undefined;
}

/** The configuration as it is; only there so that an editor knows its type. */
export function defineConfig(config: AskemaConfig): AskemaConfig {
  return config;
}
