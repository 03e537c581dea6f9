import type { Adapter, AttributeId, CallContext, Catalog } from '@askema/core';
import { drawSamples, type Sample, type StoredSamples } from '@askema/grounding';
import { sharedContext } from './shared-context.ts';

/** Sample values by attribute. */
export type Samples = Readonly<Record<AttributeId, Sample>>;

/** Draws samples of one adapter, each once. */
export interface Sampler {
  /** At once what is there. */
  draw(
    catalog: Catalog,
    attributes: readonly AttributeId[],
    options: { readonly limit: number; readonly timeoutMs: number; readonly context: CallContext },
  ): Samples | Promise<Samples>;
  /** Takes for drawn what another process has drawn. */
  adopt(catalog: Catalog, samples: StoredSamples): void;
  forget(): void;
}

export interface SamplerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears of all samples of a structure, each time when some were drawn. */
  readonly onDrawn?: ((catalog: Catalog, samples: StoredSamples) => void) | undefined;
}

export function createSampler(adapter: Adapter, { signal, onDrawn }: SamplerOptions): Sampler {
  // For one structure and one limit at a time.
  let scope = '';
  const scopeOf = (catalog: Catalog, limit: number): string => `${limit} ${catalog.fingerprint}`;
  /** Those that are there. */
  const values = new Map<AttributeId, Sample>();
  const drawn = new Map<AttributeId, Promise<Sample | undefined>>();
  let latest: { readonly attributes: readonly AttributeId[]; samples: Samples | Promise<Samples> } | undefined;
  const forgetAll = (): void => {
    drawn.clear();
    values.clear();
    latest = undefined;
  };
  const collect = async (attributes: readonly AttributeId[]): Promise<Samples> => {
    const entries = await Promise.all(attributes.map(async (id) => [id, await drawn.get(id)] as const));
    return Object.fromEntries(entries.flatMap(([id, found]) => (found === undefined ? [] : [[id, found]])));
  };
  return {
    draw(catalog, attributes, { limit, timeoutMs, context: asker }) {
      const asked = scopeOf(catalog, limit);
      if (scope !== asked) forgetAll();
      scope = asked;
      if (latest !== undefined && areSame(latest.attributes, attributes)) return latest.samples;
      const missing = attributes.filter((id) => !drawn.has(id));
      if (missing.length > 0) {
        const started = performance.now();
        const context = sharedContext(asker, 'samples', signal);
        const drawing = drawSamples(adapter, missing, { catalog, limit, timeoutMs, context });
        for (const id of missing)
          drawn.set(
            id,
            drawing.then((samples) => ownValue(samples, id)),
          );
        const forget = (isLost: (id: AttributeId) => boolean): void => {
          for (const id of missing.filter(isLost)) drawn.delete(id);
          latest = undefined;
        };
        // When the time ran out, the next question tries those again that are missing.
        drawing.then(
          (samples) => {
            if (performance.now() - started >= timeoutMs) forget((id) => ownValue(samples, id) === undefined);
            if (scope !== asked || onDrawn === undefined) return;
            for (const [id, own] of Object.entries(samples)) values.set(id, own);
            onDrawn(catalog, { limit, values: Object.fromEntries(values) });
          },
          () => forget(() => true),
        );
      }
      const collected: NonNullable<typeof latest> = { attributes, samples: collect(attributes) };
      latest = collected;
      Promise.resolve(collected.samples).then(
        (samples) => {
          collected.samples = samples;
        },
        () => undefined,
      );
      return collected.samples;
    },
    adopt(catalog, samples) {
      forgetAll();
      scope = scopeOf(catalog, samples.limit);
      for (const [id, own] of Object.entries(samples.values)) {
        values.set(id, own);
        drawn.set(id, Promise.resolve(own));
      }
    },
    forget: forgetAll,
  };
}

function areSame(some: readonly AttributeId[], others: readonly AttributeId[]): boolean {
  return some === others || (some.length === others.length && some.every((id, at) => id === others[at]));
}

function ownValue(samples: Samples, id: AttributeId): Sample | undefined {
  return Object.hasOwn(samples, id) ? samples[id] : undefined;
}
