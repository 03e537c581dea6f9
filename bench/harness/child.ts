/**
 * Measures one contender at one size, in a process of its own, and sends what it found. Started by
 * `measure-comparison.ts` only.
 */
import type { Bench } from './bench.ts';
import { measureWork, QUICK_REPETITION, REPETITION } from './measure-work.ts';

/** What the parent asks. */
export interface ChildRequest {
  /** URL of the file of the bench. */
  readonly file: string;
  readonly comparison: string;
  readonly contender: string;
  readonly size: number;
  readonly smallest: number;
  readonly quick: boolean;
}

const request = JSON.parse(process.argv[2] ?? '') as ChildRequest;
const { bench } = (await import(request.file)) as { readonly bench: Bench };
const comparison = bench.parts.find(({ id }) => id === request.comparison);
const contender =
  comparison?.kind === 'comparison' ? comparison.contenders.find(({ name }) => name === request.contender) : undefined;
if (contender === undefined) throw new Error(`${request.file} has no ${request.comparison} of ${request.contender}.`);

const small = await contender.prepare(request.smallest);
const work = 'absent' in small || request.smallest === request.size ? small : await contender.prepare(request.size);
if ('absent' in work) {
  process.send?.({ absent: work.absent });
} else {
  const before = small === work || 'absent' in small ? undefined : small;
  const measured = await measureWork(work, before, request.quick ? QUICK_REPETITION : REPETITION);
  await work.close?.();
  process.send?.({ measured });
}
process.disconnect?.();
// Peers may leave servers or timers behind.
process.exitCode = 0;
setTimeout(() => process.exit(0), 50).unref();
