import { abortedError, isAskemaError, throwIfAborted } from '../errors/askema-error.ts';
import type { AttributeId } from '../schema/schema.ts';
import type { CallContext } from '../task/call-context.ts';
import type { CellSet } from './read-cells.ts';

/** Cells by attribute; undefined for one that cannot be read. */
export interface CellCache {
  cells(attribute: AttributeId, context: CallContext): Promise<CellSet | undefined>;
  clear(): void;
}

type Read = (attribute: AttributeId, context: CallContext) => Promise<CellSet | undefined>;

/**
 * Keeps what was read up to a limit, the attributes that were not used for longest go first. Callers that ask for an attribute at the
 * same time share one read: when the one whose context it runs in is aborted, another one reads again. What failed is not tried
 * again.
 */
export function createCellCache(maxBytes: number, read: Read): CellCache {
  const kept = new Map<AttributeId, CellSet | undefined>();
  const running = new Map<AttributeId, Promise<CellSet | undefined>>();
  let bytes = 0;

  const keep = (attribute: AttributeId, set: CellSet | undefined): void => {
    kept.set(attribute, set);
    bytes += set?.bytes ?? 0;
    for (const [oldest, old] of kept) {
      if (bytes <= maxBytes) return;
      if (old === undefined || oldest === attribute) continue;
      kept.delete(oldest);
      bytes -= old.bytes;
    }
  };

  const start = (attribute: AttributeId, context: CallContext): Promise<CellSet | undefined> => {
    const reading = read(attribute, context)
      .catch((thrown: unknown) => {
        if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
        return undefined;
      })
      .then((set) => {
        keep(attribute, set);
        return set;
      })
      .finally(() => running.delete(attribute));
    running.set(attribute, reading);
    return reading;
  };

  return {
    async cells(attribute, context) {
      for (;;) {
        throwIfAborted(context.signal, 'The search for values');
        if (kept.has(attribute)) {
          const set = kept.get(attribute);
          kept.delete(attribute);
          kept.set(attribute, set);
          return set;
        }
        try {
          return await unlessAborted(running.get(attribute) ?? start(attribute, context), context.signal);
        } catch (thrown) {
          // Another caller's abort ended the shared read.
          if (context.signal?.aborted || !isAskemaError(thrown) || thrown.code !== 'ABORTED') throw thrown;
        }
      }
    },
    clear() {
      kept.clear();
      bytes = 0;
    },
  };
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedError('The search for values', signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}
