import type { AskemaError } from '../errors/askema-error.ts';

/**
 * What can be stopped as one: a run, a batch, an attempt. A scope that is cancelled takes its children with it.
 * Everything is made when it is first needed, because most steps never look at their signal.
 */
export class CancelScope {
  readonly #parent: CancelScope | undefined;
  readonly #listeners = new Set<(error: AskemaError) => void>();
  #controller: AbortController | undefined;
  #error: AskemaError | undefined;
  #detach: (() => void) | undefined;

  constructor(parent?: CancelScope) {
    this.#parent = parent;
  }

  /** Why it was cancelled, here or further up. */
  get error(): AskemaError | undefined {
    return this.#error ?? this.#parent?.error;
  }

  /** Fires when the scope is cancelled; the reason is the error. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      const { error } = this;
      if (error !== undefined) controller.abort(error);
      else this.onCancel((reason) => controller.abort(reason));
    }
    return this.#controller.signal;
  }

  cancel(error: AskemaError): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.close();
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(error);
  }

  /** Calls back once on cancellation; the returned function takes that back. The scope must not be cancelled yet. */
  onCancel(listener: (error: AskemaError) => void): () => void {
    this.#detach ??= this.#parent?.onCancel((error) => this.cancel(error));
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles as `work` does, or rejects as soon as the scope is cancelled, whatever `work` is still doing. */
  guard<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { error } = this;
      const detach = error === undefined ? this.onCancel(reject) : undefined;
      if (error !== undefined) reject(error);
      work.then(
        (value) => {
          detach?.();
          resolve(value);
        },
        (reason: unknown) => {
          detach?.();
          reject(reason);
        },
      );
    });
  }

  /** Ends the scope: whoever took its signal is told to stop. The error is only made when somebody did. */
  abandon(makeError: () => AskemaError): void {
    if (this.#controller === undefined) this.close();
    else this.cancel(makeError());
  }

  /** Stops listening to the parent. */
  close(): void {
    this.#detach?.();
    this.#detach = undefined;
  }
}
