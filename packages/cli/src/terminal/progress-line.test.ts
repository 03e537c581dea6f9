import type { RunEvent } from '@askema/core';
import { describe, expect, it, vi } from 'vitest';
import { createRunProgress } from '../commands/ask/run-progress.ts';
import { createOutput } from '../process/output.ts';
import { memoryHost } from '../testing/memory-host.ts';
import { startProgressLine } from './progress-line.ts';

const ERASE = '\r\u001b[2K';

describe('startProgressLine', () => {
  it('writes nothing where there is no terminal', async () => {
    const host = memoryHost();
    const line = startProgressLine(createOutput(host.stderr, {}));
    line.show('working');
    await line.stop();
    expect(host.written.stderr).toBe('');
  });

  it('writes nothing to a dumb terminal', async () => {
    const host = memoryHost({ columns: 80 });
    const line = startProgressLine(createOutput(host.stderr, { TERM: 'dumb' }));
    line.show('working');
    await line.stop();
    expect(host.written.stderr).toBe('');
  });

  it('rewrites one line that fits, and takes it away at the end', async () => {
    const host = memoryHost({ columns: 30 });
    const line = startProgressLine(createOutput(host.stderr, { NO_COLOR: '1' }), () => 0);
    line.show(`a step with a name that is far too long for this terminal\n\u001b[2J`);
    await line.stop();
    const [before, drawn, after] = host.written.stderr.split(ERASE);
    expect(before).toBe('');
    expect(drawn).toHaveLength(29);
    expect(drawn).toMatch(/^. a step with .*…$/);
    expect(after).toBe('');
  });

  it('says how long it has been', async () => {
    vi.useFakeTimers();
    try {
      const host = memoryHost({ columns: 80 });
      const line = startProgressLine(createOutput(host.stderr, { NO_COLOR: '1' }));
      line.show('generateSql');
      vi.advanceTimersByTime(2_100);
      await line.stop();
      expect(host.written.stderr).toMatch(/generateSql · 2\.1 s/);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is silent while it is paused', async () => {
    vi.useFakeTimers();
    try {
      const host = memoryHost({ columns: 80 });
      const line = startProgressLine(createOutput(host.stderr, { NO_COLOR: '1' }));
      line.show('one');
      line.pause();
      const paused = host.written.stderr;
      vi.advanceTimersByTime(1_000);
      expect(host.written.stderr).toBe(paused);
      line.show('two');
      expect(host.written.stderr).toContain('two');
      await line.stop();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('createRunProgress', () => {
  it('shows the step and counts model calls', () => {
    const shown: string[] = [];
    const sink = createRunProgress({ show: (text) => shown.push(text), pause: () => {}, stop: async () => {} });
    const base = { runId: 'r', spanId: '1', path: 'p', at: 0 };
    const events: RunEvent[] = [
      { ...base, type: 'run-started', flow: 'plain', resumed: false },
      { ...base, type: 'step-started', step: 'generateSql', visit: 1 },
      { ...base, type: 'call', call: 'model-call', data: {} },
      { ...base, type: 'call', call: 'query', data: {} },
      { ...base, type: 'step-started', step: 'debugSql', visit: 1 },
      { ...base, type: 'call', call: 'model-retry', data: {} },
      { ...base, type: 'call', call: 'model-call', data: {} },
    ];
    for (const event of events) sink(event);
    expect(shown).toEqual([
      'generateSql',
      'generateSql · 1 model call',
      'debugSql · 1 model call',
      'debugSql · the model did not answer, trying again',
      'debugSql · 2 model calls',
    ]);
  });

  it('says in words what the steps of the default flow do, and names others', () => {
    const shown: string[] = [];
    const sink = createRunProgress({ show: (text) => shown.push(text), pause: () => {}, stop: async () => {} });
    for (const step of ['weigh-readings', 'generate-sql', 'doubt-answer', 'constructor', 'my-own'])
      sink({ runId: 'r', spanId: '1', path: 'p', at: 0, type: 'step-started', step, visit: 1 });
    expect(shown).toEqual([
      'looking for what the question may mean',
      'writing',
      'looking for doubts about the answer',
      'constructor',
      'my-own',
    ]);
  });

  it('says which of several threads does what', () => {
    const shown: string[] = [];
    const sink = createRunProgress({ show: (text) => shown.push(text), pause: () => {}, stop: async () => {} });
    const base = { runId: 'r', spanId: '1', at: 0 };
    const at = (wave: number, item: number) => ({
      ...base,
      path: `refine@1/threads#${wave}/${item}/refine-thread@1/x#1`,
    });
    sink({ ...at(1, 1), type: 'step-started', step: 'explore-columns', visit: 1 });
    sink({ ...at(1, 1), type: 'call', call: 'refine-thread', data: { thread: 2, threads: 3 } });
    sink({ ...at(2, 0), type: 'call', call: 'refine-thread', data: { thread: 3, threads: 3 } });
    sink({ ...at(2, 0), type: 'step-started', step: 'review', visit: 1 });
    sink({ ...at(1, 1), type: 'step-started', step: 'my-own', visit: 1 });
    sink({ ...base, path: 'refine@1/vote#1', type: 'step-started', step: 'vote', visit: 1 });
    expect(shown).toEqual([
      'exploring',
      'thread 2 of 3: exploring',
      'thread 2 of 3: exploring',
      'thread 3 of 3: reviewing',
      'thread 2 of 3: my-own',
      'comparing answers',
    ]);
  });
});
