import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { AskemaError, type EventSink, type RunEvent, redactSecrets } from '@askema/core';
import { formatDuration } from '../../terminal/duration.ts';
import { printable } from '../../terminal/printable.ts';

/** Collects the events of a run and shows them as a tree. */
interface TraceTree {
  readonly sink: EventSink;
  /** One line an event, indented by its span; empty when nothing happened. */
  render(): string;
}

/** The longest text of one value in a line. */
const VALUE_LENGTH = 160;

/** A tree of the run for people: what started, how it ended, how long it took. */
export function createTraceTree(): TraceTree {
  const events: RunEvent[] = [];
  return {
    sink: (event) => {
      events.push(event);
    },
    render: () => renderTree(events),
  };
}

function renderTree(events: readonly RunEvent[]): string {
  const startedAt = events[0]?.at ?? 0;
  const parents = new Map<string, string | undefined>();
  for (const event of events) {
    if (!parents.has(event.spanId)) parents.set(event.spanId, event.parentSpanId);
  }
  return events
    .map((event) => {
      const at = `${((event.at - startedAt) / 1_000).toFixed(3)}s`.padStart(9);
      return `${at} ${'  '.repeat(depthOf(event, parents))}${describeEvent(event)}\n`;
    })
    .join('');
}

/** How many spans stand above this one. */
function depthOf(event: RunEvent, parents: ReadonlyMap<string, string | undefined>): number {
  const seen = new Set<string>();
  let span = event.parentSpanId;
  while (span !== undefined && !seen.has(span)) {
    seen.add(span);
    span = parents.get(span);
  }
  return seen.size;
}

function describeEvent(event: RunEvent): string {
  switch (event.type) {
    case 'run-started':
      return line(`run ${event.flow}`, { run: event.runId, ...(event.resumed ? { resumed: true } : {}) });
    case 'run-finished':
      return line(`run ended: ${event.action}`, { took: formatDuration(event.elapsedMs), outcome: event.outcome });
    case 'run-suspended':
      return line('run suspended', {});
    case 'run-failed':
      return line(`run failed: ${event.error.code}`, { message: event.error.message });
    case 'step-started':
      return line(`> ${event.step}`, event.visit > 1 ? { visit: event.visit } : {});
    case 'step-finished':
      return line(`< ${event.step}: ${event.action}`, {
        took: formatDuration(event.elapsedMs),
        ...(event.replayed ? { replayed: true } : {}),
      });
    case 'step-retried':
      return line(`! ${event.step}, attempt ${event.attempt}: ${event.error.code}`, { message: event.error.message });
    case 'step-failed':
      return line(`! ${event.step} failed: ${event.error.code}`, { message: event.error.message });
    case 'call':
      return line(event.call, event.data);
  }
}

function line(head: string, data: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${fieldText(value)}`);
  return printable(redactSecrets([head, ...fields].join(' ')));
}

function fieldText(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 10) / 10);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}

/** Writes the events of a run. */
interface TraceFile {
  readonly sink: EventSink;
  close(): void;
}

/**
 * A trace as JSON lines: each event is on disk as soon as it happened, so that a stopped run leaves its trace. A file
 * of that name is replaced.
 *
 * @throws AskemaError `INPUT_INVALID` when the name does not end in `.jsonl` (nothing else is ever overwritten) or
 * cannot be written.
 */
export function openTraceFile(name: string, cwd: string): TraceFile {
  if (!name.endsWith('.jsonl')) {
    throw new AskemaError(
      'INPUT_INVALID',
      `--trace ${JSON.stringify(name)}: the name of a trace file ends in .jsonl. To see the trace on the terminal, put --trace last.`,
    );
  }
  let descriptor: number;
  try {
    descriptor = openSync(resolve(cwd, name), 'w');
  } catch (error) {
    throw new AskemaError('INPUT_INVALID', `--trace ${name} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
  let isOpen = true;
  return {
    sink: (event) => {
      if (isOpen) writeSync(descriptor, `${JSON.stringify(event, redactField)}\n`);
    },
    close() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function redactField(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'string' ? redactSecrets(value) : value;
}
