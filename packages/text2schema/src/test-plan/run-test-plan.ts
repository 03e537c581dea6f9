import {
  type Adapter,
  type AdapterSpec,
  attributeId,
  type CallContext,
  foreignKeyId,
  isAskemaError,
  quoteIfNeeded,
  relationId,
  type Schema,
  throwIfAborted,
} from '@askema/core';
import { writeDdl } from '@askema/dialects';
import type { ConceptualModel, RequirementReport } from '../model/conceptual-model.ts';
import type { LogicalDesign } from '../model/logical-design.ts';
import type { CaseResult, RefusingConstraint, TestPlan, TestRun } from '../model/test-plan.ts';
import { compileGround } from './compile-ground.ts';
import { baseOf, runSet } from './run-set.ts';
import { openScratch, runDdl, type ScratchLimits, ScratchRows } from './scratch-database.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/** What says that a schema is wrong, and not the database. */
const SCHEMA_ERRORS: ReadonlySet<string> = new Set([
  'QUERY_FAILED',
  'QUERY_REFUSED',
  'SCHEMA_INVALID',
  'INPUT_INVALID',
]);

/**
 * Runs the cases of a plan on a scratch database that has the schema of the design, and compares what happens with what
 * was expected.
 *
 * - Each set begins with empty tables. Given rows have a result (`case: 0`) only where they could not be written; then
 *   the rest of the set is `not run`. The same holds behind an accepted change that failed.
 * - A case that cannot be written in SQL is `not compiled`, never passed. A schema that the database does not take
 *   makes every case `not run`.
 * - A refusal that the database does not enforce is `not run`: this is tried on two tables first, not believed.
 * - What a refused or wrongly accepted case wrote is taken back before the next one.
 *
 * @throws AskemaError `CONFIG_INVALID` for a scratch database that is not empty or was opened for reading, `ABORTED`,
 * or a `DATABASE_*` code. The database is closed in every case.
 */
export async function runTestPlan(options: RunTestPlanOptions): Promise<TestRun> {
  const started = performance.now();
  const signals = [options.signal, options.context.signal].filter((signal) => signal !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  throwIfAborted(signal, 'The test run');
  const limits: ScratchLimits = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    context: { ...options.context, signal },
  };
  const adapter = await openScratch(options.scratch, limits);
  try {
    const results = await runSets(adapter, options, limits);
    return {
      dialect: adapter.dialect.name,
      results,
      counts: countsOf(results),
      elapsedMs: performance.now() - started,
    };
  } finally {
    await adapter.close();
  }
}

async function runSets(adapter: Adapter, options: RunTestPlanOptions, limits: ScratchLimits): Promise<CaseResult[]> {
  const { plan, design, report, conceptual } = options;
  const loose = await unenforcedConstraints(adapter, limits);
  try {
    await runDdl(adapter, writeDdl(design.schema, adapter.dialect), limits);
  } catch (thrown) {
    if (!isAskemaError(thrown) || !SCHEMA_ERRORS.has(thrown.code)) throw thrown;
    return nothingRun(options, `The schema could not be created: ${thrown.message}`);
  }
  const ground = compileGround(design, adapter.dialect, { report, conceptual });
  const rows = new ScratchRows(adapter, ground, limits);
  const results: CaseResult[] = [];
  for (const [at, set] of plan.sets.entries()) results.push(...(await runSet(ground, rows, set, at + 1, loose)));
  return results;
}

function nothingRun({ plan }: RunTestPlanOptions, actual: string): CaseResult[] {
  return plan.sets.flatMap(({ cases }, set) =>
    cases.map(
      (testCase, at): CaseResult => ({
        ...baseOf(testCase, set + 1, at + 1),
        status: 'not run',
        sql: [],
        actual,
        role: 'logical-designer',
      }),
    ),
  );
}

function countsOf(results: readonly CaseResult[]): TestRun['counts'] {
  const count = (status: CaseResult['status']): number => results.filter((result) => result.status === status).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    notCompiled: count('not compiled'),
    notRun: count('not run'),
  };
}

/** What {@link runTestPlan} runs, and where. */
export interface RunTestPlanOptions {
  readonly plan: TestPlan;
  readonly design: LogicalDesign;
  /**
   * Tells which attributes the requirement speaks of; all others (keys that a designer added) may get values by code.
   */
  readonly report?: RequirementReport | undefined;
  /** Tells which entity sets a relationship set connects, for plans that name it by them. */
  readonly conceptual?: ConceptualModel | undefined;
  /** An empty database, opened for writing; called once, closed at the end. */
  readonly scratch: () => AdapterSpec | Promise<AdapterSpec>;
  /** For each statement, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: the signal of `context`. */
  readonly signal?: AbortSignal | undefined;
  readonly context: CallContext;
}

const HOST = 'askema_probe_host';
const GUEST = 'askema_probe_guest';

/**
 * Constraints that this database does not enforce although the DDL declares them: tried on two tables that are dropped
 * again. Some engines only note keys down, some enforce them by a setting of the connection.
 */
export async function unenforcedConstraints(
  adapter: Adapter,
  limits: ScratchLimits,
): Promise<ReadonlySet<RefusingConstraint>> {
  const run = (sql: string): Promise<unknown> => adapter.query(sql, { ...limits, access: 'write' });
  const isRefused = async (sql: string): Promise<boolean> => {
    try {
      await run(sql);
      return false;
    } catch (thrown) {
      if (isAskemaError(thrown) && thrown.code === 'QUERY_FAILED') return true;
      throw thrown;
    }
  };
  const [host, guest] = [HOST, GUEST].map((name) => quoteIfNeeded(name, adapter.dialect));
  await runDdl(adapter, writeDdl(PROBE, adapter.dialect), limits);
  const loose = new Set<RefusingConstraint>();
  try {
    await run(`INSERT INTO ${host} VALUES (1, 1)`);
    if (!(await isRefused(`INSERT INTO ${host} VALUES (1, 2)`))) loose.add('entity integrity');
    if (!(await isRefused(`INSERT INTO ${host} VALUES (2, 1)`))) loose.add('unique');
    if (!(await isRefused(`INSERT INTO ${host} VALUES (NULL, 3)`))) loose.add('not null');
    if (!(await isRefused(`INSERT INTO ${guest} VALUES (1, 99)`))) loose.add('referential integrity');
  } finally {
    for (const table of [guest, host]) await run(`DROP TABLE ${table}`);
  }
  return loose;
}

const PROBE: Schema = probeSchema();

function probeSchema(): Schema {
  const [host, guest] = [relationId([HOST]), relationId([GUEST])];
  const [id, other, own, ref] = [
    attributeId(host, 'id'),
    attributeId(host, 'other'),
    attributeId(guest, 'id'),
    attributeId(guest, 'host'),
  ];
  const pairs = [{ from: ref, to: id }];
  return {
    relations: [
      { id: host, name: HOST },
      { id: guest, name: GUEST },
    ],
    attributes: [
      { id, relation: host, name: 'id', type: 'NUMERIC' },
      { id: other, relation: host, name: 'other', type: 'NUMERIC' },
      { id: own, relation: guest, name: 'id', type: 'NUMERIC' },
      { id: ref, relation: guest, name: 'host', type: 'NUMERIC' },
    ],
    primaryKeys: [
      { relation: host, attributes: [id] },
      { relation: guest, attributes: [own] },
    ],
    foreignKeys: [{ id: foreignKeyId(guest, host, pairs), relation: guest, target: host, pairs }],
    domainConstraints: [
      { attribute: id, constraint: 'not null' },
      { attribute: other, constraint: 'unique' },
    ],
  };
}
