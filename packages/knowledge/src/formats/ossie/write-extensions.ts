import type { Extension } from '../../model/semantic-model.ts';
import { compact } from '../plain-object.ts';
import type { Carrier, OurExtension } from './our-extension.ts';
import { COMMON_VENDOR, OUR_KEY, OUR_VENDOR, type Release } from './releases.ts';

export interface WrittenExtension {
  readonly vendor_name: string;
  readonly data: string;
}

/** Foreign extensions as they are and ours last; undefined where there is none. */
export function writeExtensions<C extends Carrier>(
  release: Release,
  foreign: readonly Extension[],
  ours: OurExtension<C>,
): readonly WrittenExtension[] | undefined {
  const isAllowed = ({ vendor }: Extension): boolean => release.vendors?.has(vendor) ?? true;
  const written = foreign.filter(isAllowed).map(plainExtension);
  const kept = foreign.filter((extension) => !isAllowed(extension)).map(plainExtension);
  const all = compact({ ...ours, extensions: kept });
  if (Object.keys(all).length > 0)
    written.push(
      release.vendors === undefined
        ? { vendor_name: OUR_VENDOR, data: json(all) }
        : { vendor_name: COMMON_VENDOR, data: json({ [OUR_KEY]: all }) },
    );
  return written.length === 0 ? undefined : written;
}

const plainExtension = ({ vendor, data }: Extension): WrittenExtension => ({ vendor_name: vendor, data });

/** On several lines, so that a change of one value is a change of one line. */
const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
