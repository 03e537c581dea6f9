import { type Context, isSpanContextValid, type Span, type SpanOptions, type Tracer, trace } from '@opentelemetry/api';

/** Something that has begun, as a trace sees it. */
export type Begun =
  | {
      readonly span: Span;
      /** Active while it goes on, so that what it does by itself stands below its span. */
      readonly active: Context;
    }
  | {
      /** It is not recorded, and nothing below it is. */
      readonly span: undefined;
      /** Tells others, such as an instrumentation of HTTP, that it is not recorded. Undefined without an SDK. */
      readonly active: Context | undefined;
    };

const NOTHING: Begun = { span: undefined, active: undefined };

/** Begins a span, where the SDK records it. */
export function beginSpan(tracer: Tracer, name: string, options: SpanOptions, parent: Context): Begun {
  const span = tracer.startSpan(name, options, parent);
  if (span.isRecording()) return { span, active: trace.setSpan(parent, span) };
  return isSpanContextValid(span.spanContext()) ? { span: undefined, active: trace.setSpan(parent, span) } : NOTHING;
}
