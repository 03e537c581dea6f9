import type { EventSink, RunEvent } from '@askema/core';
import { context, type Span, SpanKind, type SpanOptions, type Tracer } from '@opentelemetry/api';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { ERROR_TYPE } from '../names.ts';
import { type Begun, beginSpan } from '../spans/begin-span.ts';
import { fail } from '../spans/fail.ts';

/** Where something happens: a call context, an event. */
interface Place {
  readonly runId: string;
  readonly path: string;
}

/** What a run or a step says of itself when it begins. */
type Beginning = Readonly<Record<string, string | number | boolean>>;

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
 * Where one is not recorded, nothing below it is begun. Most runs of a program that samples are such runs: they are
 * remembered by their id alone, and their events cost a look.
 */
export class RunSpans {
  readonly #options: RunSpanOptions;
  readonly #runs = new Map<string, Map<string, Begun>>();
  readonly #unrecorded = new Map<string, { readonly path: string; readonly root: Begun }>();

  constructor(options: RunSpanOptions) {
    this.#options = options;
  }

  /** Begins what a call does, below the step (or run) that makes it; outside of runs, below what is active. */
  begin(place: Place, name: string, options: SpanOptions): Begun {
    const above = this.#above(place);
    if (above !== undefined && above.span === undefined) return above;
    return beginSpan(this.#options.tracer, name, options, above?.active ?? context.active());
  }

  /** What stands above the calls of a run that is not recorded; undefined for any other run. */
  unrecorded(runId: string): Begun | undefined {
    return this.#unrecorded.get(runId)?.root;
  }

  readonly listen: EventSink = (event) => {
    if (this.#unrecorded.size > 0 && this.#passes(event)) return undefined;
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

  /** True for an event of a run that is not recorded; its end is still counted. */
  #passes(event: RunEvent): boolean {
    const { runId, path, type } = event;
    const run = this.#unrecorded.get(runId);
    if (run === undefined) return false;
    if (type === 'run-started') {
      // The same run again, whose end was not told.
      this.#unrecorded.delete(runId);
      return false;
    }
    if (isEnd(event)) this.#count(event);
    if (path === run.path && (isEnd(event) || type === 'step-finished' || type === 'step-failed'))
      this.#unrecorded.delete(runId);
    return true;
  }

  #startRun(event: Extract<RunEvent, { readonly type: 'run-started' }>): void {
    const { genAi } = this.#options;
    this.#open(event, `${genAi ? 'invoke_workflow' : 'run'} ${event.flow}`, {
      'askema.run.id': event.runId,
      'askema.flow': event.flow,
      'askema.run.resumed': event.resumed,
      ...(genAi ? { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.agent.name': event.flow } : {}),
    });
  }

  #open(place: Place, name: string, attributes: Beginning): void {
    const { runId, path } = place;
    const above = this.#above(place);
    if (above !== undefined && above.span === undefined) return;
    const options = { kind: SpanKind.INTERNAL, attributes };
    const begun = beginSpan(this.#options.tracer, name, options, above?.active ?? context.active());
    const spans = this.#runs.get(runId);
    if (spans !== undefined) {
      spans.get(path)?.span?.end();
      spans.set(path, begun);
    } else if (begun.span === undefined) this.#unrecorded.set(runId, { path, root: begun });
    else this.#runs.set(runId, new Map([[path, begun]]));
  }

  #endStep(place: Place, say: (span: Span) => void): void {
    const spans = this.#runs.get(place.runId);
    const begun = spans?.get(place.path);
    if (spans === undefined || begun === undefined) return;
    if (begun.span !== undefined) {
      say(begun.span);
      begun.span.end();
    }
    spans.delete(place.path);
    if (spans.size === 0) this.#runs.delete(place.runId);
  }

  #endRun(event: RunEnd): void {
    // Steps that wait for an answer, and those that were left when another one failed, say nothing of their end.
    const spans = this.#runs.get(event.runId);
    for (const path of spans?.keys() ?? [])
      if (path.startsWith(`${event.path}/`)) this.#endStep({ ...event, path }, noop);
    this.#count(event);
    this.#endStep(event, (span) => {
      span.setAttributes(endOf(event));
      if (event.type === 'run-failed') fail(span, event.error, this.#options.errorMessages);
    });
  }

  #count(event: RunEnd): void {
    const { metrics } = this.#options;
    if (!metrics.isOn) return;
    const error = event.type === 'run-failed' ? event.error.code : undefined;
    const seconds = 'elapsedMs' in event ? event.elapsedMs / 1_000 : undefined;
    metrics.run({ 'askema.flow': event.path.replace(/@[^@]*$/, ''), ...endOf(event) }, seconds, error);
  }

  #above(place: Place): Begun | undefined {
    return this.#unrecorded.get(place.runId)?.root ?? this.#nearest(place);
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

function isEnd(event: RunEvent): event is RunEnd {
  return event.type === 'run-finished' || event.type === 'run-suspended' || event.type === 'run-failed';
}

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

const noop = (): void => undefined;
