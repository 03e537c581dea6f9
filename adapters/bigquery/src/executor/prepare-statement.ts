import {
  AskemaError,
  type CallContext,
  type CallLimits,
  type Parameter,
  positionAt,
  type ViewRead,
} from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { lexSql, readOnlyText, significantTokens, splitStatements, statementKind } from '@askema/sql';
import type { OpenClient } from '../client/create-client.ts';
import { dryRun, type JobRequest } from '../client/query-job.ts';
import { hasNull } from '../client/query-parameters.ts';
import { failureOf } from '../errors/rest-failure.ts';
import type { RestJob } from '../rest-types.ts';
import { explainStatement } from './explain-statement.ts';
import { readViews } from './read-views.ts';
import { refuseCalls } from './refuse-calls.ts';

export interface Statement {
  readonly sql: string;
  /** `any`: only to be looked at, by the planner. */
  readonly access: 'read' | 'write' | 'any';
  readonly parameters?: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined;
  /** Its views are asked anew. */
  readonly views?: boolean | undefined;
  readonly limits: CallLimits;
  readonly context: CallContext;
}

/** A statement that may run, and what the server says of it. */
export interface PreparedStatement {
  readonly request: JobRequest;
  readonly job: RestJob;
  /** Those that it reads, also through views. */
  readonly views: readonly ViewRead[];
  readonly bytes: number | undefined;
}

const { lexer } = bigqueryDialect;

/**
 * Lets BigQuery compile a statement (a dry run, free of charge) and decides whether it may run. To read it must be one statement whose kind is `SELECT` by
 * the server's word **and** whose text reads: a stand-in that calls everything SELECT is not believed, and neither is a text alone, which does not
 * tell what the functions do that it calls. What the text refuses is not sent, unless it can only be a mistake in writing (`SELEC`, an open quote in a
 * query): of those BigQuery says best what is wrong.
 *
 * Rejects with `QUERY_NOT_READ_ONLY`, `QUERY_REFUSED` (several statements, functions of users that are not known to only read, too dear), or what `explainStatement` says.
 */
export async function prepareStatement(client: OpenClient, statement: Statement): Promise<PreparedStatement> {
  const { sql, access, limits } = statement;
  if (splitStatements(sql, lexer).length === 0) throw noStatement(sql);
  const refusal = access === 'read' || (access === 'any' && !isChange(sql)) ? refusalByText(sql) : undefined;
  if (refusal !== undefined && !mayBeMistake(sql)) throw refusal;
  if (splitStatements(sql, lexer).length > 1 && access !== 'read' && refusal === undefined && isChange(sql))
    throw severalStatements(sql);
  const project = await client.billingProject(limits);
  const request: JobRequest = {
    project,
    sql,
    parameters: statement.parameters,
    dataset: client.defaultDataset(project),
    location: client.options.location,
    context: statement.context,
    limits,
  };
  const typed = refusal === undefined && hasNull(statement.parameters) ? await withNullTypes(client, request) : request;
  // A stand-in cannot compile what changes tables, and has no bills.
  if (access === 'write' && client.options.apiEndpoint !== undefined && isChange(sql))
    return { request: typed, job: {}, views: [], bytes: undefined };
  const job = await compile(client, typed, refusal);
  if (refusal !== undefined) throw refusal;
  const query = job.statistics?.query;
  if (query?.statementType === 'SCRIPT') throw severalStatements(sql);
  if (access === 'read') refuseOtherKinds(sql, query?.statementType, client.options.apiEndpoint !== undefined);
  const reads = access !== 'write' && statementKind(sql, lexer) === 'read';
  const views = reads ? await readViews(client, sql, limits, statement.views === true) : [];
  if (access !== 'write') await refuseCalls(client, statement, query?.referencedRoutines ?? [], views);
  const bytes = Number(query?.totalBytesProcessed ?? job.statistics?.totalBytesProcessed ?? Number.NaN);
  const location = typed.location ?? job.jobReference?.location;
  return { request: { ...typed, location }, job, views, bytes: Number.isFinite(bytes) ? bytes : undefined };
}

/** Fails before it costs anything when the estimate, an upper bound, passes the ceiling. */
export function refuseTooDear({ options }: OpenClient, sql: string, bytes: number | undefined): void {
  if (bytes === undefined || bytes <= options.maximumBytesBilled) return;
  throw new AskemaError(
    'QUERY_REFUSED',
    `The query would read ${bytes} bytes, about ${costUsd(options.pricePerTib, bytes).toFixed(2)} US dollars on demand, and \`maximumBytesBilled\` is ${options.maximumBytesBilled}. Read fewer columns or partitions, or raise the ceiling.`,
    { details: { sql, errorClass: 'other', vendorCode: 'bytesBilledLimitExceeded', estimatedBytes: bytes } },
  );
}

