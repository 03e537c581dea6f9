import {
  type Context,
  isSpanContextValid,
  type Span,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Something that has begun, as a trace sees it. */
export type Begun = Recorded | Unrecorded;

interface Recorded {
  readonly span: Span;
  /** Active while it goes on, so that what it does by itself stands below its span. */
  readonly active: Context;
}

/** Begins a span, if the SDK records it. Below a span that this process has dropped, the SDK is not asked. */
export function beginSpan(tracer: Tracer, name: string, options: SpanOptions, parent: Context): Begun {
  const above = trace.getSpan(parent);
  if (above !== undefined && isDropped(above)) return new Unrecorded(parent, undefined);
  const span = tracer.startSpan(name, options, parent);
  return span.isRecording() ? { span, active: trace.setSpan(parent, span) } : new Unrecorded(parent, span);
}

/** What is not recorded: nothing below it is. */
class Unrecorded {
  readonly span = undefined;
  readonly #parent: Context;
  readonly #dropped: Span | undefined;
  #active: Context | undefined;

  constructor(parent: Context, dropped: Span | undefined) {
    this.#parent = parent;
    this.#dropped = dropped;
  }

  /**
   * Tells others, such as an instrumentation of HTTP, that it is not recorded; undefined without an SDK. Made on
   * demand, because making a context takes longer than all the rest.
   */
  get active(): Context | undefined {
    if (this.#dropped === undefined) return this.#parent;
    if (!isSpanContextValid(this.#dropped.spanContext())) return undefined;
    this.#active ??= trace.setSpan(this.#parent, this.#dropped);
    return this.#active;
  }
}

/** True for a span that the sampler of this process dropped. What another process dropped binds nobody here. */
function isDropped(span: Span): boolean {
  if (span.isRecording()) return false;
  const at = span.spanContext();
  return at.isRemote !== true && (at.traceFlags & TraceFlags.SAMPLED) === 0 && isSpanContextValid(at);
}
