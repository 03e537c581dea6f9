import { randomUUID } from 'node:crypto';
import {
  type Adapter,
  AskemaError,
  createCallContext,
  createRunLife,
  type LiveRun,
  type Outcome,
  QUERY_DEFAULTS,
  type RunEnd,
  resolveAdapter,
  systemRuntime,
} from '@askema/core';
import { type CatalogCache, type CatalogCacheOptions, createCatalogCache } from '@askema/grounding';
import { checkFlow, checkOptions, checkText } from './check-options.ts';
import { createCostLedger } from './cost-ledger.ts';
import { cellsOfRun, type LazyParser, lazyParser } from './inspection/inspection-tools.ts';
import { clarifiedBy, nextRunId } from './outcome/answer-clarification.ts';
import { recordedQuestions, rememberedQuestions } from './outcome/asked-back.ts';
import { withJson } from './outcome/outcome-json.ts';
import { bestResultOf, isOverBudget, outcomeOf, outcomeTypeOf } from './outcome/outcome-of.ts';
import { type CatalogSource, createCatalogSource } from './question/catalog-source.ts';
import { eitherSignal } from './question/either-signal.ts';
import type { FlowDeps, FlowSpec, FlowState, Text2SqlFlow } from './question/flow-spec.ts';
import type { QuestionDeps } from './question/question-deps.ts';
import { createQuestionState, type QuestionState } from './question/question-state.ts';
import { solverSource } from './solver-source.ts';
import { createFitSchema, fittedSolvers } from './steps/smaller-schema.ts';
import { streamRows } from './stream-rows.ts';
import type { AskOptions, OpenText2Sql, Text2SqlOptions } from './text2sql-options.ts';

const DEFAULTS = { maxDebugAttempts: 3, sampleValues: 3 } as const;

/** The state and the dependencies of any flow: what its slice and its own are, only the flow knows. */
type AnyState = FlowState<object>;
type AnyDeps = FlowDeps<unknown>;

/**
 * The body of every `createText2Sql`: each entry of the package has one, with a default flow of its own, so that it
 * loads no other flow.
 */
