import type { EventSink, RunEvent } from '@askema/core';
import { type Attributes, context, type Span, SpanKind, type SpanOptions, type Tracer } from '@opentelemetry/api';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { ERROR_TYPE } from '../names.ts';
import { type Begun, beginSpan } from '../spans/begin-span.ts';
import { fail } from '../spans/fail.ts';

/** Where something happens: a call context, an event. */
interface Place {
  readonly runId: string;
  readonly path: string;
}

export interface RunSpanOptions {
  readonly tracer: Tracer;
  readonly metrics: CallMetrics;
  /** Names and attributes of the GenAI conventions. */
  readonly genAi: boolean;
  /** Messages of errors stand in the status. */
  readonly errorMessages: boolean;
}

/**
 * The open spans of runs and steps, by their path. A path says what stands in what, also of steps that run at the same
 * time; what is active in the process does not, because events come to a listener from wherever they happen.
 *
 * Where one is not recorded, nothing below it is begun.
 */
export class RunSpans {
  readonly #options: RunSpanOptions;
  readonly #runs = new Map<string, Map<string, Begun>>();
  /** Runs that were resumed, of which no step has done anything yet. */
  readonly #readBack = new Set<string>();

  constructor(options: RunSpanOptions) {
    this.#options = options;
  }

  /** Begins what a call does, below the step (or run) that makes it; outside of runs, below what is active. */
  begin(place: Place, name: string, options: SpanOptions): Begun {
    const above = this.#nearest(place);
    if (above !== undefined && above.span === undefined) return above;
    return beginSpan(this.#options.tracer, name, options, above?.active ?? context.active());
  }

  readonly listen: EventSink = (event) => {
    switch (event.type) {
      case 'run-started':
        return this.#startRun(event);
      case 'run-finished':
      case 'run-suspended':
      case 'run-failed':
        return this.#endRun(event);
      case 'step-started':
        return this.#open(event, `step ${event.step}`, {
          'askema.step': event.step,
          'askema.step.visit': event.visit,
          'askema.path': event.path,
        });
      case 'step-finished':
        if (!event.replayed) this.#readBack.delete(event.runId);
        return this.#endStep(event, (span) =>
          span.setAttributes({ 'askema.step.action': event.action, 'askema.step.replayed': event.replayed }),
        );
      case 'step-failed':
        return this.#endStep(event, (span) => fail(span, event.error, this.#options.errorMessages));
      case 'step-retried':
        this.#nearest(event)?.span?.addEvent('step-retried', {
          'askema.step.attempt': event.attempt,
          [ERROR_TYPE]: event.error.code,
        });
        return undefined;
      default:
        // Model calls and statements are spans; what else happened is worth its name alone.
        if (event.call !== 'model-call' && event.call !== 'query') this.#nearest(event)?.span?.addEvent(event.call);
        return undefined;
    }
  };

  #startRun(event: Extract<RunEvent, { readonly type: 'run-started' }>): void {
    const { genAi } = this.#options;
    // It may have begun before without an end: its journal failed.
    this.#endAll(event.runId);
    if (event.resumed) this.#readBack.add(event.runId);
    this.#open(event, `${genAi ? 'invoke_workflow' : 'run'} ${event.flow}`, {
      'askema.run.id': event.runId,
      'askema.flow': event.flow,
      'askema.run.resumed': event.resumed,
      ...(genAi ? { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.agent.name': event.flow } : {}),
    });
  }

  #open(place: Place, name: string, attributes: Attributes): void {
    const begun = this.begin(place, name, { kind: SpanKind.INTERNAL, attributes });
    const spans = this.#runs.get(place.runId);
    if (spans === undefined) this.#runs.set(place.runId, new Map([[place.path, begun]]));
    else spans.set(place.path, begun);
  }

  #endStep({ runId, path }: Place, say: (span: Span) => void): void {
    const spans = this.#runs.get(runId);
    const span = spans?.get(path)?.span;
    if (span !== undefined) {
      say(span);
      span.end();
    }
    spans?.delete(path);
    if (spans?.size === 0) this.#runs.delete(runId);
  }

  #endRun(event: RunEnd): void {
    const isReadBack = this.#readBack.has(event.runId) && event.type === 'run-finished';
    // It was counted where it was worked on, which may have been another process. One that was killed between its last
    // step and its end looks the same, and is not counted.
    if (!isReadBack) this.#count(event);
    const span = this.#runs.get(event.runId)?.get(event.path)?.span;
    span?.setAttributes(endOf(event));
    if (span !== undefined && event.type === 'run-failed') fail(span, event.error, this.#options.errorMessages);
    this.#endAll(event.runId);
  }

  /** Steps that wait for an answer, and those that were left when another one failed, say nothing of their end. */
  #endAll(runId: string): void {
    const spans = [...(this.#runs.get(runId)?.values() ?? [])];
    for (const { span } of spans.reverse()) span?.end();
    this.#runs.delete(runId);
    this.#readBack.delete(runId);
  }

  #count(event: RunEnd): void {
    const { metrics } = this.#options;
    if (!metrics.isOn) return;
    const error = event.type === 'run-failed' ? event.error.code : undefined;
    const seconds = 'elapsedMs' in event ? event.elapsedMs / 1_000 : undefined;
    metrics.run({ 'askema.flow': event.path.replace(/@[^@]*$/, ''), ...endOf(event) }, seconds, error);
  }

  /** Of the place itself, or of what it stands in. */
  #nearest({ runId, path }: Place): Begun | undefined {
    const spans = this.#runs.get(runId);
    if (spans === undefined) return undefined;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const open = spans.get(path.slice(0, end));
      if (open !== undefined) return open;
    }
    return undefined;
  }
}

type RunEnd = Extract<RunEvent, { readonly type: 'run-finished' | 'run-suspended' | 'run-failed' }>;

/** How a run ended, as its span and its count say it. */
function endOf(event: RunEnd): Readonly<Record<string, string>> {
  const outcome = event.outcome === undefined ? undefined : { 'askema.outcome': event.outcome };
  switch (event.type) {
    case 'run-finished':
      return { 'askema.run.outcome': 'finished', 'askema.run.action': event.action, ...outcome };
    case 'run-suspended':
      return { 'askema.run.outcome': 'suspended', ...outcome };
    case 'run-failed':
      return { 'askema.run.outcome': event.error.code === 'ABORTED' ? 'cancelled' : 'failed', ...outcome };
  }
}
