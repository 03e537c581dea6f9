import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { AskemaError, type EventSink, redactSecrets } from '@askema/core';

/** Writes the events of a run. */
export interface TraceFile {
  readonly sink: EventSink;
  close(): void;
}

/**
 * A trace as JSON lines: each event is on disk as soon as it happened, so that a stopped run leaves its trace. A file of that name
 * is replaced.
 *
 * @throws AskemaError `INPUT_INVALID` when the name does not end in `.jsonl` (nothing else is ever overwritten) or cannot be written.
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
