import type { AttributeId, ErrorCode } from '@askema/core';
import type { DriverTalk } from '@askema/core/node';
import type { SearchQuery, SearchSettings } from './search-index.ts';

/** Raised when a message changes. */
export const PROTOCOL_VERSION = 2;

/** The process writes this to stderr when it holds too much memory. */
export const MEMORY_MARK = 'askema-value-index: too much memory';

/** What the process that reads an index is asked, and what it answers. */
export interface ValueIndexTalk extends DriverTalk {
  readonly settings: object;
  readonly request: /** The first request; it has a time limit, as opening a file has to have. */
    | ({ readonly type: 'open' } & SearchSettings)
    | ({ readonly type: 'find' } & SearchQuery)
    | { readonly type: 'covers'; readonly attribute: AttributeId }
    | { readonly type: 'stats' };
  readonly column: never;
  readonly failure: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
    readonly retryable: boolean;
  };
  readonly ready: object;
  readonly unopenable: { readonly type: 'unopenable' };
}
