import type { Adapter, AttributeId, SampleOptions, Value } from '@askema/core';
import { missingValues } from './missing-values.ts';

/** Values of one attribute. */
export interface Sample {
  /** Distinct ones; then NULL and what else stands where there is no value. */
  readonly values: readonly Value[];
  /** True where there are more than were asked for. */
  readonly isCut: boolean;
  /** True where these are all. */
  readonly isWhole: boolean;
  /** The least and the greatest number or date, where all rows were read. */
  readonly range?: readonly [Value, Value] | undefined;
}

/** Values of attributes, and what stands in their place. An attribute that could not be read is absent. */
export async function drawSamples(
  adapter: Pick<Adapter, 'dialect' | 'query' | 'sampleValues'>,
  ids: readonly AttributeId[],
  options: SampleOptions,
): Promise<Readonly<Record<AttributeId, Sample>>> {
  const [drawn, missing] = await Promise.all([
    adapter.sampleValues(ids, options),
    missingValues(adapter, ids, options),
  ]);
  const samples = Object.entries(drawn).map(([id, found]): readonly [AttributeId, Sample] => {
    const { values: gaps = [], isWhole = false, range } = (Object.hasOwn(missing, id) ? missing[id] : undefined) ?? {};
    // A placeholder, as `N/A`, is a value: it is shown among the first.
    const values = [...new Set([...gaps.filter((value) => value !== null && value !== ''), ...found])];
    const empty = gaps.filter((value) => !values.includes(value));
    const isCut = found.length >= options.limit;
    const sample = { values: [...values, ...empty], isCut, isWhole: isWhole && !isCut };
    return [id, range === undefined ? sample : { ...sample, range }];
  });
  return Object.fromEntries(samples);
}
