import type { EventSink, RunEvent } from '@askema/core';
import { type Context, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { ERROR_TYPE } from '../names.ts';
import { fail } from '../spans/fail.ts';

/** Where something happens: a call context, an event. */
interface Place {
  readonly runId: string;
  readonly path: string;
}

interface OpenSpan {
  readonly span: Span;
  /** What was active when its run started, with this span: for what stands below it. */
  readonly below: Context;
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
 */
export class RunSpans {
  readonly #options: RunSpanOptions;
  readonly #runs = new Map<string, Map<string, OpenSpan>>();

  constructor(options: RunSpanOptions) {
    this.#options = options;
  }

  /** Has the span of the step (or run) that a call is made by; outside of runs, what is active. */
  contextOf(place: Place): Context {
    return this.#nearest(place)?.below ?? context.active();
  }

  readonly listen: EventSink = (event) => {
    switch (event.type) {
      case 'run-started':
        return this.#startRun(event);
      case 'run-finished':
        return this.#endRun(event, { 'askema.run.outcome': 'finished', 'askema.run.action': event.action });
      case 'run-suspended':
        return this.#endRun(event, { 'askema.run.outcome': 'suspended' });
      case 'run-failed':
        return this.#endRun(event, {
          'askema.run.outcome': event.error.code === 'ABORTED' ? 'cancelled' : 'failed',
        });
      case 'step-started':
        return this.#startStep(event);
      case 'step-finished':
        return this.#endStep(event, (span) =>
          span.setAttributes({ 'askema.step.action': event.action, 'askema.step.replayed': event.replayed }),
        );
      case 'step-failed':
        return this.#endStep(event, (span) => fail(span, event.error, this.#options.errorMessages));
      case 'step-retried':
        this.#nearest(event)?.span.addEvent('step-retried', {
          'askema.step.attempt': event.attempt,
          [ERROR_TYPE]: event.error.code,
        });
        return undefined;
      default:
        // Model calls and statements are spans; what else happened is worth its name alone.
        if (event.call !== 'model-call' && event.call !== 'query') this.#nearest(event)?.span.addEvent(event.call);
        return undefined;
    }
  };

  #startRun(event: Extract<RunEvent, { readonly type: 'run-started' }>): void {
    const { genAi } = this.#options;
    const attributes = {
      'askema.run.id': event.runId,
      'askema.flow': event.flow,
      'askema.run.resumed': event.resumed,
      ...(genAi ? { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': event.flow } : {}),
    };
    this.#open(event, `${genAi ? 'invoke_workflow' : 'run'} ${event.flow}`, attributes);
  }

  #startStep(event: Extract<RunEvent, { readonly type: 'step-started' }>): void {
    const attributes = { 'askema.step': event.step, 'askema.step.visit': event.visit, 'askema.path': event.path };
    this.#open(event, `step ${event.step}`, attributes);
  }

  #open(place: Place, name: string, attributes: Readonly<Record<string, string | number | boolean>>): void {
    const parent = this.contextOf(place);
    const span = this.#options.tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, parent);
    let spans = this.#runs.get(place.runId);
    if (spans === undefined) {
      spans = new Map();
      this.#runs.set(place.runId, spans);
    }
    spans.get(place.path)?.span.end();
    spans.set(place.path, { span, below: trace.setSpan(parent, span) });
  }

  #endStep(place: Place, say: (span: Span) => void): void {
    const spans = this.#runs.get(place.runId);
    const span = spans?.get(place.path)?.span;
    if (spans === undefined || span === undefined) return;
    say(span);
    span.end();
    spans.delete(place.path);
    if (spans.size === 0) this.#runs.delete(place.runId);
  }

  #endRun(
    event: Extract<RunEvent, { readonly type: 'run-finished' | 'run-suspended' | 'run-failed' }>,
    outcome: Readonly<Record<string, string>>,
  ): void {
    const { metrics, errorMessages } = this.#options;
    const error = event.type === 'run-failed' ? event.error : undefined;
    // Steps that wait for an answer, and those that were left when another one failed, say nothing of their end.
    const spans = this.#runs.get(event.runId);
    for (const path of spans?.keys() ?? [])
      if (path.startsWith(`${event.path}/`)) this.#endStep({ ...event, path }, noop);
    const flow = event.path.replace(/@[^@]*$/, '');
    metrics.run(flow, outcome, error?.code);
    this.#endStep(event, (span) => {
      span.setAttributes(outcome);
      if (error !== undefined) fail(span, error, errorMessages);
    });
  }

  /** Of the place itself, or of what it stands in. */
  #nearest({ runId, path }: Place): OpenSpan | undefined {
    const spans = this.#runs.get(runId);
    if (spans === undefined) return undefined;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const open = spans.get(path.slice(0, end));
      if (open !== undefined) return open;
    }
    return undefined;
  }
}

const noop = (): void => undefined;
