import type { CallContext } from '../context/call-context.ts';

/** Tells the listener of a call, if there is one. A listener that throws must not make a call fail. */
export function emitEvent(context: CallContext, type: string, data: Readonly<Record<string, unknown>>): void {
  try {
    context.emit?.({ type, data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) });
  } catch {
    // What a listener throws is dropped, see EventSink.
  }
}