export function openText2Sql(
  options: Text2SqlOptions,
  defaultFlow: (options: Text2SqlOptions) => Text2SqlFlow,
): OpenText2Sql {
  const adapter = resolveAdapter(options.adapter);
  checkOptions(options, adapter);
  const flow = anyFlow(options.flow ?? defaultFlow(options), options);
  const closing = new AbortController();
  const runtime = systemRuntime(options.runtime);
  const parser = lazyParser(options.parser);
  const catalogs = createCatalogSource(adapter, {
    include: options.include,
    inferKeys: options.inferKeys,
    cache: options.catalogCache && catalogCacheOf(adapter, options.catalogCache),
    signal: closing.signal,
  });
  const depsOfRun = depsSource({ ...options, adapter, flow }, catalogs, parser);
  const startOf = (question: string, ask: AskOptions, clarified?: QuestionState['clarified']): AnyState => ({
    ...createQuestionState({
      dbPath: adapter.name,
      question,
      maxDebugAttempts: options.maxDebugAttempts ?? DEFAULTS.maxDebugAttempts,
      today: ask.today ?? new Date(runtime.clock.now()).toISOString().slice(0, 10),
      evidence: ask.evidence,
      documents: ask.documents,
      clarified,
      follows: ask.follows,
    }),
    flow: flow.begin(),
  });
  const life = createRunLife<AnyState, AnyDeps>({
    flow: flow.flow,
    journal: options.journal,
    runtime,
    owner: 'createText2Sql',
    fits: (begun) => hasFormOf(begun, startOf('', { follows: begun.follows })),
    standIn: ({ naturalQuery }) => startOf(String(naturalQuery ?? ''), {}),
    outcomeOf: outcomeTypeOf,
    checkSame: checkSameQuestion,
  });

  type Start = (run: LiveRun<AnyState, AnyDeps>) => Promise<RunEnd<AnyState>>;

  /** Runs a question to its outcome. Whatever goes wrong on the way is in the outcome. */
  const toOutcome = async (runId: string, ask: AskOptions, start: Start): Promise<Outcome> => {
    const { signal, letGo } = eitherSignal(ask.signal, closing.signal);
    try {
      return await untilStopped(runId, { ...ask, signal }, start);
    } finally {
      letGo();
    }
  };

  const untilStopped = async (runId: string, ask: AskOptions, start: Start): Promise<Outcome> => {
    const costs = createCostLedger();
    const { signal } = ask;
    const end = await start({
      runId,
      signal,
      tags: ask.tags,
      tenant: ask.tenant,
      listeners: [costs.listen, options.onEvent, ask.onEvent],
      open: (state) => {
        if (closing.signal.aborted) throw closedError(adapter.name);
        const base = depsOfRun();
        if (ask.refreshCatalog === true) base.catalogs.forget();
        return { ...base, own: flow.open(base, state.flow) };
      },
    });
    if (end.error === undefined && end.state.verdict?.type === 'needsClarification')
      asked.keep?.(runId, { state: end.state, tags: ask.tags, tenant: ask.tenant });
    const report = flow.report?.(end.state) ?? {};
    const ended = { ...end, report, unrecorded: costs.unrecorded(report.isSpentRecorded) };
    const best = isOverBudget(ended)
      ? await bestResultOf(
          ended,
          { adapter, limits: limitsOf(options) },
          createCallContext({ runId, path: 'best', signal }),
        )
      : undefined;
    return withJson(outcomeOf({ ...ended, elapsedMs: runtime.clock.now() - end.startedAt }, best, adapter.dialect));
  };

  const asked = options.journal === undefined ? rememberedQuestions() : recordedQuestions(flow, options.journal);

  /** The run that an answer begins; undefined where the run of this id has not ended by asking back. */
  const answeredRun = async (runId: string, answer: unknown) => {
    const ended = await asked.find(runId);
    if (ended === undefined) return undefined;
    const { naturalQuery, evidence, documents, today, clarified, follows } = ended.state;
    const all = [...clarified, clarifiedBy(answer, ended.state, options.model)];
    const { tags, tenant } = ended;
    return {
      runId: nextRunId(runId, ended.state),
      carried: { tags, tenant },
      state: startOf(naturalQuery, { evidence: evidence ?? undefined, documents, today, follows }, all),
    };
  };

  const close = async (): Promise<void> => {
    closing.abort();
    await Promise.all([adapter.close(), parser.close(), catalogs.close()]);
  };

  return {
    async ask(question, ask = {}) {
      checkText(question, ask);
      const runId = ask.runId ?? `ask-${randomUUID()}`;
      const state = startOf(question, ask);
      return toOutcome(runId, ask, (run) => life.begin(state, run, { isNamed: ask.runId !== undefined }));
    },
    async resume(runId, { answer, ...ask } = {}) {
      const next = answer === undefined ? undefined : await answeredRun(runId, answer);
      if (next !== undefined)
        return toOutcome(next.runId, { ...ask, ...next.carried }, (run) =>
          life.begin(next.state, run, { isNamed: true }),
        );
      return toOutcome(runId, ask, (run) => life.resume(run, { answer }));
    },
    async stream(source, { timeoutMs = limitsOf(options).timeoutMs, ...stream } = {}) {
      return streamRows(adapter, source, { ...stream, timeoutMs });
    },
    async catalog({ signal, tenant } = {}) {
      if (closing.signal.aborted) throw closedError(adapter.name);
      return catalogs.read(createCallContext({ path: 'catalog', signal, tenant }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The flow with types that fit any; it is checked here, once for all. */
function anyFlow(flow: Text2SqlFlow, options: Text2SqlOptions): FlowSpec<object, unknown> {
  checkFlow(flow, options);
  return flow as FlowSpec<object, unknown>;
}

/** What the steps work with; a budget of limits is new for each run. */
function depsSource(
  options: Text2SqlOptions & { readonly adapter: QuestionDeps['adapter']; readonly flow: Text2SqlFlow },
  catalogs: CatalogSource,
  parser: LazyParser,
): () => QuestionDeps {
  const { adapter, flow } = options;
  const answerersOfRun = solverSource(options, flow.models ?? []);
  return () => {
    const { solver, model, answerer } = answerersOfRun();
    const needsValues = solver.needs?.includes('values') === true;
    const sampleValues = options.sampleValues ?? (needsValues ? 0 : (flow.sampleValues ?? DEFAULTS.sampleValues));
    // A solver that asks for values reads no prompt.
    const isPrompted = !needsValues || (flow.models ?? []).length > 0;
    const schemaOptions: QuestionDeps['schemaOptions'] = {
      isPrompted,
      sampleValues,
      maxSchemaTokens: options.maxSchemaTokens,
      compression: options.compression ?? flow.compression,
      maxDocumentTokens: options.maxDocumentTokens,
      countTokens: options.countTokens,
      linkValues: options.linkValues ?? (needsValues || sampleValues > 0),
      valueIndex: options.valueIndex,
    };
    const fitSchema = createFitSchema({ adapter, catalogs, schemaOptions });
    const fitted = fittedSolvers(fitSchema);
    return {
      adapter,
      solver: fitted(solver),
      model,
      answerer: (chosen, sampled) => {
        const other = answerer(chosen, sampled);
        return { ...other, solver: fitted(other.solver) };
      },
      catalogs,
      access: options.access ?? 'read',
      approve: options.approve,
      limits: limitsOf(options),
      askBack: options.askBack ?? 'equal',
      schemaOptions,
      fitSchema,
      knowledge: options.knowledge && {
        source: options.knowledge,
        answers: options.knowledgeFirst ?? flow.knowledgeFirst ?? !isPrompted,
        metricCalls: flow.metricCalls ?? true,
      },
      alignBy: options.alignValues === true ? cellsOfRun(adapter, options.valueIndex) : undefined,
      parser,
    };
  };
}

function catalogCacheOf(adapter: Adapter, given: CatalogCacheOptions | CatalogCache): CatalogCache {
  return 'find' in given ? given : createCatalogCache(adapter, given);
}

function limitsOf({ maxRows, maxBytes, timeoutMs }: Text2SqlOptions): QuestionDeps['limits'] {
  return {
    maxRows: maxRows ?? QUERY_DEFAULTS.maxRows,
    maxBytes: maxBytes ?? QUERY_DEFAULTS.maxBytes,
    timeoutMs: timeoutMs ?? QUERY_DEFAULTS.timeoutMs,
  };
}

/**
 * True where a recorded state has the fields that states have now, and its slice those that the flow begins with now.
 */
function hasFormOf(begun: Readonly<AnyState>, now: AnyState): boolean {
  return fieldsOf(begun) === fieldsOf(now) && fieldsOf(begun.flow) === fieldsOf(now.flow);
}

function fieldsOf(value: unknown): string {
  const entries = Object.entries(value ?? {}).filter(([, field]) => field !== undefined);
  return entries
    .map(([name]) => name)
    .sort()
    .join(' ');
}

function checkSameQuestion(
  { naturalQuery: recorded, clarified: decided }: QuestionState,
  { naturalQuery, clarified }: QuestionState,
  runId: string,
): void {
  const before = decided.at(-1)?.answer;
  if (naturalQuery === recorded && before !== clarified.at(-1)?.answer)
    throw new AskemaError(
      'INPUT_INVALID',
      `This was answered already, with ${JSON.stringify(before?.slice(0, 200))}: \`resume('${runId}')\` goes on with that. Ask anew to decide otherwise.`,
    );
  if (naturalQuery === recorded) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `Run \`${runId}\` is there already, and it asks something else: ${JSON.stringify(recorded.slice(0, 200))}. Use another run id.`,
  );
}

function closedError(name: string): AskemaError {
  return new AskemaError('DATABASE_CLOSED', `${name} was closed with its text2sql; make a new one to ask again.`);
}
