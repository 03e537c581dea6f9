export type { AdapterTracingOptions } from './calls/trace-adapter.ts';
export type { Handler, TraceCarrier } from './remote/continue-trace.ts';
export { type TracedContent, type Tracing, type TracingOptions, tracing } from './tracing.ts';
