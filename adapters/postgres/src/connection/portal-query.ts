import type { WireConnection, WireQuery, WireRow } from './wire.ts';

/** Reading from the socket pauses while so many bytes of rows wait for their consumer. */
const HIGH_WATER_BYTES = 512 * 1024;

type State = 'executing' | 'suspended' | 'complete' | 'failed';

/** Runs the prepared statement through a portal: rows come in batches, only when they are asked for. */
export class PortalQuery implements WireQuery {
  /** Settles when the server is ready for the next statement, or the connection is gone. */
  readonly ready: Promise<void>;
  /** `INSERT 0 3`, once it has run to its end. */
  tag: string | undefined;
  readonly #statement: string;
  readonly #values: readonly (string | Buffer | null)[];
  readonly #firstRows: number;
  #connection: WireConnection | undefined;
  #state: State = 'executing';
  #rows: WireRow[] = [];
  #bytes = 0;
  #error: Error | undefined;
  #discards = false;
  #wake: () => void = () => undefined;
  #resolveReady: () => void = () => undefined;

  constructor(statement: string, values: readonly (string | Buffer | null)[], firstRows: number) {
    this.#statement = statement;
    this.#values = values;
    this.#firstRows = firstRows;
    this.ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
  }

  submit(connection: WireConnection): undefined {
    this.#connection = connection;
    connection.bind({ portal: '', statement: this.#statement, values: this.#values });
    connection.execute({ portal: '', rows: this.#firstRows });
    connection.flush();
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

  /** Reads on and drops what comes, up to the end of the batch; then the portal is closed. */
  async close(): Promise<void> {
    this.#discards = true;
    this.#rows = [];
    this.#connection?.stream.resume();
    while (this.#state === 'executing')
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#state === 'suspended') {
      this.#state = 'complete';
      this.#connection?.close({ type: 'P', name: '' });
      this.#connection?.sync();
    }
    await this.ready;
  }

  #execute(rows: number): void {
    this.#state = 'executing';
    this.#connection?.execute({ portal: '', rows });
    this.#connection?.flush();
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
    this.#connection?.sync();
  }

  handleEmptyQuery(): void {
    this.#end('complete');
    this.#connection?.sync();
  }

  handleReadyForQuery(): void {
    this.#resolveReady();
  }

  handleError(error: Error): void {
    this.#error ??= error;
    this.#end('failed');
    const connection = this.#connection;
    // An error of the server has a severity; without one the connection itself has failed, and nothing more will come.
    if (connection === undefined || (error as { readonly severity?: unknown }).severity === undefined)
      this.#resolveReady();
    else {
      connection.once('readyForQuery', () => this.#resolveReady());
      connection.once('end', () => this.#resolveReady());
      connection.sync();
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
