import type { Row } from '../../values/value.ts';

/**
 * The types of one driver that runs in processes of its own. A type alone: the process's program imports what follows
 * from it with `import type`, so that it stays one file which needs nothing of this package when it runs.
 */
export interface DriverTalk {
  /** What a process must know before its first request. */
  readonly settings: unknown;
  /** What it can be asked. */
  readonly request: unknown;
  /** How it describes a column. */
  readonly column: unknown;
  /** Why a request failed; the caller's side makes an AskemaError of it. */
  readonly failure: unknown;
  /** What a process adds when it says that it is ready. */
  readonly ready: object;
  /**
   * What a process says instead when it cannot open its database; `never` where it opens nothing before the first
   * request.
   */
  readonly unopenable: { readonly type: string };
}

/**
 * What the caller may say of a request that runs: one more batch of rows may be sent; no more is wanted; the answer to
 * `prepared`.
 */
export type RequestWord = 'more' | 'stop' | 'commit';

/** From the caller's process to the driver's. */
export type ToProcess<T extends DriverTalk> =
  | { readonly type: 'open'; readonly protocol: number; readonly settings: T['settings'] }
  | { readonly type: 'request'; readonly id: number; readonly request: T['request'] }
  | { readonly type: RequestWord; readonly id: number };

/** From the driver's process to the caller's. */
export type FromProcess<T extends DriverTalk> =
  | ({ readonly type: 'ready'; readonly protocol: number } & T['ready'])
  | { readonly type: 'unusable'; readonly reason: 'dependency' | 'protocol'; readonly message: string }
  | T['unopenable']
  /** The parts of an answer that were there together: one message costs less than several. */
  | { readonly type: 'answer'; readonly id: number; readonly parts: readonly ProcessAnswer<T>[] };

/** What an answer consists of. `end` or `failed` is the last part. */
export type ProcessAnswer<T extends DriverTalk> =
  | { readonly type: 'columns'; readonly columns: readonly T['column'][] }
  | { readonly type: 'rows'; readonly rows: readonly Row[] }
  /** A change is made but not committed: the process waits for `commit`. */
  | { readonly type: 'prepared' }
  | { readonly type: 'value'; readonly value: unknown }
  | {
      readonly type: 'end';
      readonly truncated?: 'rows' | 'bytes' | undefined;
      readonly affectedRows?: number | undefined;
    }
  | { readonly type: 'failed'; readonly failure: T['failure'] };