/** US dollars on demand. */
export function costUsd(pricePerTib: number, bytes: number): number {
  return (bytes / 1024 ** 4) * pricePerTib;
}

function isChange(sql: string): boolean {
  const kind = statementKind(sql, lexer);
  return kind === 'write' || kind === 'ddl';
}

function refusalByText(sql: string): AskemaError | undefined {
  const verdict = readOnlyText(sql, lexer);
  if (verdict.ok) return undefined;
  const severalReads = splitStatements(sql, lexer).length > 1 && statementKind(sql, lexer) === 'read';
  return new AskemaError(
    severalReads ? 'QUERY_REFUSED' : 'QUERY_NOT_READ_ONLY',
    `The statement was not run, because only reading is allowed: ${verdict.reason}`,
    { details: { sql, position: positionAt(sql, verdict.position) } },
  );
}

/** A text that is refused because nobody knows its first word, or a query in which a quote is open: no statement that anything could act upon. */
function mayBeMistake(sql: string): boolean {
  const statements = splitStatements(sql, lexer).length;
  if (statements > 1 || sql.includes('\0')) return false;
  const kind = statementKind(sql, lexer);
  if (kind === 'read') return lexSql(sql, lexer).some(({ unterminated }) => unterminated);
  const first = significantTokens(sql, lexer).find(({ text }) => text !== '(');
  // Letters beyond ASCII begin no statement; some look like those of one that writes.
  return kind === 'other' && first?.kind === 'word' && /^[A-Za-z]+$/.test(first.text) && !isStarter(first.text);
}

/** Words that statements of BigQuery's procedural language begin with, and those of other engines that are neither queries nor changes. */
const STARTERS = new Set(
  'abort analyze assert attach backup begin break call case checkpoint close cluster comment commit continue copy deallocate declare detach discard do elseif end exec execute export fetch flush for from get if import install iterate kill leave listen load lock loop notify open optimize pragma prepare put raise reindex release repeat replace reset restore return rollback save savepoint set shutdown start sync unlisten unload unlock until use vacuum while'.split(
    ' ',
  ),
);

function isStarter(word: string): boolean {
  return STARTERS.has(word.toLowerCase());
}

/** A stand-in may say nothing of the kind; then the text decides alone. */
function refuseOtherKinds(sql: string, statementType: string | undefined, mayBeSilent: boolean): void {
  if (statementType === 'SELECT' || (statementType === undefined && mayBeSilent)) return;
  throw new AskemaError(
    'QUERY_NOT_READ_ONLY',
    `The statement was not run, because only reading is allowed, and BigQuery calls it ${statementType ?? 'nothing'}.`,
    { details: { sql, vendorCode: statementType } },
  );
}

function noStatement(sql: string): AskemaError {
  return new AskemaError('QUERY_FAILED', 'The text has no statement.', { details: { sql, errorClass: 'syntax' } });
}

function severalStatements(sql: string): AskemaError {
  return new AskemaError(
    'QUERY_REFUSED',
    'The text has several statements, or is a script; send one statement at a time.',
    {
      details: { sql, vendorCode: 'SCRIPT' },
    },
  );
}

/** `refusal` is thrown for whatever the server says, unless that is a mistake in the statement. */
async function compile(client: OpenClient, request: JobRequest, refusal: AskemaError | undefined): Promise<RestJob> {
  try {
    return await dryRun(client.jobs, request, refusal === undefined ? {} : { maxRetries: 0 });
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (refusal !== undefined && failure !== undefined && failure.status !== 400) throw refusal;
    throw await explainStatement(client, thrown, request);
  }
}

/** A NULL has no type on its own; a dry run without it tells which one the statement expects. */
async function withNullTypes(client: OpenClient, request: JobRequest): Promise<JobRequest> {
  try {
    const job = await dryRun(client.jobs, request, { without: 'null parameters' });
    const undeclared = job.statistics?.query?.undeclaredQueryParameters ?? [];
    const types = undeclared.map(
      ({ name, parameterType }, index) => [name ?? String(index + 1), parameterType?.type] as const,
    );
    return {
      ...request,
      nullTypes: Object.fromEntries(types.filter(([, type]) => type !== undefined)) as Record<string, string>,
    };
  } catch (thrown) {
    // The dry run that follows says what is wrong.
    if (failureOf(thrown) === undefined) throw thrown;
    return request;
  }
}
