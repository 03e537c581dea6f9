import type { WireConnection, WireQuery, WireRow } from './wire.ts';

/**
 * Several statements of our own in one message of the simple protocol. The rows are kept as the driver has read them:
 * its own query would copy each of them, cell by cell.
 */
export class BatchQuery implements WireQuery {
  /**
   * The rows of each statement, in their order. Rejects with the error of the first that fails; those behind it are not
   * run.
   */
  readonly results: Promise<readonly (readonly WireRow[])[]>;
  readonly #text: string;
  readonly #ended: (readonly WireRow[])[] = [];
  #rows: WireRow[] = [];
  #resolve: (results: readonly (readonly WireRow[])[]) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(statements: readonly string[]) {
    this.#text = statements.join(';\n');
    this.results = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: WireConnection): undefined {
    connection.query(this.#text);
  }

  handleDataRow({ fields }: { readonly fields: WireRow }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    this.#ended.push(this.#rows);
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#ended);
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail('This adapter sends no data for COPY.');
  }

  handleCopyData(): void {}
}
