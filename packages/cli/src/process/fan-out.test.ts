import type { EventSink, RunEvent } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { fanOut } from './fan-out.ts';

test('a listener that fails, at once or later, keeps nothing from the others', () => {
  const event = { type: 'run-started' } as RunEvent;
  const heard = vi.fn<EventSink>();
  const throws: EventSink = () => {
    throw new Error('at once');
  };
  // Vitest fails where a rejection is not handled.
  const rejects: EventSink = async () => {
    throw new Error('later');
  };
  fanOut([throws, rejects, undefined, heard])(event);
  expect(heard.mock.calls).toEqual([[event]]);
});
