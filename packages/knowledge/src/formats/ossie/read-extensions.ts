import { didYouMean } from '@askema/core';
import type { Extension } from '../../model/semantic-model.ts';
import { isObject, type PlainObject } from '../plain-object.ts';
import { type Carrier, OUR_EXTENSION, type OurExtension } from './our-extension.ts';
import type { Reading, Spot } from './reading.ts';
import { COMMON_VENDOR, OUR_KEY, OUR_VENDOR } from './releases.ts';

export interface Extensions<C extends Carrier> {
  readonly ours: OurExtension<C>;
  readonly foreign: readonly Extension[];
}

/** Extensions of an object of the file: ours parsed, those of others as they are. */
export function readExtensions<C extends Carrier>(reading: Reading, owner: Spot, carrier: C): Extensions<C> {
  const foreign: Extension[] = [];
  let ours: OurExtension<C> | undefined;
  for (const spot of reading.list(reading.below(owner, 'custom_extensions'))) {
    const object = reading.object(spot, ['vendor_name', 'data']);
    if (object === undefined) continue;
    const vendor = reading.text(reading.below(spot, 'vendor_name'));
    const data = textOf(reading, reading.below(spot, 'data'));
    if (vendor === undefined || data === undefined) {
      reading.warn('missing-part', spot, `An extension of ${spot.what} lacks \`vendor_name\` or \`data\`.`);
      continue;
    }
    checkVendor(reading, spot, vendor);
    const found = ourData(reading, reading.below(spot, 'data'), vendor, data);
    if (found === undefined) foreign.push({ vendor, data });
    else if (ours !== undefined)
      reading.error('duplicate-extension', spot, `${spot.what} has two extensions of ${OUR_VENDOR}.`, 'Merge them.');
    else {
      ours = parse(reading, reading.below(spot, 'data'), carrier, found.ours);
      if (found.rest !== undefined) foreign.push({ vendor, data: found.rest });
    }
  }
  const kept = (ours as OurExtension<Carrier> | undefined)?.extensions ?? [];
  return {
    ours: ours ?? ({} as OurExtension<C>),
    foreign: [...foreign, ...kept.map(({ vendor_name: vendor, data }) => ({ vendor, data }))],
  };
}

/** The JSON of an extension. An object that stands there in its place is readable as well. */
function textOf(reading: Reading, spot: Spot): string | undefined {
  if (!isObject(spot.value)) return reading.text(spot);
  reading.warn(
    'wrong-type',
    spot,
    `The data of an extension of ${spot.what} is an object, and has to be JSON as a text.`,
  );
  return JSON.stringify(spot.value);
}

function checkVendor(reading: Reading, spot: Spot, vendor: string): void {
  const { vendors, version } = reading.release;
  if (vendors === undefined || vendors.has(vendor)) return;
  reading.warn(
    'unknown-vendor',
    reading.below(spot, 'vendor_name'),
    `${spot.what} has an extension of vendor ${vendor}, which Ossie ${version} does not allow.`,
    vendor === OUR_VENDOR
      ? `Name the vendor ${COMMON_VENDOR} and put everything below the key \`${OUR_KEY}\`, or use version 0.2.0.dev0.`
      : `Allowed are ${[...vendors].join(', ')}.`,
  );
}

interface OurData {
  readonly ours: unknown;
  /** What others keep in the same JSON. */
  readonly rest?: string | undefined;
}

/** What is ours of the data; undefined where nothing is. */
function ourData(reading: Reading, spot: Spot, vendor: string, data: string): OurData | undefined {
  if (vendor !== OUR_VENDOR && vendor !== COMMON_VENDOR) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (thrown) {
    if (vendor === COMMON_VENDOR) return undefined;
    const reason = (thrown as Error).message;
    reading.error('extension-json', spot, `The ${OUR_VENDOR} extension of ${spot.what} is not JSON: ${reason}.`);
    return { ours: {} };
  }
  if (vendor === OUR_VENDOR) return { ours: value };
  if (!isObject(value) || !(OUR_KEY in value)) return undefined;
  const { [OUR_KEY]: ours, ...rest } = value;
  return { ours, rest: Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest) };
}

function parse<C extends Carrier>(reading: Reading, spot: Spot, carrier: C, value: unknown): OurExtension<C> {
  const schema = OUR_EXTENSION[carrier];
  const { data, error } = schema.safeParse(value);
  for (const key of isObject(value) ? Object.keys(value) : [])
    if (!(key in schema.shape)) unknownKey(reading, spot, key, schema.shape);
  if (error === undefined) return data as OurExtension<C>;
  for (const { path, message } of error.issues)
    reading.error(
      'extension-invalid',
      spot,
      `The ${OUR_VENDOR} extension of ${spot.what} cannot be used: ${path.length === 0 ? '' : `${path.join('.')}: `}${message}.`,
    );
  return {} as OurExtension<C>;
}

function unknownKey(reading: Reading, spot: Spot, key: string, shape: PlainObject): void {
  const hint = didYouMean(key, Object.keys(shape));
  reading.warn(
    'unknown-key',
    spot,
    `The ${OUR_VENDOR} extension of ${spot.what} has the key \`${key}\`, which is not read. ${hint}`.trimEnd(),
  );
}
