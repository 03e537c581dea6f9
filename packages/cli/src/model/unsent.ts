import { AskemaError, type LanguageModel, modelName, redactSecrets } from '@askema/core';
import { withoutUserInfo } from '../terminal/printable.ts';

/** Stands where requests would leave: it keeps the first one, sends none, and stops what wanted to send it. */
export interface Unsent {
  /** Takes the place of the transport of providers that the command makes itself. */
  readonly fetch: typeof globalThis.fetch;
  /** Takes the place of a model of the configuration, whose transport is its own. */
  hold(model: LanguageModel): LanguageModel;
  /** Fires when the first request is there. */
  readonly signal: AbortSignal;
  /** The first request as text; undefined while there is none. */
  readonly first: string | undefined;
}

/** Headers that say who asks. */
const SECRET_HEADER = /authorization|api-?key|token|secret|cookie|organization|project/i;

/** `stop` is the signal that stops the command. */
export function createUnsent(stop: AbortSignal): Unsent {
  const held = new AbortController();
  let first: string | undefined;
  const keep = (text: string): never => {
    first ??= text;
    held.abort();
    throw new AskemaError('ABORTED', 'Nothing is sent in a dry run.');
  };
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const body = await request.text();
      return keep(`${headOf(request)}\n\n${body}\n`);
    },
    hold: (model) => ({
      contract: model.contract,
      provider: model.provider,
      modelId: model.modelId,
      capabilities: model.capabilities,
      generate: async ({ context: _, ...request }) =>
        keep(
          `# What ${modelName(model)}, a model of the configuration, is given; it makes the request itself.\n${JSON.stringify(request, undefined, 2)}\n`,
        ),
    }),
    signal: AbortSignal.any([stop, held.signal]),
    get first() {
      return first;
    },
  };
}

function headOf({ method, url, headers }: Request): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${SECRET_HEADER.test(name) ? '[redacted]' : value}`);
  return redactSecrets(withoutUserInfo([`${method} ${url}`, ...lines].join('\n')));
}
