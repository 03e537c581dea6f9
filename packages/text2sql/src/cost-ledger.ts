import { addUsage, type EventSink, type Usage } from '@askema/core';

/** What model calls cost that no state knows of. */
export interface CostLedger {
  readonly listen: EventSink;
  /**
   * Of all calls whose step did not come to its end, or whose step stands in parallel threads that did not; unless they
   * are `gathered`.
   */
  readonly unrecorded: (gathered?: boolean) => { readonly usage: Usage; readonly calls: number };
}

/** Calls of one step. */
interface StepCost {
  readonly path: string;
  usage: Usage;
  calls: number;
  isFinished: boolean;
}

/**
 * Counts model calls from the events of a run. A step writes what it spent to its state when it is finished, and the
 * states of parallel threads reach that of the run when all threads are over: what breaks off before that is known here
 * only.
 */
export function createCostLedger(): CostLedger {
  const open = new Map<string, StepCost>();
  return {
    listen(event) {
      if (event.type === 'call' && event.call === 'model-call' && event.data.sent !== false) {
        // A call is a span of its own below that of its step.
        const step = event.parentSpanId ?? event.spanId;
        const cost = open.get(step) ?? { path: event.path, usage: {}, calls: 0, isFinished: false };
        cost.calls += 1;
        cost.usage = addUsage(cost.usage, (event.data.usage ?? {}) as Usage);
        open.set(step, cost);
      } else if (event.type === 'step-finished') {
        const own = open.get(event.spanId);
        if (own !== undefined) own.isFinished = true;
        for (const [span, cost] of open) if (cost.isFinished && isRecorded(cost.path, event.path)) open.delete(span);
      }
    },
    unrecorded(gathered = false) {
      const costs = [...open.values()].filter(({ isFinished }) => !gathered || !isFinished);
      return {
        usage: addUsage(...costs.map(({ usage }) => usage)),
        calls: costs.reduce((sum, { calls }) => sum + calls, 0),
      };
    },
  };
}

/** True when what a finished step spent is in the state of the run now that the step at `finished` has ended. */
function isRecorded(path: string, finished: string): boolean {
  const outermost = outermostParallel(path);
  return outermost === undefined || outermost === finished;
}

/**
 * The path of the outermost parallel node around a step: behind it stand the number of a thread and the name of its
 * flow.
 */
function outermostParallel(path: string): string | undefined {
  const segments = path.split('/');
  const item = segments.findIndex((segment, at) => /^\d+$/.test(segment) && segments[at + 1]?.includes('@') === true);
  return item < 0 ? undefined : segments.slice(0, item).join('/');
}
