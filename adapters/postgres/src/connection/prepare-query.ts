import { inOneWrite, type WireConnection, type WireField, type WireQuery } from './wire.ts';

let prepared = 0;

/** What the server makes of a statement without running it. */
export interface Prepared {
  /** Undefined for a statement that gives no rows. */
  readonly fields: readonly WireField[] | undefined;
  /** How many parameters it has. */
  readonly parameters: number;
}

/** Parse and Describe of the extended protocol: one statement, looked at and not run. */
export class PrepareQuery implements WireQuery {
  /** No name twice: poolers let several clients use one backend. The transaction's end deallocates it. */
  readonly statement: string;
  readonly prepared: Promise<Prepared>;
  readonly #text: string;
  readonly #opening: string | undefined;
  #fields: readonly WireField[] | undefined;
  #parameters = 0;
  #resolve: (prepared: Prepared) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  /** @param opening a statement of our own that runs before, in the same message; its rows are dropped. */
  constructor(text: string, opening: string | undefined) {
    prepared += 1;
    this.statement = `askema_${process.pid}_${prepared}`;
    this.#text = text;
    this.#opening = opening;
    this.prepared = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.prepared.catch(() => undefined);
  }

  submit(connection: WireConnection): undefined {
    const onParameters = (message: { readonly dataTypeIDs: readonly number[] }): void => {
      this.#parameters = message.dataTypeIDs.length;
    };
    const forget = (): void => {
      connection.off('parameterDescription', onParameters);
    };
    this.prepared.then(forget, forget);
    connection.once('parameterDescription', onParameters);
    const opening = this.#opening;
    inOneWrite(connection, () => {
      if (opening !== undefined) {
        connection.parse({ name: '', text: opening, types: [] });
        connection.bind({ portal: '', statement: '', values: [] });
        connection.execute({ portal: '', rows: 0 });
      }
      connection.parse({ name: this.statement, text: this.#text, types: [] });
      connection.describe({ type: 'S', name: this.statement });
      connection.sync();
    });
  }

  handleRowDescription({ fields }: { readonly fields: readonly WireField[] }): void {
    this.#fields = fields;
  }

  handleReadyForQuery(): void {
    this.#resolve({ fields: this.#fields, parameters: this.#parameters });
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}
