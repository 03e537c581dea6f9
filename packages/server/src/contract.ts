import type {
  Adapter,
  AdapterSpec,
  Dialect,
  JobContext,
  Journal,
  JsonValue,
  Outcome,
  Runner,
  Runtime,
  TokenPrices,
} from '@askema/core';
import type { Text2SchemaOptions } from '@askema/text2schema';
import type { Text2SqlOptions } from '@askema/text2sql';

/**
 * What a caller may do. `ask`: questions, conversations, charts. `sql`: statements of their own, which only read.
 * `catalog`: names, types, comments, values to search. `evaluations`: how well questions are answered, with the questions
 * and gold statements of test sets; for all databases only, as a test set may be of several. `admin`: what all callers did.
 */
export const SCOPES = [
  'ask',
  'sql',
  'catalog',
  'knowledge:read',
  'knowledge:propose',
  'design',
  'history',
  'evaluations',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What one caller may use. What is left out, and has no default, is not limited. Days are those of UTC. */
export interface CallerLimits {
  /** Requests to any route, those of questions and statements as well. */
  readonly requestsPerMinute?: number | undefined;
  readonly questionsPerMinute?: number | undefined;
  /**
   * Requests with a question or a design at a time, each until its answer was read: event streams as well. Default: 16;
   * `false` for any number.
   */
  readonly questionsAtOnce?: number | false | undefined;
  /** Those of questions count as well. */
  readonly statementsPerMinute?: number | undefined;
  /** Statements at a time. Default: 4; `false` for any number. */
  readonly statementsAtOnce?: number | false | undefined;
  /** Input and output tokens of models. */
  readonly tokensPerDay?: number | undefined;
  readonly costUsdPerDay?: number | undefined;
  /** Bytes that engines scanned, where they say it. */
  readonly bytesPerDay?: number | undefined;
}

/** Who asks, as an {@link Authenticator} knows them. */
export interface Caller {
  /** Whom limits and the audit count: the `sub` of a token, the name of a key. */
  readonly subject: string;
  readonly tenant?: string | undefined;
  /** A role of the database; the adapter has to be able to take it on. */
  readonly role?: string | undefined;
  /** {@link SCOPES}, or `*` for all. With `@name`, for that database alone: `sql@shop`, `*@shop`. */
  readonly scopes: readonly string[];
  /** Instead of those of the server. */
  readonly limits?: CallerLimits | undefined;
  /**
   * Patterns of `restrict` in @askema/lint: relations and columns that do not exist for this caller. With `@name` behind,
   * for that database alone: `salaries@hr`. One that names nothing in a database keeps this caller out of it.
   */
  readonly hide?: readonly string[] | undefined;
  /** Columns whose values this caller does not see, in the same way. */
  readonly mask?: readonly string[] | undefined;
}

/** Knows who sent a request. */
export interface Authenticator {
  /**
   * Gives undefined, or rejects with `CALLER_UNKNOWN`, when nobody can be recognised. `env` is what the web server passed
   * to `fetch`: with a login of your own, whom it has let in.
   */
  authenticate(request: Request, env?: object): Promise<Caller | undefined>;
  /** True when it asks for no proof: a server with it listens on loopback only. */
  readonly isOpen: boolean;
}

/** For whom a database is opened. */
export interface OpenedFor {
  readonly tenant?: string | undefined;
  readonly role?: string | undefined;
}

/** A database that is open for one tenant and one role. */
export interface OpenServed {
  readonly adapter: AdapterSpec | Adapter;
  /** How its questions are answered; without it, it takes SQL only. */
  readonly text2sql?: Omit<Text2SqlOptions, 'adapter'> | undefined;
}

/** What the business means by its words, as callers read it and propose to it. */
export interface ServedKnowledge {
  /** Plain JSON; with what this person proposes, and without what others do. */
  list(who: KnowledgeReader): Promise<readonly KnowledgeItem[]>;
  /** Keeps a confirmed answer for somebody to accept; nothing uses it before. */
  propose(outcome: Outcome, who: KnowledgeReader): Promise<{ readonly kind: string; readonly id: string }>;
}

export interface KnowledgeReader extends OpenedFor {
  readonly subject: string;
}

export interface KnowledgeItem {
  /** `metric:revenue` */
  readonly id: string;
  readonly kind: string;
  readonly state: 'proposed' | 'accepted' | 'failed';
  /** What it says. */
  readonly entry: Readonly<Record<string, unknown>>;
}

/** How a run of an evaluation ended, or stands. Plain JSON. */
export interface EvaluationHead {
  readonly id: string;
  readonly dataset: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Questions that were asked, by their verdict. */
  readonly counts: Readonly<Record<string, number>>;
  /** Right answers of those that count; undefined where none does. */
  readonly accuracy?: number | undefined;
  readonly costUsd?: number | undefined;
  /** Questions without a result yet; undefined while the run has not ended. */
  readonly unfinished?: number | undefined;
}

/** What evaluations found, read only. What it gives reaches callers with the scope `evaluations` for all databases. */
export interface ServedEvaluations {
  /** Newest first. */
  list(who: KnowledgeReader): Promise<readonly EvaluationHead[]>;
  /**
   * One of them; undefined for an id that the list does not have. `summary` is plain JSON, `items` are the results of
   * its questions, without rows.
   */
  read(
    id: string,
    who: KnowledgeReader,
  ): Promise<
    | {
        readonly head: EvaluationHead;
        readonly summary?: object | undefined;
        readonly items: readonly (object & { readonly id: string })[];
      }
    | undefined
  >;
}

/** A database that the server offers. */
export interface ServedDatabase {
  readonly title?: string | undefined;
  /**
   * Opens it for a tenant: a database or file of their own where the adapter knows no roles. The server then takes on
   * the role, and hides and masks. Called once for all who share tenant, role, `hide` and `mask`; each time it gives an
   * adapter of its own, which the server closes.
   */
  open(who: OpenedFor): Promise<OpenServed> | OpenServed;
  /** True where `open` takes on the role itself, by a login for example. Default: the server does, by `adapter.scope`. */
  readonly opensRole?: boolean | undefined;
  /**
   * What nobody sees of it, beside what a caller does not see. To be said here and not by `restrict` in `open`: of two
   * around one adapter, the outer one does not hear what the engine says that a statement reads.
   */
  readonly hide?: readonly string[] | undefined;
  readonly mask?: readonly string[] | undefined;
  /** For the routes of knowledge; `folderKnowledge` makes it. What questions are asked with stands in `open`. */
  readonly knowledge?: ServedKnowledge | undefined;
}

/**
 * What an adapter is asked to do: one statement, the plan of one, or statements that the adapter writes itself: for its
 * catalog, for samples of values, for a diagnosis. A `design` asks models alone.
 */
export type WorkKind = 'statement' | 'plan' | 'catalog' | 'sample' | 'diagnosis' | 'design';

/** What a statement was run for. It never holds rows. */
export interface AuditEntry {
  readonly requestId: string;
  readonly subject: string;
  readonly tenant?: string | undefined;
  readonly role?: string | undefined;
  /** The name that the server gives it; a design has none. */
  readonly database?: string | undefined;
  /** The route or tool. */
  readonly route: string;
  readonly kind: WorkKind;
  /** As the log keeps it; the requirement of a design. */
  readonly question?: string | undefined;
  /** Of a statement and a plan, as the log keeps it. */
  readonly sql?: string | undefined;
}

/** How it ended. */
export interface AuditOutcome {
  readonly outcome: 'done' | 'refused' | 'failed' | 'cancelled';
  /** The code of the error. */
  readonly code?: string | undefined;
  readonly rows: number;
  readonly bytes?: number | undefined;
  readonly elapsedMs: number;
}

/** Two lines for each statement and each design: one before it is sent, one when it has ended. */
export interface AuditLog {
  /** What it wants of SQL (default: `redacted`, without texts, numbers and comments) and of questions (default: `hash`). */
  readonly keeps?:
    | {
        readonly sql?: 'text' | 'redacted' | 'hash' | undefined;
        readonly question?: 'text' | 'hash' | undefined;
      }
    | undefined;
  /** Resolves when the line is kept; a statement whose line cannot be kept is not sent. */
  before(entry: AuditEntry): Promise<string>;
  after(id: string, outcome: AuditOutcome): Promise<void>;
  /** Deletes what is older, as far as it can be deleted whole; absent where the log keeps all. */
  forget?(before: Date): Promise<void>;
  close?(): Promise<void>;
}

/** Where a request stands in a trace, as it says itself: W3C Trace Context and Baggage, unchecked. */
export interface TraceCarrier {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

/** The endpoint `/mcp`, for clients of the Model Context Protocol. */
export interface ServedMcp {
  /** The address of the endpoint as clients write it. Default: `/mcp` at the address of the request. */
  readonly url?: string | undefined;
  /** Issuers whose tokens `auth` takes, for clients that look for them (RFC 9728): the `issuer` of `jwtAuth`. */
  readonly authorizationServers?: readonly string[] | undefined;
  /**
   * Signs what goes through clients: at least 32 random bytes, the same in all processes that share the load. Default:
   * made at the start, so that a question that was asked back before a restart has to be asked anew.
   */
  readonly key?: Uint8Array | undefined;
  /**
   * Answers a request in the trace that `_meta` of its message names: `within` of `tracing()` in @askema/otel. Called
   * for each request that names one. Default: such names are ignored.
   */
  readonly within?: (<T>(carrier: TraceCarrier, work: () => T) => T) | undefined;
}

/** How schemas are designed. */
export interface ServedDesign {
  /**
   * As `createText2Schema` takes them. A `budget` that is given as limits is that of each design. Unless
   * `stopOnContradiction` is false, a design over HTTP asks back what the requirement contradicts; one of an agent states
   * what it assumes.
   */
  readonly text2schema: Omit<Text2SchemaOptions, 'journal' | 'onQuestion' | 'onPhase'>;
  /** Of the DDL. */
  readonly dialect: Dialect;
}

/**
 * How long what was done is kept, in milliseconds: at least an hour. What is left out is kept until somebody else deletes
 * it.
 */
export interface KeepTimes {
  /**
   * Questions, their results, conversations, designs and idempotency keys, from when they were written to last. The
   * journal has to be able to forget.
   */
  readonly runsMs?: number | undefined;
  /** Lines of the audit, which has to be able to forget: `fileAudit({ rotate: 'month' })` deletes whole months. */
  readonly auditMs?: number | undefined;
}

/** What servers that share a queue do for each other. Their inputs hold callers and questions, no secrets. */
export type ServerJobs = {
  readonly question: (input: JsonValue, context: Pick<JobContext, 'id' | 'signal'>) => Promise<null>;
};

export interface ServerOptions {
  /** By the names that callers use. */
  readonly databases: Readonly<Record<string, ServedDatabase>>;
  readonly auth: Authenticator;
  /** Where runs are kept, so that questions outlive the process. Default: in memory, the last ones. */
  readonly journal?: Journal | undefined;
  /**
   * Where questions are worked on: a durable queue that several servers share, which then need the same `journal` and
   * databases of the same names: `(jobs) => dbosRunner({ jobs, connection, name, concurrency })` of @askema/dbos. Called
   * at once, and closed with the server. Default: each in the process that was asked.
   */
  readonly runner?: ((jobs: ServerJobs) => Promise<Runner<ServerJobs>>) | undefined;
  readonly audit?: AuditLog | undefined;
  /** What is older is deleted, bit by bit while the server runs. Default: nothing is. */
  readonly keep?: KeepTimes | undefined;
  /** By the name of the model; needed for `costUsdPerDay`. */
  readonly prices?: TokenPrices | undefined;
  /** For callers without limits of their own. */
  readonly limits?: CallerLimits | undefined;
  /** Default: what {@link ServedMcp} says of each. */
  readonly mcp?: ServedMcp | undefined;
  /** Names, with or without a port, by which the server may be addressed. Default: those of loopback. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins whose pages may send requests: `https://app.example.com`. Default: those of the server's own address. */
  readonly origins?: readonly string[] | undefined;
  /** Designs schemas; without it, `POST /v1/designs` and the tool `design_schema` are not there. Called for each design. */
  readonly design?: ((who: OpenedFor) => ServedDesign) | undefined;
  /** For `GET /v1/evaluations`; `folderEvaluations` makes it. */
  readonly evaluations?: ServedEvaluations | undefined;
  /** What stands before all paths where the server is mounted without taking it off: `/api/askema`. Default: nothing. */
  readonly basePath?: string | undefined;
  /** Bytes of a request's body. Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Databases open at a time, counted by tenant and role. Default: 64. */
  readonly maxOpen?: number | undefined;
  /** How long an unused one stays open, in milliseconds. Default: 300,000. */
  readonly idleMs?: number | undefined;
  readonly runtime?: Partial<Runtime> | undefined;
}

export interface AskemaServer {
  /**
   * Answers a request; never rejects. `env` is what the web server passes along. Where it has `remoteAddress`, as a
   * socket has, or `incoming`, as @hono/node-server passes it, the server knows who is on its machine.
   */
  fetch(request: Request, env?: object): Promise<Response>;
  /** Takes no new work and waits for what runs, at most so many milliseconds. Default: 10,000. */
  drain(ms?: number): Promise<void>;
  /** Stops what runs and closes all databases. */
  close(): Promise<void>;
}
