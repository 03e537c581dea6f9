import { inOneWrite, type WireConnection, type WireQuery, type WireRow } from './wire.ts';

/** Reading from the socket pauses while so many bytes of rows wait for their consumer. */
const HIGH_WATER_BYTES = 512 * 1024;

type State = 'executing' | 'suspended' | 'complete' | 'failed';

/**
 * Runs the prepared statement through a portal: rows come in batches, only when they are asked for. Each batch is
 * submitted to the driver by itself and ends with a Sync, which leaves the portal open within its transaction.
 */
export class PortalQuery implements WireQuery {
  /** Settles when the statement is over and the server is ready for the next one, or the connection is gone. */
  readonly ready: Promise<void>;
  /** `INSERT 0 3`, once it has run to its end. */
  tag: string | undefined;
  readonly #statement: string;
  readonly #values: readonly (string | Buffer | null)[];
  readonly #submit: (query: PortalQuery) => void;
  #batchRows: number;
  #isBound = false;
  #connection: WireConnection | undefined;
  #state: State = 'executing';
  #rows: WireRow[] = [];
  #bytes = 0;
  #error: Error | undefined;
  #discards = false;
  #wake: () => void = () => undefined;
  #resolveReady: () => void = () => undefined;

  /** @param submit hands a query to the driver, which sends it when the server is ready. */
  constructor(
    statement: string,
    values: readonly (string | Buffer | null)[],
    firstRows: number,
    submit: (query: PortalQuery) => void,
  ) {
    this.#statement = statement;
    this.#values = values;
    this.#batchRows = firstRows;
    this.#submit = submit;
    this.ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
    submit(this);
  }

  submit(connection: WireConnection): undefined {
    this.#connection = connection;
    inOneWrite(connection, () => {
      if (!this.#isBound) connection.bind({ portal: '', statement: this.#statement, values: this.#values });
      this.#isBound = true;
      connection.execute({ portal: '', rows: this.#batchRows });
      connection.sync();
    });
  }

  /**
   * The next rows, at most `rows` and about half a megabyte; undefined at the end. Rejects with the server's error,
   * after the rows that came before it.
   */
  async next(rows: number): Promise<readonly WireRow[] | undefined> {
    for (;;) {
      if (this.#rows.length > 0) {
        const batch = this.#rows;
        this.#rows = [];
        this.#bytes = 0;
        return batch;
      }
      if (this.#error !== undefined) throw this.#error;
      if (this.#state === 'complete') return undefined;
      if (this.#state === 'suspended') this.#execute(rows);
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#connection?.stream.resume();
      await woken;
    }
  }

  /** Reads on and drops what comes, up to the end of the batch. The end of the transaction closes the portal. */
  async close(): Promise<void> {
    this.#discards = true;
    this.#rows = [];
    this.#connection?.stream.resume();
    while (this.#state === 'executing')
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#state === 'suspended') this.#resolveReady();
    await this.ready;
  }

  #execute(rows: number): void {
    this.#state = 'executing';
    this.#batchRows = rows;
    this.#submit(this);
  }

  handleDataRow({ length, fields }: { readonly length: number; readonly fields: WireRow }): void {
    if (this.#discards) return;
    this.#rows.push(fields);
    this.#bytes += length;
    if (this.#bytes < HIGH_WATER_BYTES) return;
    this.#connection?.stream.pause();
    this.#wake();
  }

  handlePortalSuspended(): void {
    this.#state = 'suspended';
    this.#wake();
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.tag = text;
    this.#end('complete');
  }

  handleEmptyQuery(): void {
    this.#end('complete');
  }

  handleReadyForQuery(): void {
    if (this.#state === 'complete') this.#resolveReady();
  }

  handleError(error: Error): void {
    this.#error ??= error;
    this.#end('failed');
    const connection = this.#connection;
    // An error of the server has a severity; without one the connection itself has failed, and nothing more will come.
    if (connection === undefined || (error as { readonly severity?: unknown }).severity === undefined)
      this.#resolveReady();
    else {
      // The driver tells a query that has failed no more.
      const settle = (): void => {
        connection.off('readyForQuery', settle);
        connection.off('end', settle);
        this.#resolveReady();
      };
      connection.once('readyForQuery', settle);
      connection.once('end', settle);
    }
  }

  #end(state: State): void {
    this.#state = state;
    this.#wake();
  }

  handleRowDescription(): void {}

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail('This adapter sends no data for COPY.');
  }

  handleCopyData(): void {}
}
