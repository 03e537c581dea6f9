import type { iterateEvents } from '@askema/core';

/** The events of work under way, to be read once, and what it comes to. */
export type EventIteration<T> = ReturnType<typeof iterateEvents<T>>;
