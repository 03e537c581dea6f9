import { describe, expect, it } from 'vitest';
import { iterateEvents } from './iterate-events.ts';
import type { EventSink, RunEvent } from './run-event.ts';

function event(number: number): RunEvent {
  return { type: 'step-started', runId: 'r', spanId: String(number), path: 'f', at: number, step: 's', visit: number };
}
const label = (item: { readonly type: string; readonly at?: number; readonly count?: number }): string =>
  item.type === 'events-dropped' ? `dropped ${item.count}` : String(item.at);

describe('iterateEvents', () => {
  it('gives all events to a loop that keeps up, and then the result', async () => {
    const run = iterateEvents(async (onEvent) => {
      for (let number = 1; number <= 3; number += 1) {
        await Promise.resolve();
        onEvent(event(number));
      }
      return 'result';
    });
    const seen: string[] = [];
    for await (const item of run) seen.push(label(item));
    expect(seen).toEqual(['1', '2', '3']);
    await expect(run.result).resolves.toBe('result');
  });

  it('drops the oldest events beyond the limit and says how many', async () => {
    let send: EventSink = () => {};
    let finish: () => void = () => {};
    const run = iterateEvents(
      (onEvent) => {
        send = onEvent;
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
      { limit: 2 },
    );
    const seen: string[] = [];
    for (let number = 1; number <= 5; number += 1) send(event(number));
    for await (const item of run) {
      seen.push(label(item));
      if (seen.length === 3) for (let number = 6; number <= 8; number += 1) send(event(number));
      if (seen.length === 6) finish();
    }
    expect(seen).toEqual(['dropped 3', '4', '5', 'dropped 1', '7', '8']);
  });

  it('ends with the error of the run, after its last event', async () => {
    const run = iterateEvents(async (onEvent) => {
      onEvent(event(1));
      throw new Error('broken');
    });
    const seen: string[] = [];
    const loop = (async () => {
      for await (const item of run) seen.push(label(item));
    })();
    await expect(loop).rejects.toThrow('broken');
    expect(seen).toEqual(['1']);
    await expect(run.result).rejects.toThrow('broken');
  });

  it('keeps nothing for a loop that has left, and leaves the run alone', async () => {
    let send: EventSink = () => {};
    let finish: (value: string) => void = () => {};
    const run = iterateEvents((onEvent) => {
      send = onEvent;
      return new Promise<string>((resolve) => {
        finish = resolve;
      });
    });
    send(event(1));
    for await (const _item of run) break;
    send(event(2));
    finish('done');
    await expect(run.result).resolves.toBe('done');
    const late: string[] = [];
    for await (const item of run) late.push(label(item));
    expect(late).toEqual([]);
  });

  it('gives ten thousand events in order', async () => {
    const run = iterateEvents(
      async (onEvent) => {
        for (let number = 1; number <= 10_000; number += 1) onEvent(event(number));
      },
      { limit: 10_000 },
    );
    let last = 0;
    for await (const item of run) {
      expect(label(item)).toBe(String(last + 1));
      last += 1;
    }
    expect(last).toBe(10_000);
  });
});
