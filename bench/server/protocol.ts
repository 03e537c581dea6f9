import type { EngineName } from '../throughput/engines.ts';

/** What a server is started with. */
export interface ServerRequest {
  readonly kind: 'askema' | 'driver';
  readonly engine: EngineName;
  readonly place: string;
  /** Where askema keeps its runs. Default: `jsonl`, as `askema serve` does. */
  readonly journal?: 'jsonl' | 'memory' | undefined;
}

/** What the process tells of itself. */
export interface Told {
  readonly ownSeconds: number;
  readonly engineSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
}

/** The keys of callers; each is a tenant of its own. */
export const KEYS = ['one', 'two'] as const;

/** The model never answers it. */
export const IDLE_QUESTION = 'Which question stands still?';
