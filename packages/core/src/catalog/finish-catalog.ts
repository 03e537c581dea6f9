import { createHash } from 'node:crypto';
import { AskemaError } from '../errors/askema-error.ts';
import type { Catalog } from './catalog.ts';

/** The hash is fed in pieces of about so many characters. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Completes a catalog that an introspector has read: checks that its parts fit together, and adds the fingerprint.
 *
 * @throws AskemaError `SCHEMA_INVALID` when an id is there twice, or a relation or attribute lacks its entry beside the
 * schema.
 */
export function finishCatalog(catalog: Omit<Catalog, 'fingerprint'>): Catalog {
  checkEntries(catalog, 'relations', 'relation');
  checkEntries(catalog, 'attributes', 'attribute');
  return { ...catalog, fingerprint: catalogFingerprint(catalog) };
}

/**
 * SHA-256 over everything in a catalog but its counts, in hexadecimal. The order of keys inside objects and fields that
 * are undefined do not count; the order of relations and attributes does.
 */
export function catalogFingerprint(catalog: Omit<Catalog, 'fingerprint'>): string {
  const hash = createHash('sha256');
  const writer = new CanonicalWriter((piece) => hash.update(piece));
  writer.write({ ...catalog, fingerprint: undefined, relations: withoutCounts(catalog.relations) });
  writer.flush();
  return hash.digest('hex');
}

/** Counts differ between two looks at one and the same structure. */
function withoutCounts(relations: Catalog['relations']): Catalog['relations'] {
  return Object.fromEntries(
    Object.entries(relations).map(([id, info]) => [
      id,
      { ...info, rowCount: undefined, rowCountExact: undefined, byteCount: undefined },
    ]),
  );
}

/** The keys of records that look alike, in their own order, and as they are written. */
interface Shape {
  readonly keys: readonly string[];
  readonly sorted: readonly { readonly key: string; readonly text: string }[];
}

/** A record with more keys is a map by ids, which has no sisters of the same keys. */
const SHAPE_KEYS = 16;

/** Texts without anything that JSON writes with an escape: control characters, quotes, backslashes, surrogates. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Writes JSON with sorted keys, with a comma behind every member, and without what is undefined. */
class CanonicalWriter {
  readonly #take: (piece: string) => void;
  /**
   * By number of keys, the last record's: its neighbours have the same as a rule, and sorting keys costs more than
   * writing them.
   */
  readonly #shapes: Shape[] = [];
  #piece = '';

  constructor(take: (piece: string) => void) {
    this.#take = take;
  }

  flush(): void {
    this.#take(this.#piece);
    this.#piece = '';
  }

  write(value: unknown): void {
    if (typeof value === 'string') this.#piece += quoted(value);
    else if (value === null || typeof value !== 'object') this.#piece += JSON.stringify(value) ?? 'null';
    else if (Array.isArray(value)) this.#writeList(value);
    else this.#writeRecord(value as Readonly<Record<string, unknown>>);
    if (this.#piece.length >= PIECE_CHARACTERS) this.flush();
  }

  #writeList(items: readonly unknown[]): void {
    this.#piece += '[';
    for (const item of items) {
      this.write(item);
      this.#piece += ',';
    }
    this.#piece += ']';
  }

  #writeRecord(record: Readonly<Record<string, unknown>>): void {
    this.#piece += '{';
    const keys = Object.keys(record);
    if (keys.length > SHAPE_KEYS) for (const key of keys.sort()) this.#writeMember(`${quoted(key)}:`, record[key]);
    else for (const { key, text } of this.#shapeOf(keys).sorted) this.#writeMember(text, record[key]);
    this.#piece += '}';
  }

  #writeMember(key: string, value: unknown): void {
    if (value === undefined) return;
    this.#piece += key;
    this.write(value);
    this.#piece += ',';
  }

  #shapeOf(keys: readonly string[]): Shape {
    const last = this.#shapes[keys.length];
    if (last?.keys.every((key, at) => key === keys[at])) return last;
    const sorted = keys.toSorted().map((key) => ({ key, text: `${quoted(key)}:` }));
    const shape = { keys, sorted };
    this.#shapes[keys.length] = shape;
    return shape;
  }
}

/** As JSON writes it; the call of `JSON.stringify` costs more than a look at a short text. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function checkEntries(
  catalog: Omit<Catalog, 'fingerprint'>,
  part: 'relations' | 'attributes',
  what: 'relation' | 'attribute',
): void {
  const seen = new Set<string>();
  for (const { id, name } of catalog.schema[part]) {
    if (seen.has(id))
      throw new AskemaError(
        'SCHEMA_INVALID',
        `The catalog of ${catalog.name} has the ${what} id ${JSON.stringify(id)} twice; check the name comparison (${(part === 'relations' ? catalog.relationComparison : undefined) ?? catalog.nameComparison}) and the name parts that make the id.`,
      );
    seen.add(id);
    if (!Object.hasOwn(catalog[part], id))
      throw new AskemaError(
        'SCHEMA_INVALID',
        `The catalog of ${catalog.name} has no entry in \`${part}\` for the ${what} ${JSON.stringify(name)} (id ${JSON.stringify(id)}).`,
      );
  }
}
