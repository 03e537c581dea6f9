import { afterAll, describe, test } from 'vitest';
import { ACCESS_CASES } from './access-cases.ts';
import { type AdapterCase, createBenchRoom } from './adapter-bench.ts';
import type { AdapterFactory } from './adapter-factory.ts';
import { CAP_CASES } from './cap-cases.ts';
import { CATALOG_CASES } from './catalog-cases.ts';
import { CONCURRENCY_CASES } from './concurrency-cases.ts';
import { DIAGNOSIS_CASES } from './diagnosis-cases.ts';
import { ERROR_CASES } from './error-cases.ts';
import { EXPLORATION_CASES } from './exploration-cases.ts';
import { INTROSPECTION_CASES } from './introspection-cases.ts';
import { PARAMETER_CASES } from './parameter-cases.ts';
import { READ_ONLY_CASES } from './read-only-cases.ts';
import { ROW_STREAM_CASES } from './row-stream-cases.ts';
import { STREAMING_CASES } from './streaming-cases.ts';
import { TYPE_CASES } from './type-cases.ts';
import { VALUE_CASES } from './value-cases.ts';

/** All cases, by id. */
export const ADAPTER_CASES = {
  ...INTROSPECTION_CASES,
  ...CATALOG_CASES,
  ...VALUE_CASES,
  ...TYPE_CASES,
  ...PARAMETER_CASES,
  ...CAP_CASES,
  ...STREAMING_CASES,
  ...ROW_STREAM_CASES,
  ...CONCURRENCY_CASES,
  ...ERROR_CASES,
  ...EXPLORATION_CASES,
  ...DIAGNOSIS_CASES,
  ...READ_ONLY_CASES,
  ...ACCESS_CASES,
};

/** The cases of the suite. */
export type AdapterCaseId = keyof typeof ADAPTER_CASES;

export interface DescribeAdapterOptions {
  /** What the adapter does not do, and why. A case named here that passes fails the suite. */
  readonly expectedFailures?: Partial<Record<AdapterCaseId, string>> | undefined;
  /** Of one case, with the making of its database. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Of single cases that take another time. */
  readonly timeoutsMs?: Partial<Record<AdapterCaseId, number>> | undefined;
}

/**
 * The conformance suite of adapters, for a vitest file. The cases work on databases that the factory has made from
 * fixtures: introspection, exact values, parameters, quoting, DDL, caps, deadlines, aborts, concurrency, errors, CTEs,
 * exploration, diagnosis, and that reading cannot write (the hostile corpus).
 */
export function describeAdapter(name: string, factory: AdapterFactory, options: DescribeAdapterOptions = {}): void {
  const usualMs = options.timeoutMs ?? 30_000;
  describe(`adapter: ${name}`, () => {
    const room = createBenchRoom(factory);
    afterAll(() => room.dispose(), usualMs);
    for (const [id, adapterCase] of Object.entries<AdapterCase>(ADAPTER_CASES)) {
      const lack = lackOf(factory, adapterCase);
      const reason = options.expectedFailures?.[id as AdapterCaseId];
      const timeoutMs = options.timeoutsMs?.[id as AdapterCaseId] ?? usualMs;
      const name = `${id}: ${adapterCase.title}`;
      if (lack !== undefined) test.skip(`${name} (${lack})`, () => undefined);
      else
        test(
          reason === undefined ? name : `${name} (expected to fail: ${reason})`,
          () => runAdapterCase(id, reason, timeoutMs, () => runInRoom(adapterCase, room)),
          timeoutMs * 2,
        );
    }
  });
}

function lackOf(factory: AdapterFactory, { needs, needsDdl }: AdapterCase): string | undefined {
  if (needsDdl === true && factory.ddl === undefined) return 'the factory gives no `ddl`';
  for (const feature of [needs ?? []].flat()) {
    const lack = factory.lacks?.[feature];
    if (lack !== undefined) return `the engine has no ${feature}: ${lack}`;
  }
  return undefined;
}

/** Runs a case in a room, and leaves nothing of it. */
export async function runInRoom(adapterCase: AdapterCase, room: ReturnType<typeof createBenchRoom>): Promise<void> {
  const { bench, lastStatement, leave } = await room.enter();
  try {
    await adapterCase.run(bench);
  } catch (thrown) {
    const failure = withStatement(thrown, lastStatement());
    // What fails while leaving is of less interest than why the case did.
    await leave(true).catch(() => undefined);
    throw failure;
  }
  await leave(false);
}

/** So many characters of a statement are shown. */
const SHOWN = 2_000;

/** The same error; its message shows the statement that was sent last. */
function withStatement(thrown: unknown, sql: string | undefined): unknown {
  if (!(thrown instanceof Error) || sql === undefined) return thrown;
  const shown = sql.length > SHOWN ? `${sql.slice(0, SHOWN)}…` : sql;
  thrown.message += `\nThe statement that was sent last:\n${shown}`;
  return thrown;
}

/** Runs a case within its time. One that is expected to fail must fail; hanging is failing. */
export async function runAdapterCase(
  id: string,
  reason: string | undefined,
  timeoutMs: number,
  run: () => Promise<void>,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The case "${id}" did not end within ${timeoutMs} ms.`)), timeoutMs);
  });
  const outcome = await Promise.race([run(), timeout]).then(
    () => undefined,
    (thrown: unknown) => ({ thrown }),
  );
  clearTimeout(timer);
  if (reason === undefined && outcome !== undefined) throw outcome.thrown;
  if (reason !== undefined && outcome === undefined)
    throw new Error(`The case "${id}" passes, though it was expected to fail: ${reason}. Take it off the list.`);
}
