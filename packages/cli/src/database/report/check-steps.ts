import {
  type Adapter,
  AskemaError,
  type Catalog,
  createCallContext,
  type Diagnosis,
  type DiagnosisFinding,
  isAskemaError,
  QUERY_DEFAULTS,
  toAskemaError,
} from '@askema/core';
import { formatDuration } from '../../terminal/duration.ts';
import type { DatabaseReport, ReportStep, StepName } from './database-report.ts';
import { probeReadOnly } from './probe-read-only.ts';
import { contentFindings, standingFindings } from './report-findings.ts';
import { type VisibleContent, visibleContent } from './visible-content.ts';

export interface CheckOptions {
  /** Of each step; without it the usual one, and reading the schema takes what it takes. */
  readonly timeoutMs: number | undefined;
  readonly include: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Called when a step begins. */
  readonly onStep: (name: StepName) => void;
}

/** Told in a {@link DatabaseReport}, without what the command adds. */
export type CheckedDatabase = Pick<
  DatabaseReport,
  'server' | 'user' | 'place' | 'readOnly' | 'visible' | 'findings' | 'steps'
>;

/** A step that failed, with those before it: nothing behind it could be done. */
export interface StoppedCheck {
  readonly steps: readonly ReportStep[];
  readonly error: AskemaError;
}

/**
 * Looks at a database step by step; whatever fails behind the connection is a finding, so that one missing right hides nothing else. Nothing is
 * changed, and nothing that would change something is sent to be run.
 *
 * Rejects with `ABORTED`.
 */
export async function checkSteps(adapter: Adapter, options: CheckOptions): Promise<CheckedDatabase | StoppedCheck> {
  const timeoutMs = options.timeoutMs ?? QUERY_DEFAULTS.timeoutMs;
  const context = createCallContext({ signal: options.signal, tags: { purpose: 'check' } });
  const steps: ReportStep[] = [];
  const findings: DiagnosisFinding[] = [];
  const run = stepRunner(steps, options);

  const diagnosis = await run('connect', describeConnection, () => adapter.diagnose({ timeoutMs, context }));
  if (isAskemaError(diagnosis)) return { steps, error: diagnosis };
  const query = await run(
    'query',
    () => 'SELECT 1',
    () => adapter.query('SELECT 1', { timeoutMs, context }),
  );
  if (isAskemaError(query)) findings.push(failure('query-failed', 'A plain SELECT 1 failed', query));
  const catalog = await run('schema', describeCatalog, () => readCatalog(adapter, options));
  if (isAskemaError(catalog)) findings.push(failure('schema-unreadable', 'The schema could not be read', catalog));
  const known = isAskemaError(catalog) ? undefined : catalog;
  const probe = await run(
    'refuse a write',
    ({ outcome }) => outcome,
    () => probeReadOnly(adapter, known, { timeoutMs, context }),
  );
  if (isAskemaError(probe))
    findings.push(failure('write-not-probed', 'Whether a write is refused could not be seen', probe));
  else findings.push(...probe.findings);

  const visible: VisibleContent | undefined = known === undefined ? undefined : visibleContent(known);
  const { server, user, place, readOnly } = diagnosis;
  return {
    server,
    user,
    place,
    readOnly,
    visible,
    findings: [
      ...diagnosis.findings,
      ...standingFindings(diagnosis),
      ...findings,
      ...(visible === undefined ? [] : contentFindings(visible, options.include !== undefined)),
    ],
    steps,
  };
}

/** Runs a step, times it and notes it; what fails is returned, an abort is thrown. */
function stepRunner(steps: ReportStep[], { signal, onStep }: CheckOptions) {
  return async <T>(
    name: StepName,
    describe: (result: T) => string,
    work: () => Promise<T>,
  ): Promise<T | AskemaError> => {
    signal.throwIfAborted();
    onStep(name);
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    try {
      const result = await work();
      steps.push({ name, elapsedMs: elapsed(), outcome: describe(result) });
      return result;
    } catch (thrown) {
      const error = toAskemaError(thrown);
      if (signal.aborted || error.code === 'ABORTED') throw error;
      steps.push({ name, elapsedMs: elapsed(), outcome: 'failed', error: error.toJSON() });
      return error;
    }
  };
}

function describeConnection({ server }: Diagnosis): string {
  return server;
}

function describeCatalog({ schema }: Catalog): string {
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${counted(schema.relations.length, 'relation')}, ${counted(schema.attributes.length, 'attribute')}`;
}

/** Reading a schema has no time limit of its own; where one was asked for, it is an abort that is told as what it is. */
async function readCatalog(adapter: Adapter, { include, signal, timeoutMs }: CheckOptions): Promise<Catalog> {
  const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const both = deadline === undefined ? signal : AbortSignal.any([signal, deadline]);
  try {
    return await adapter.introspect({
      include,
      context: createCallContext({ signal: both, tags: { purpose: 'check' } }),
    });
  } catch (error) {
    if (signal.aborted || deadline?.aborted !== true || timeoutMs === undefined) throw error;
    const message = `Reading the schema took longer than ${formatDuration(timeoutMs)}. Raise --timeout, or read less with --include.`;
    throw new AskemaError('QUERY_TIMEOUT', message, { cause: error });
  }
}

function failure(code: string, what: string, error: AskemaError): DiagnosisFinding {
  return { severity: 'error', code, message: `${what}: ${error.message} [${error.code}]` };
}
