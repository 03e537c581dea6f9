import type { Duplex } from 'node:stream';

/** A field of a row description, as `pg-protocol` reads it. */
export interface WireField {
  readonly name: string;
  /** 0 where the column is no plain column of a relation. */
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

/** Cells as text, as they came. */
export type WireRow = readonly (string | null)[];

/**
 * What this adapter uses of `pg`'s connection below a client: https://github.com/brianc/node-postgres,
 * packages/pg/lib/connection.js.
 */
export interface WireConnection {
  readonly stream: Duplex & { ref?(): void; unref?(): void };
  query(text: string): void;
  parse(query: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void;
  bind(config: {
    readonly portal: string;
    readonly statement: string;
    readonly values: readonly (string | Buffer | null)[];
  }): void;
  describe(message: { readonly type: 'S' | 'P'; readonly name: string }): void;
  execute(config: { readonly portal: string; readonly rows: number }): void;
  sync(): void;
  once(event: string, listener: (message: never) => void): this;
  off(event: string, listener: (message: never) => void): this;
  sendCopyFail(message: string): void;
}

/** Sends the messages together: one call of the system in place of one for each. */
export function inOneWrite({ stream }: WireConnection, send: () => void): void {
  stream.cork();
  send();
  stream.uncork();
}

/** What `pg`'s client calls on a query that was submitted to it. */
export interface WireQuery {
  submit(connection: WireConnection): Error | undefined;
  handleRowDescription(message: { readonly fields: readonly WireField[] }): void;
  handleDataRow(message: { readonly length: number; readonly fields: WireRow }): void;
  handlePortalSuspended(): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleEmptyQuery(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
  handleCopyInResponse(connection: WireConnection): void;
  handleCopyData(): void;
}
