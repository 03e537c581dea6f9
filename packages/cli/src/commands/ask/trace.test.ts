import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '@askema/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTraceTree, openTraceFile } from './trace.ts';

const error = {
  askemaError: 1,
  code: 'QUERY_FAILED',
  message: 'no such table: x',
  retryable: false,
  details: {},
} as const;
const run = { runId: 'r1', spanId: '1', path: 'plain@1' };
const step = { runId: 'r1', spanId: '2', parentSpanId: '1', path: 'plain@1/executeSql#1' };
const call = { runId: 'r1', spanId: '3', parentSpanId: '2', path: 'plain@1/executeSql#1/call#1' };
const EVENTS: readonly RunEvent[] = [
  { ...run, at: 1_000, type: 'run-started', flow: 'plain', resumed: false },
  { ...step, at: 1_005, type: 'step-started', step: 'executeSql', visit: 2 },
  {
    ...call,
    at: 1_010,
    type: 'call',
    call: 'query',
    data: { sql: 'SELECT\u001b[2J 1', note: 'password=hunter2000', rows: 1 },
  },
  { ...step, at: 1_100, type: 'step-failed', step: 'executeSql', error, elapsedMs: 95 },
  { ...run, at: 2_234, type: 'run-finished', action: 'done', elapsedMs: 1_234 },
];

describe('createTraceTree', () => {
  it('shows what happened inside what, and when', () => {
    const tree = createTraceTree();
    for (const event of EVENTS) tree.sink(event);
    expect(tree.render()).toBe(
      [
        '   0.000s run plain run=r1',
        '   0.005s   > executeSql visit=2',
        '   0.010s     query sql=SELECT\\u{1b}[2J 1 note=password=[redacted] rows=1',
        '   0.100s   ! executeSql failed: QUERY_FAILED message=no such table: x',
        '   1.234s run ended: done took=1.2 s',
        '',
      ].join('\n'),
    );
  });
});

describe('openTraceFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'askema-trace-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has each event on disk at once, without secrets', () => {
    const file = openTraceFile('run.jsonl', folder);
    const read = () => readFileSync(join(folder, 'run.jsonl'), 'utf8').trimEnd().split('\n');
    for (const [index, event] of EVENTS.entries()) {
      file.sink(event);
      expect(JSON.parse(read().at(-1) ?? '')).toMatchObject({ type: event.type, at: event.at });
      expect(read()).toHaveLength(index + 1);
    }
    file.close();
    file.close();
    file.sink(EVENTS[0]!);
    expect(read()).toHaveLength(EVENTS.length);
    expect(read().join()).not.toContain('hunter2000');
  });

  it('overwrites nothing but a trace', () => {
    writeFileSync(join(folder, 'shop.sqlite'), 'precious');
    expect(() => openTraceFile('shop.sqlite', folder)).toThrow(/ends in \.jsonl.*put --trace last/);
    expect(readFileSync(join(folder, 'shop.sqlite'), 'utf8')).toBe('precious');
    expect(() => openTraceFile('gone/run.jsonl', folder)).toThrow(/cannot be written/);
  });
});
