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
import {
  type DatabaseReport,
  type ReportStep,
  type StepName,
  type VisibleContent,
  visibleContent,
} from './database-report.ts';
import { probeReadOnly } from './probe-read-only.ts';

interface CheckOptions {
  /** Of each step; without it the usual one, and reading the schema takes what it takes. */
  readonly timeoutMs: number | undefined;
  readonly include: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Called when a step begins. */
  readonly onStep: (name: StepName) => void;
}

/** Told in a {@link DatabaseReport}, without what the command adds. */
type CheckedDatabase = Pick<
  DatabaseReport,
  'server' | 'user' | 'place' | 'readOnly' | 'visible' | 'findings' | 'steps'
>;

/** A step that failed, with those before it: nothing behind it could be done. */
interface StoppedCheck {
  readonly steps: readonly ReportStep[];
  readonly error: AskemaError;
}

/**
 * Looks at a database step by step; whatever fails behind the connection is a finding, so that one missing right hides
 * nothing else. Nothing is changed, and nothing that would change something is sent to be run.
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

/**
 * Reading a schema has no time limit of its own; where one was asked for, it is an abort that is told as what it is.
 */
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

/** What is worth knowing of how read-only is assured, beside what the adapter says itself. */
function standingFindings({ readOnly, findings }: Diagnosis): readonly DiagnosisFinding[] {
  // Where the adapter names the trouble, with its fix, this says nothing more.
  if (findings.some(({ severity }) => severity !== 'info')) return [];
  const fix = 'Connect as a user who may only read: the page of the adapter in docs/adapters has the grants to copy.';
  if (readOnly.by === 'nothing')
    return [{ severity: 'error', code: 'not-read-only', message: 'Nothing keeps statements from writing.', fix }];
  if (readOnly.by === 'text') {
    const message = 'Only the text of a statement is looked at: no text tells what a function does.';
    return [{ severity: 'warning', code: 'read-only-by-text', message, fix }];
  }
  return [];
}

/** What is worth knowing of what can be seen. */
function contentFindings(content: VisibleContent, isFiltered: boolean): readonly DiagnosisFinding[] {
  const findings: DiagnosisFinding[] = [];
  if (content.relations === 0)
    findings.push({
      severity: isFiltered ? 'info' : 'warning',
      code: 'nothing-visible',
      message: isFiltered ? 'No table or view fits --include.' : 'No table and no view can be seen.',
      fix: isFiltered
        ? undefined
        : 'Check the database, schema or dataset in the address, and that who connects may use and read what is in it.',
    });
  const unread = content.unread.filter(({ affects }) => affects !== 'counts');
  if (unread.length > 0)
    findings.push({
      severity: 'warning',
      code: 'not-all-read',
      message: `${unread.length === 1 ? 'One part' : `${unread.length} parts`} of the schema could not be read, and questions about ${unread.length === 1 ? 'it' : 'them'} are answered without.`,
      fix: 'The reasons stand above; most often a right to read is missing.',
    });
  if (content.relations > 1 && content.foreignKeys === 0)
    findings.push({
      severity: 'info',
      code: 'no-foreign-keys',
      message: 'No foreign keys are declared: joins are told from names.',
      fix: 'Declare foreign keys (warehouses take them as NOT ENFORCED), or say in the documents of a question what belongs together.',
    });
  if (content.filtersRequired.length > 0)
    findings.push({
      severity: 'info',
      code: 'filter-required',
      message: `Only with a filter on the partition: ${content.filtersRequired
        .slice(0, 5)
        .map(({ relation, attributes }) => `${relation} (${attributes.join(', ')})`)
        .join('; ')}${content.filtersRequired.length > 5 ? ' and others' : ''}.`,
    });
  return findings;
}
